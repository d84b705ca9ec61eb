/** One line for a log about anything that was thrown; never a stack. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.map(describeError).join('; ');
  }
  return error instanceof Error ? error.message || error.name : String(error);
}
