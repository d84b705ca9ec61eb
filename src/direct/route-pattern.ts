/** A segment that must begin with `prefix`; the rest is a parameter, or nothing may be left. */
interface Segment {
  prefix: string;
  parameter: string | undefined;
}

/**
 * The template of a route, such as `/a2a/@:username/:handle`, with Express's rules: case-sensitive, compared before
 * escapes are decoded, a slash at the end is no difference. Nothing else of Express's syntax is known.
 */
export class RoutePattern {
  private readonly segments: Segment[];

  /** @throws Error for a template with more than names in it */
  constructor(readonly template: string) {
    this.segments = template.split('/').slice(1).map(segmentOf);
  }

  /** Segments of a path that can match. */
  get length(): number {
    return this.segments.length;
  }

  /**
   * @param parts a path's segments, without a last empty one
   * @returns the decoded parameters, or `undefined` when the path is another one or cannot be decoded
   */
  match(parts: readonly string[]): Record<string, string> | undefined {
    const parameters: Record<string, string> = {};
    let index = 0;
    for (const { prefix, parameter } of this.segments) {
      const part = parts[index++];
      if (part === undefined || !part.startsWith(prefix)) return undefined;
      const value = parameter === undefined ? part.slice(prefix.length) : decoded(part.slice(prefix.length));
      if (value === undefined || (value === '') !== (parameter === undefined)) return undefined;
      if (parameter !== undefined) parameters[parameter] = value;
    }
    return parameters;
  }
}

function segmentOf(text: string): Segment {
  const [, prefix = '', parameter] = /^([^:*{}()?+]*)(?::(\w+))?$/.exec(text) ?? [];
  if (prefix === '' && parameter === undefined) throw new Error(`"${text}" is no segment of a direct route`);
  return { prefix, parameter };
}

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
