/** Bounds how much one statement reads. */
const MAX_GROUP = 64;

interface PendingQuestion<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (reason: unknown) => void;
}

/**
 * Reads by one statement what is asked for together: in one turn of the event loop, or while the last statement ran
 * (ADR 0016). A statement begins after its questions were asked, so that nothing is answered from an earlier state.
 */
export class GroupedReads<Question, Answer> {
  readonly #waiting: PendingQuestion<Question, Answer>[] = [];
  #reading = false;

  /** @param read answers several questions, in their order */
  constructor(private readonly read: (questions: Question[]) => Promise<Answer[]>) {}

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (this.#reading) return;
      this.#reading = true;
      // Not a microtask: requests that arrived together are handled one after another in one turn of the loop.
      setImmediate(() => void this.#readAll());
    });
  }

  async #readAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#readGroup(this.#waiting.splice(0, MAX_GROUP));
    this.#reading = false;
  }

  async #readGroup(group: PendingQuestion<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.read(group.map(({ question }) => question));
      group.forEach(({ resolve }, place) => resolve(answers[place] as Answer));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
