/**
 * Exit codes of every `hello` command; scripts build on them (documented in docs/cli.md).
 * 130 is what a shell itself reports for Ctrl-C.
 */
export const ExitCode = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  taskFailed: 3,
  taskRejected: 4,
  taskCanceled: 5,
  stillOpen: 6,
  notAuthorized: 10,
  noSuchAddress: 11,
  limited: 12,
  unavailable: 13,
  refused: 14,
  replaced: 15,
  dataUnusable: 16,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Something a person can act on: its message is the one line that is printed, its code the exit code. */
export class CliError extends Error {
  override name = 'CliError';

  constructor(
    message: string,
    readonly exitCode: ExitCode = ExitCode.usage,
  ) {
    super(message);
  }
}
