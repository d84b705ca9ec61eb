import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const HASH_PREFIX = 'sha256:';
const HASH_PATTERN = /^sha256:[0-9a-f]{64}$/;

/**
 * What is stored in place of a secret: `sha256:<hex>`. The secrets of this system are random and long,
 * so that one fast hash is enough.
 */
export function hashSecret(secret: string): string {
  return HASH_PREFIX + createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Whether a text has the form of a stored hash. */
export function isSecretHash(text: string): boolean {
  return HASH_PATTERN.test(text);
}

/**
 * Compares a secret that someone sent with a stored hash, in a time that depends on neither.
 * Both sides are hashes of equal length, so that no length can be measured and nothing throws.
 */
export function secretMatches(presented: string, storedHash: string): boolean {
  const left = createHash('sha256').update(hashSecret(presented)).digest();
  const right = createHash('sha256').update(storedHash).digest();
  return timingSafeEqual(left, right);
}

/** A new secret: a prefix that says what it opens, then 32 random bytes. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}
