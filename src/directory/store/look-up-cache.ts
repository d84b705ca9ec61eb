import { LRUCache } from 'lru-cache';

const MAX_ENTRIES = 5000;

/**
 * Bounds how old an answer can be when another process changed the directory; a change made by this process
 * empties the cache at once. Short, since visibility is checked on every operation (requirement H3).
 */
const MAX_AGE_MS = 1000;

/**
 * Remembers what look-ups found, since the same few assistants are addressed again and again. What was not
 * found is not remembered: strangers decide what is looked for.
 */
export class LookUpCache<T extends object> {
  readonly #found = new LRUCache<string, T>({ max: MAX_ENTRIES, ttl: MAX_AGE_MS });
  #generation = 0;

  async get(key: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.#found.get(key);
    if (known) return known;
    const generation = this.#generation;
    const found = await lookUp();
    // A look-up that began before a change may have seen the state before it.
    if (found && generation === this.#generation) this.#found.set(key, found);
    return found;
  }

  clear(): void {
    this.#generation += 1;
    this.#found.clear();
  }
}
