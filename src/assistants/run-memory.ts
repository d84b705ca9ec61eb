import { z } from 'zod';
import { RuntimeFailure } from '../daemon/index.js';
import { AnswerPending } from './assistant.js';
import { HandedPromise, type Neglected } from './handed-promise.js';
import { asKept } from './kept-result.js';

/** Most that a waiting job may keep: questions, answers and results of `once`, as JSON. */
const MAX_KEPT_CHARACTERS = 1_000_000;

const kept = z.object({
  answered: z.array(z.object({ question: z.string(), answer: z.string() })),
  question: z.string(),
  results: z.array(z.tuple([z.string(), z.object({ value: z.unknown().optional() })])),
  shown: z.number().int().nonnegative(),
});
type Kept = z.infer<typeof kept>;

/**
 * What a run remembers of those before it: they ended with questions that were answered since. The run repeats them up
 * to the present, so that its answers are taken in their order and each must be asked for by the same question.
 */
export class RunMemory {
  private readonly answered: Kept['answered'];
  private readonly results: Map<string, { value?: unknown }>;
  private readonly named = new Set<string>();
  private readonly paused = new AbortController();
  private asked = 0;
  private pending: string | undefined;
  private broken: RuntimeFailure | undefined;
  private neglected: { promise: HandedPromise<unknown>; error: unknown } | undefined;
  private isOver = false;

  /** How many characters of output earlier runs have shown. */
  readonly shown: number;

  /**
   * @param resumed what the last run left, and the answer to its question; absent for the first run
   * @throws RuntimeFailure for what another version of the program has left
   */
  constructor(resumed?: { checkpoint: unknown; answer: string }) {
    const before = resumed && kept.safeParse(resumed.checkpoint);
    if (before && !before.success) throw changed();
    const { answered = [], results = [], shown = 0, question } = before?.data ?? {};
    this.answered = question === undefined ? [] : [...answered, { question, answer: resumed?.answer ?? '' }];
    this.results = new Map(results);
    this.shown = shown;
  }

  /** Aborted when the run has asked: whatever else it does is in vain. */
  get signal(): AbortSignal {
    return this.paused.signal;
  }

  /** The question with which the run ended. */
  get question(): string | undefined {
    return this.pending;
  }

  /**
   * What the run is handed: the result of `ask` or `once`, which it may forget to wait for.
   * @param onLate hears of failures after the end of the run, when they change nothing any more
   */
  hand<T>(work: () => T | Promise<T>, onLate: (error: unknown) => void): Promise<T> {
    const note: Neglected = (promise, error) => {
      if (!this.isOver) this.neglected ??= { promise, error };
      else if (!(error instanceof AnswerPending)) onLate(error);
    };
    return HandedPromise.of(work, note);
  }

  /** The run has ended, one way or another: what it left behind changes nothing any more. */
  close(): void {
    this.isOver = true;
  }

  /**
   * The run has returned.
   * @throws AnswerPending, RuntimeFailure as `check`; the failure of what the run started and did not wait for
   */
  end(): void {
    this.close();
    this.check();
    if (this.neglected && !this.neglected.promise.isWaitedFor) throw this.neglected.error;
  }

  /** @throws AnswerPending, RuntimeFailure when the run is over, whatever it made of the error before */
  check(): void {
    if (this.broken) throw this.broken;
    if (this.pending !== undefined) throw new AnswerPending();
  }

  /** @returns the answer, if the question was answered; `AssistantContext.ask` says the rest */
  ask(question: string): string {
    this.check();
    if (typeof question !== 'string' || question.trim() === '') {
      throw new TypeError(
        `ask: the question must be a text that is not empty, and not ${described(question)}`,
      );
    }
    const known = this.answered[this.asked];
    if (known && known.question !== question) throw (this.broken = changed());
    if (!known) {
      this.pending = question;
      this.paused.abort();
      throw new AnswerPending();
    }
    this.asked += 1;
    return known.answer;
  }

  async once<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    this.check();
    if (this.named.has(name))
      throw new Error(`once: the name ${JSON.stringify(name)} is used twice in a run`);
    this.named.add(name);
    const known = this.results.get(name);
    if (known) return structuredClone(known.value) as T;
    // As later runs will get it, so that a result that JSON changes is noticed at once.
    const result = { value: asKept(await work(), `once(${JSON.stringify(name)})`) };
    this.results.set(name, result);
    return structuredClone(result.value) as T;
  }

  /**
   * What the next run needs, to be stored with the question.
   * @param shown how many characters of output were shown so far
   * @throws RuntimeFailure when it is too much
   */
  checkpoint(shown: number): Kept {
    const results = [...this.results].map(([name, { value }]): Kept['results'][number] => [name, { value }]);
    const checkpoint = { answered: this.answered, question: this.pending ?? '', results, shown };
    if (JSON.stringify(checkpoint).length > MAX_KEPT_CHARACTERS) {
      throw new RuntimeFailure('The assistant keeps more for its next step than it may.');
    }
    return checkpoint;
  }
}

function described(question: unknown): string {
  return typeof question === 'string'
    ? 'an empty one'
    : question === undefined
      ? 'undefined'
      : `a ${typeof question}`;
}

/** An answer is only good for the question that it was given to. */
function changed(): RuntimeFailure {
  return new RuntimeFailure('The assistant was changed while this task waited for an answer.');
}
