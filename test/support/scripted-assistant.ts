import { Module } from '@nestjs/common';
import { Assistant, AssistantRejection, RuntimeFailure } from '../../src/index.js';
import type { AssistantContext, AssistantJob } from '../../src/index.js';
import { TaskEvents } from '../../src/tasks/index.js';

type Act =
  | { kind: 'ask'; question: string }
  | { kind: 'show'; text: string }
  | { kind: 'succeeded' | 'failed' | 'rejected'; text: string };

interface ScriptedJob {
  acts: Act[];
  answers: { text: string }[];
  wake: () => void;
}

/** An assistant of the process that does what a test tells it, in the words of `ScriptedDaemon`. */
export class ScriptedAssistant {
  readonly jobs = new Map<string, ScriptedJob>();
  /** Every job, once; a run that begins anew after a question is no new one. */
  readonly submissions: { jobId: string }[] = [];
  private wake: () => void = () => undefined;
  /** Of the application that runs now. */
  events: TaskEvents | undefined;

  async *run(job: AssistantJob, context: AssistantContext): AsyncGenerator<string> {
    const own = this.jobOf(job.taskId);
    this.begin(job.taskId);
    let shown = '';
    let asked = 0;
    for (let step = 0; ; step += 1) {
      const act = await this.actOf(own, step, context.signal);
      if (act.kind === 'failed') throw new RuntimeFailure(act.text);
      if (act.kind === 'rejected') throw new AssistantRejection(act.text);
      if (act.kind === 'ask') {
        own.answers[asked] = { text: await context.ask(act.question) };
        asked += 1;
        continue;
      }
      const text = act.kind === 'succeeded' ? act.text.slice(shown.length) : act.text;
      shown += text;
      yield text;
      if (act.kind === 'succeeded') return;
    }
  }

  /** Resolves once that many jobs have begun. */
  async submitted(count: number): Promise<void> {
    while (this.submissions.length < count) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  /** Moves a job on, and waits until its task says so. */
  async report(
    jobId: string,
    state: 'input_required' | 'failed' | 'rejected' | 'succeeded',
    { reply = '', statusText = '' }: { reply?: string; statusText?: string } = {},
  ): Promise<void> {
    const wanted = state === 'succeeded' ? 'completed' : state;
    const stored = new Promise<void>((resolve) => {
      const end = this.events?.subscribe(jobId, (event) => {
        if (event.kind !== 'changed' || event.task.state !== wanted) return;
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

  /** Shows a piece of a job's reply. */
  delta(jobId: string, _sequence: number, text: string): void {
    this.act(jobId, { kind: 'show', text });
  }

  private act(jobId: string, act: Act): void {
    const job = this.jobOf(jobId);
    job.acts.push(act);
    job.wake();
  }

  private jobOf(jobId: string): ScriptedJob {
    const known = this.jobs.get(jobId);
    if (known) return known;
    const job: ScriptedJob = { acts: [], answers: [], wake: () => undefined };
    this.jobs.set(jobId, job);
    return job;
  }

  private begin(jobId: string): void {
    if (this.submissions.some((known) => known.jobId === jobId)) return;
    this.submissions.push({ jobId });
    this.wake();
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

/** A module with the assistant at `@alice/helper`, as `script` says. */
export function scriptedModule(script: ScriptedAssistant): new (...args: never[]) => object {
  @Assistant({
    handle: 'helper',
    account: { id: 'acct-alice', username: 'alice' },
    id: '6f0c1f5e-0000-4000-8000-000000000001',
    visibility: 'public',
    name: 'Agent helper',
  })
  class Helper {
    constructor(events: TaskEvents) {
      script.events = events;
    }

    run(job: AssistantJob, context: AssistantContext): AsyncIterable<string> {
      return script.run(job, context);
    }
  }

  @Module({ providers: [Helper] })
  class ScriptedModule {}
  return ScriptedModule;
}
