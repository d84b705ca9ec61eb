/**
 * Why a command changes nothing: `unknown` names an entry that is not there, `refused` an entry that may not be
 * changed so, `invalid` a value of the wrong form.
 */
export type AdminProblem = 'unknown' | 'refused' | 'invalid';

/** A change of the directory that is not made. The message is for the person at the terminal and shows no secret. */
export class DirectoryAdminError extends Error {
  override name = 'DirectoryAdminError';

  constructor(
    readonly problem: AdminProblem,
    message: string,
  ) {
    super(message);
  }
}

export const unknownEntry = (message: string) => new DirectoryAdminError('unknown', message);
export const refusedEntry = (message: string) => new DirectoryAdminError('refused', message);
export const invalidField = (message: string) => new DirectoryAdminError('invalid', message);
