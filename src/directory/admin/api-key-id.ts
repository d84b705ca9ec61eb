const ID_DIGITS = 16;
const HASH_START = 'sha256:'.length;
const ID_FORM = /^key_([0-9a-f]{16})$/;

/**
 * What people call an API key once it is not shown anymore: the beginning of its hash. So keys of the directory file have
 * an id as well, and whoever holds a key can find out which one it is. 64 of 256 bits help nobody to guess it.
 */
export function apiKeyId(keyHash: string): string {
  return `key_${keyHash.slice(HASH_START, HASH_START + ID_DIGITS)}`;
}

/** @returns how the hash of the key begins, or `undefined` for a text that is no id of a key */
export function hashPrefixOf(id: string): string | undefined {
  const [, digits] = ID_FORM.exec(id) ?? [];
  return digits === undefined ? undefined : `sha256:${digits}`;
}
