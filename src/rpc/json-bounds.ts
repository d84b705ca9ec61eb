/** Levels of objects and arrays that a request may nest; protobuf parsers stop at the same depth. */
export const MAX_NESTING = 100;

/**
 * Looks for what no later step should meet: nesting that would exhaust a recursive walk, text that is not
 * well-formed Unicode (no strict parser reads it back), numbers beyond double precision's range.
 * @returns what is wrong, or `undefined`; it does not recurse itself
 */
export function findUnsoundJson(root: unknown): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { value, depth } = entry;
    if (typeof value === 'string' && !value.isWellFormed())
      return 'contains text that is not well-formed Unicode';
    if (typeof value === 'number' && !Number.isFinite(value)) return 'contains a number out of range';
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_NESTING) return `is nested deeper than ${MAX_NESTING} levels`;
    const isArray = Array.isArray(value);
    for (const [key, child] of Object.entries(value)) {
      if (!isArray && !key.isWellFormed()) return 'contains text that is not well-formed Unicode';
      open.push({ value: child, depth: depth + 1 });
    }
  }
  return undefined;
}
