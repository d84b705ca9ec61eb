/** Tells those who keep something of the directory that it has changed. Lives as long as the application. */
export class DirectoryEvents {
  readonly #listeners = new Set<() => void>();

  /**
   * @param listener called after a new state of the directory is on disk; must not throw
   * @returns removes the listener
   */
  onReloaded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announceReloaded(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
