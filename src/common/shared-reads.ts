/**
 * Lets those who ask the same share one read (ADR 0016): all of one turn of the event loop, or of the time that the last
 * read of the same took. A read begins after all its askers have asked, so that none is answered from an earlier state, and
 * nothing is kept.
 */
export class SharedReads<Answer> {
  /** What is about to begin, and what has begun, by key. */
  readonly #asked = new Map<string, Promise<Answer>>();
  readonly #running = new Map<string, Promise<Answer>>();

  /**
   * @param key the same for those alone who may have the same answer
   * @param read called for one of those who share it
   * @returns the answer of all who share it; it must not be changed
   */
  ask(key: string, read: () => Promise<Answer>): Promise<Answer> {
    let answer = this.#asked.get(key);
    if (!answer) {
      answer = this.#answer(key, read);
      this.#asked.set(key, answer);
    }
    return answer;
  }

  async #answer(key: string, read: () => Promise<Answer>): Promise<Answer> {
    // Not a microtask: requests that arrived together are handled one after another in one turn of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    await this.#running.get(key)?.catch(() => undefined);
    this.#asked.delete(key);
    const running = read();
    this.#running.set(key, running);
    try {
      return await running;
    } finally {
      this.#running.delete(key);
    }
  }
}
