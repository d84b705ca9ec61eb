import { randomUUID } from 'node:crypto';

interface Kind {
  accepts: (value: unknown) => boolean;
  make: () => unknown;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const RETENTION_MS = 7 * 24 * 3_600_000;
const NAME = /^\$[a-z]+(\.[a-z]+)*$/;
const NAMES = /\$[a-z]+(\.[a-z]+)*/g;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const token: Kind = {
  accepts: (value) => isText(value) && (value as string).length <= 128,
  make: () => randomUUID(),
};

/**
 * The names in a transcript, such as `$job` or `$revision.queued`, and what they stand for in one run. Whoever says a
 * name first gives it its value: what the tested side sends is remembered, what the runner sends is made up.
 * `$any.time` stands for any value of its kind and is not remembered.
 */
export class Names {
  private bound = new Map<string, unknown>();
  private nextId = 1;

  bind(name: string, value: unknown): void {
    this.bound.set(name, value);
  }

  /** Whether every name in a template has a value. */
  knows(template: unknown): boolean {
    return [...JSON.stringify(template).matchAll(NAMES)].every(([name]) => this.bound.has(name));
  }

  /** @returns the template with values for its names */
  render(template: unknown): unknown {
    if (typeof template === 'string') {
      if (NAME.test(template)) return this.valueOf(template);
      return template.replace(NAMES, (name) => String(this.valueOf(name)));
    }
    if (Array.isArray(template)) return template.map((each) => this.render(each));
    if (typeof template !== 'object' || template === null) return template;
    return Object.fromEntries(
      Object.entries(template).map(([key, value]) => [key.replace(/\?$/, ''), this.render(value)]),
    );
  }

  /**
   * Compares exactly: no member may be missing but those that end in `?`, and none may be added.
   * @returns what differs; `undefined` when nothing does, and only then are new names remembered
   */
  compare(template: unknown, actual: unknown): string | undefined {
    const before = new Map(this.bound);
    const difference = this.differ(template, actual, '');
    if (difference !== undefined) this.bound = before;
    return difference;
  }

  private differ(template: unknown, actual: unknown, path: string): string | undefined {
    const differs = () => `${path || 'all'}: ${JSON.stringify(template)} is not ${JSON.stringify(actual)}`;
    if (typeof template === 'string' && NAME.test(template)) {
      return this.accept(template, actual) ? undefined : differs();
    }
    if (typeof template !== 'object' || template === null) {
      return this.render(template) === actual ? undefined : differs();
    }
    if (typeof actual !== 'object' || actual === null || Array.isArray(template) !== Array.isArray(actual)) {
      return differs();
    }
    return this.differInside(template as Record<string, unknown>, actual as Record<string, unknown>, path);
  }

  private differInside(
    template: Record<string, unknown>,
    actual: Record<string, unknown>,
    path: string,
  ): string | undefined {
    const open = new Set(Object.keys(actual));
    for (const [key, value] of Object.entries(template)) {
      const name = key.replace(/\?$/, '');
      if (!open.delete(name)) {
        if (key.endsWith('?')) continue;
        return `${path}.${name} is missing`;
      }
      const difference = this.differ(value, actual[name], `${path}.${name}`);
      if (difference !== undefined) return difference;
    }
    return open.size === 0 ? undefined : `${path} has more: ${[...open].join(', ')}`;
  }

  private accept(name: string, actual: unknown): boolean {
    if (this.bound.has(name)) return this.bound.get(name) === actual;
    if (!this.kindOf(name).accepts(actual)) return false;
    if (!name.startsWith('$any.')) this.bound.set(name, actual);
    return true;
  }

  private valueOf(name: string): unknown {
    if (this.bound.has(name)) return this.bound.get(name);
    const value = this.kindOf(name).make();
    if (!name.startsWith('$any.')) this.bound.set(name, value);
    return value;
  }

  private kindOf(name: string): Kind {
    const [kind = ''] = name.replace('$any.', '$').split('.');
    switch (kind) {
      case '$id':
        return {
          accepts: (value) => isText(value) || typeof value === 'number',
          make: () => `runner-${this.nextId++}`,
        };
      case '$revision':
        return this.revision(name);
      case '$time':
        return {
          accepts: (value) => typeof value === 'string' && INSTANT.test(value),
          make: () => new Date(Date.now() + (name.endsWith('expiry') ? RETENTION_MS : 0)).toISOString(),
        };
      case '$text':
        return { accepts: isText, make: () => 'a text' };
      case '$milliseconds':
        return { accepts: (value) => Number.isInteger(value) && (value as number) > 0, make: () => 20_000 };
      case '$agents':
        return { accepts: (value) => Array.isArray(value) && value.every(isText), make: () => ['*'] };
      default:
        return token;
    }
  }

  /** Revisions of one job, `$revision.JOB.…`, rise in the order in which they are first said. */
  private revision(name: string): Kind {
    const group = name.slice(0, name.lastIndexOf('.') + 1);
    const known = [...this.bound]
      .filter(([each]) => each.startsWith(group))
      .map(([, value]) => Number(value));
    const last = Math.max(0, ...known);
    return {
      accepts: (value) => Number.isInteger(value) && (value as number) > last,
      make: () => last + 1,
    };
  }
}
