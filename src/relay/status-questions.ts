import { MAX_JOBS_PER_QUESTION, type StatusResult } from '../relay-protocol/index.js';

type JobAnswer = StatusResult['jobs'][number];

/** Asks about at most 50 jobs in one frame. Rejects when there is no answer. */
export type AskJobs = (jobIds: string[]) => Promise<JobAnswer[]>;

interface Question {
  jobIds: string[];
  resolve: (answers: JobAnswer[] | undefined) => void;
}

/**
 * Collects the questions that come up together and sends them in as few frames as possible, so that a hundred
 * callers who poll one computer cost it two frames. A job that two of them ask about is asked about once.
 */
export class StatusQuestions {
  private waiting: Question[] = [];

  constructor(private readonly askJobs: AskJobs) {}

  /** @returns the answers that came, or `undefined` when none of the frames it needed was answered */
  ask(jobIds: string[]): Promise<JobAnswer[] | undefined> {
    return new Promise((resolve) => {
      this.waiting.push({ jobIds, resolve });
      // Not a microtask: requests that arrived together are handled one after another in one turn of the loop.
      if (this.waiting.length === 1) setImmediate(() => void this.flush());
    });
  }

  private async flush(): Promise<void> {
    const questions = this.waiting;
    this.waiting = [];
    const jobIds = [...new Set(questions.flatMap((question) => question.jobIds))];
    const frames = new Map<string, Promise<Map<string, JobAnswer> | undefined>>();
    for (let start = 0; start < jobIds.length; start += MAX_JOBS_PER_QUESTION) {
      const asked = jobIds.slice(start, start + MAX_JOBS_PER_QUESTION);
      const answer = this.askFrame(asked);
      for (const jobId of asked) frames.set(jobId, answer);
    }
    await Promise.all(questions.map((question) => this.answer(question, frames)));
  }

  /** Answers by id; ids that were not asked for are left out, and of two answers for one id the first stands. */
  private async askFrame(asked: string[]): Promise<Map<string, JobAnswer> | undefined> {
    try {
      const open = new Set(asked);
      const answers = (await this.askJobs(asked)).filter((job) => open.delete(job.jobId));
      return new Map(answers.map((job) => [job.jobId, job]));
    } catch {
      return undefined;
    }
  }

  private async answer(
    { jobIds, resolve }: Question,
    frames: Map<string, Promise<Map<string, JobAnswer> | undefined>>,
  ): Promise<void> {
    const unique = [...new Set(jobIds)];
    const answered = await Promise.all(
      unique.map(async (jobId) => ({ jobId, frame: await frames.get(jobId) })),
    );
    if (answered.length > 0 && answered.every(({ frame }) => frame === undefined)) return resolve(undefined);
    resolve(answered.flatMap(({ jobId, frame }) => frame?.get(jobId) ?? []));
  }
}
