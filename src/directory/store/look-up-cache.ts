import { LRUCache } from 'lru-cache';

const MAX_ENTRIES = 5000;

/**
 * Bounds how old an answer can be when another process changed the directory; a change made by this process
 * empties the cache at once. Short, since visibility is checked on every operation (requirement H3).
 */
const MAX_AGE_MS = 1000;

/**
 * Remembers what look-ups found, since the same few assistants are addressed again and again. What was not
 * found is not remembered: strangers decide what is looked for. Whoever asks while a look-up is under way shares it,
 * so that the end of an entry's time sends one query and not one a request.
 */
export class LookUpCache<T extends object> {
  readonly #found = new LRUCache<string, T>({ max: MAX_ENTRIES, ttl: MAX_AGE_MS });
  readonly #underWay = new Map<string, Promise<T | undefined>>();

  get(key: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = this.#found.get(key);
    return found ? Promise.resolve(found) : (this.#underWay.get(key) ?? this.#ask(key, lookUp));
  }

  /** Look-ups that are under way may have seen the state before the change: nobody joins them from now on. */
  clear(): void {
    this.#underWay.clear();
    this.#found.clear();
  }

  async #ask(key: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    const asked = lookUp();
    this.#underWay.set(key, asked);
    const isCurrent = () => this.#underWay.get(key) === asked;
    try {
      const found = await asked;
      if (found && isCurrent()) this.#found.set(key, found);
      return found;
    } finally {
      if (isCurrent()) this.#underWay.delete(key);
    }
  }
}
