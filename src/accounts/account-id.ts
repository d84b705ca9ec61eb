const MAX_ACCOUNT_ID_LENGTH = 128;
/** Control characters and lone surrogates do not survive storage unchanged, so two accounts could become one. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** Whether something can be the id of an account: a non-blank text of at most 128 characters. */
export function isAccountId(value: unknown): value is string {
  if (typeof value !== 'string' || value.trim() === '') return false;
  return value.length <= MAX_ACCOUNT_ID_LENGTH && !UNSTORABLE.test(value);
}
