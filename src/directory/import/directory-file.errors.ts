const MAX_LISTED = 20;

/** The directory file cannot be used; nothing was changed. Says where each fault is and shows no values. */
export class DirectoryFileError extends Error {
  constructor(readonly problems: readonly string[]) {
    const listed = problems.slice(0, MAX_LISTED).map((problem) => `\n  - ${problem}`);
    const rest = problems.length - listed.length;
    super(
      `DIRECTORY_FILE cannot be used:${listed.join('')}${rest > 0 ? `\n  - and ${rest} more problems` : ''}`,
    );
    this.name = 'DirectoryFileError';
  }
}
