/** Replaces methods of an implementation; the others reach the real one. */
export type Change<Port extends object> = (real: Port) => Partial<Port>;

/** An implementation that is broken on purpose: which rule notices it, what is wrong with it, and how it is made. */
export type Broken<Port extends object> = readonly [rule: string, what: string, change: Change<Port>];

/** @returns `real` with some of its methods changed; `this` of the others is the real one, for its private members */
export function changed<Port extends object>(real: Port, change: Change<Port>): Port {
  const methods: Record<string, unknown> = {};
  for (let level: object = real; level !== Object.prototype; level = Object.getPrototypeOf(level) as object) {
    for (const name of Object.getOwnPropertyNames(level)) {
      const member: unknown = Reflect.get(level, name, real);
      if (typeof member === 'function' && name !== 'constructor') methods[name] ??= member.bind(real);
    }
  }
  return { ...methods, ...change(real) } as Port;
}

/** @returns the one rule whose title has this in it */
export function ruleNamed<R extends { title: string }>(rules: readonly R[], part: string): R {
  const found = rules.filter(({ title }) => title.includes(part));
  const [rule] = found;
  if (!rule || found.length > 1) throw new Error(`${found.length} rules are named "${part}"`);
  return rule;
}

/** @returns the titles of the rules that no broken implementation breaks */
export function neverBroken<R extends { title: string }>(
  rules: readonly R[],
  broken: readonly (readonly [rule: string, ...unknown[]])[],
): string[] {
  const named = new Set(broken.map(([rule]) => ruleNamed(rules, rule).title));
  return rules.map(({ title }) => title).filter((title) => !named.has(title));
}

/** A rule fails by what it asserts, and not because the broken implementation falls over. */
export const ASSERTION = { code: 'ERR_ASSERTION' };
