/** Levels of objects and arrays that a request may nest; protobuf parsers stop at the same depth. */
export const MAX_NESTING = 100;

const ILL_FORMED = 'contains text that is not well-formed Unicode';

/**
 * Looks for what no later step should meet: nesting that would exhaust a recursive walk, text that is not
 * well-formed Unicode (no strict parser reads it back), numbers beyond double precision's range.
 * @returns what is wrong, or `undefined`; it goes no deeper than it allows
 */
export function findUnsoundJson(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : ILL_FORMED;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'contains a number out of range';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_NESTING) return `is nested deeper than ${MAX_NESTING} levels`;
  return Array.isArray(value) ? unsoundItem(value, depth) : unsoundMember(value, depth);
}

function unsoundItem(items: readonly unknown[], depth: number): string | undefined {
  for (const item of items) {
    const problem = findUnsoundJson(item, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** @param members what JSON.parse makes: nothing inherited is enumerable */
function unsoundMember(members: object, depth: number): string | undefined {
  for (const name in members) {
    if (!name.isWellFormed()) return ILL_FORMED;
    const problem = findUnsoundJson((members as Record<string, unknown>)[name], depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
