const MAX_LISTED = 20;

/** The directory file cannot be used; nothing was changed. Says where each fault is and shows no values. */
export class DirectoryFileError extends Error {
  constructor(readonly problems: readonly string[]) {
    const rest = problems.length - MAX_LISTED;
    const lines = [...problems.slice(0, MAX_LISTED), ...(rest > 0 ? [`and ${rest} more problems`] : [])];
    super(`DIRECTORY_FILE cannot be used: ${lines.join('; ')}`);
    this.name = 'DirectoryFileError';
  }
}
