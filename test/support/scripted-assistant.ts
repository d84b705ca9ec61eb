import { Module } from '@nestjs/common';
import { Assistant, AssistantRejection, RuntimeFailure } from '../../src/index.js';
import type { AssistantContext, AssistantJob, AssistantOptions } from '../../src/index.js';
import { isTerminal } from '../../src/a2a/index.js';
import { TaskEvents } from '../../src/tasks/index.js';
import type { OnScriptedSubmit, SeenJob } from './executors.js';

type Act =
  | { kind: 'ask'; question: string }
  | { kind: 'show'; text: string }
  | { kind: 'succeeded' | 'failed' | 'rejected'; text: string };

interface ScriptedJob {
  params: SeenJob;
  acts: Act[];
  answers: { text: string }[];
  /** Whether a run has ended, and not with a question. */
  isOver: boolean;
  wake: () => void;
}

/** An assistant of the process that does what a test tells it, in the words of `ScriptedDaemon`. */
export class ScriptedAssistant {
  readonly jobs = new Map<string, ScriptedJob>();
  /** Every job, once; a run that begins anew after a question is no new one. */
  readonly submissions: SeenJob[] = [];
  private waiters: { count: number; resolve: () => void }[] = [];
  private readonly closing = new AbortController();
  /** Of the application that runs now. */
  events: TaskEvents | undefined;

  constructor(private readonly onSubmit?: OnScriptedSubmit) {}

  async *run(job: AssistantJob, context: AssistantContext): AsyncGenerator<string> {
    const own = this.begin(job, context);
    const signal = AbortSignal.any([context.signal, this.closing.signal]);
    let shown = '';
    let asked = 0;
    let asks = false;
    try {
      for (let step = 0; ; step += 1) {
        const act = await this.actOf(own, step, signal);
        if (act.kind === 'failed') throw new RuntimeFailure(act.text);
        if (act.kind === 'rejected') throw new AssistantRejection(act.text);
        if (act.kind === 'ask') {
          asks = true;
          own.answers[asked] = { text: await context.ask(act.question) };
          asks = false;
          asked += 1;
          continue;
        }
        const text = act.kind === 'succeeded' ? act.text.slice(shown.length) : act.text;
        shown += text;
        yield text;
        if (act.kind === 'succeeded') return;
      }
    } finally {
      own.isOver = !asks;
    }
  }

  /** Resolves once that many jobs have begun. */
  async submitted(count: number): Promise<void> {
    if (this.submissions.length >= count) return;
    await new Promise<void>((resolve) => this.waiters.push({ count, resolve }));
  }

  /** Moves a job on, and waits until its task says so, or has ended otherwise. */
  async report(
    jobId: string,
    state: 'input_required' | 'failed' | 'rejected' | 'succeeded',
    { reply = '', statusText = '' }: { reply?: string; statusText?: string } = {},
  ): Promise<void> {
    const wanted = state === 'succeeded' ? 'completed' : state;
    if (this.jobs.get(jobId)?.isOver) return;
    const stored = new Promise<void>((resolve) => {
      const end = this.events?.subscribe(jobId, (event) => {
        if (event.kind !== 'changed') return;
        if (event.task.state !== wanted && !isTerminal(event.task.state)) return;
        end?.();
        resolve();
      });
    });
    if (state === 'input_required') this.act(jobId, { kind: 'ask', question: statusText });
    else this.act(jobId, { kind: state, text: state === 'succeeded' ? reply : statusText });
    await stored;
  }

  async complete(jobId: string, reply = 'done'): Promise<void> {
    await this.report(jobId, 'succeeded', { reply });
  }

  isAtWork(jobId: string): boolean {
    return this.submissions.some((seen) => seen.jobId === jobId) && this.jobs.get(jobId)?.isOver === false;
  }

  /** Shows a piece of a job's reply. */
  delta(jobId: string, _sequence: number, text: string): void {
    this.act(jobId, { kind: 'show', text });
  }

  /** Ends whatever still runs, so that a stop need not wait for it. */
  close(): void {
    this.closing.abort();
  }

  private act(jobId: string, act: Act): void {
    const job = this.jobOf(jobId);
    job.acts.push(act);
    job.wake();
  }

  private jobOf(jobId: string): ScriptedJob {
    const known = this.jobs.get(jobId);
    if (known) return known;
    const params = { jobId } as SeenJob;
    const job: ScriptedJob = { params, acts: [], answers: [], isOver: false, wake: () => undefined };
    this.jobs.set(jobId, job);
    return job;
  }

  private begin(job: AssistantJob, context: AssistantContext): ScriptedJob {
    const own = this.jobOf(job.taskId);
    if (this.submissions.includes(own.params)) return own;
    Object.assign(own.params, seen(job, context));
    this.submissions.push(own.params);
    this.waiters = this.waiters.filter(({ count, resolve }) => {
      if (this.submissions.length < count) return true;
      resolve();
      return false;
    });
    void this.onSubmit?.(own, this);
    return own;
  }

  private async actOf(job: ScriptedJob, step: number, signal: AbortSignal): Promise<Act> {
    for (;;) {
      signal.throwIfAborted();
      const act = job.acts[step];
      if (act) return act;
      await new Promise<void>((resolve) => {
        job.wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }
}

/** The job in the words of the relay. */
function seen(job: AssistantJob, { interactive }: AssistantContext): SeenJob {
  const { taskId: jobId, handle: agent, accountId, contextId, messageId, text, metadata } = job;
  return {
    jobId,
    agent,
    contextId,
    caller: { accountId },
    interactive,
    message: { messageId, text, metadata },
  };
}

/** A module with these assistants, all of which do as `script` says. */
export function scriptedModule(
  script: ScriptedAssistant,
  entries: readonly AssistantOptions[],
): new (...args: never[]) => object {
  const assistants = entries.map((entry) => {
    @Assistant(entry)
    class Scripted {
      constructor(events: TaskEvents) {
        script.events = events;
      }

      run(job: AssistantJob, context: AssistantContext): AsyncIterable<string> {
        return script.run(job, context);
      }
    }
    return Scripted;
  });

  @Module({ providers: assistants })
  class ScriptedModule {}
  return ScriptedModule;
}
