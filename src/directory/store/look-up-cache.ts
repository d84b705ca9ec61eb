import { LRUCache } from 'lru-cache';

const MAX_ENTRIES = 5000;

/**
 * Remembers what look-ups found for as long as the directory has not changed, since the same few assistants are addressed
 * again and again. The version is asked for each time, so that nothing is answered that another process, a revocation or a
 * change of visibility has made untrue (requirement H3). What was not found is not remembered: strangers decide what is looked
 * for. Whoever asks while a look-up is under way shares it.
 */
export class LookUpCache<T extends object> {
  readonly #found = new LRUCache<string, T>({ max: MAX_ENTRIES });
  readonly #underWay = new Map<string, Promise<T | undefined>>();
  #version: number | undefined;

  /** @param version the directory's present one; a change that was committed before the question is in it */
  constructor(private readonly version: () => Promise<number>) {}

  async get(key: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    this.#at(await this.version());
    return this.#found.get(key) ?? (await (this.#underWay.get(key) ?? this.#ask(key, lookUp)));
  }

  /** Look-ups that are under way may have seen the state before the change: nobody joins them from now on. */
  #at(version: number): void {
    if (version === this.#version) return;
    this.#version = version;
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
