/**
 * The word that system and SQLite faults carry, such as `ENOENT` or `SQLITE_FULL`.
 * Looks at the form and not at the class: errors of Node's core may come from another realm.
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
