/** A backup or a restore cannot be made. Nothing was changed; the message says what is in the way. */
export class StoreCopyError extends Error {
  override name = 'StoreCopyError';
}
