import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ChatClient } from './chat-client.js';
import { commandReply, type Argv } from './command.runtime.js';
import { instructions } from './openai.runtime.js';
import {
  RuntimeFailure,
  type Runtime,
  type RuntimeHost,
  type RuntimeJob,
  type RuntimeOutcome,
} from './runtime.js';

/** One step; each sees the output of the one before, the first one the caller's text. */
export type WorkflowStep =
  /** Asks a model. `{{previous}}` in the prompt is replaced; without it the output before follows the prompt. */
  | { kind: 'prompt'; prompt: string; client: ChatClient; system: string | undefined }
  /** The output before is the program's input. */
  | { kind: 'command'; argv: Argv }
  | { kind: 'reply'; text: string }
  /** Asks the caller; the output before is handed on. */
  | { kind: 'approval'; question: string };

interface Progress {
  /** Index of the step that comes next. */
  step: number;
  output: string;
  replyTruncated: boolean;
}

const PREVIOUS = '{{previous}}';
const NOBODY_ANSWERS = 'This assistant asks for an approval, and in this conversation nobody can answer.';
const YES = new Set(['yes', 'y']);
const NO = new Set(['no', 'n']);

const checkpoint = z.object({
  step: z.number().int().nonnegative(),
  output: z.string(),
  replyTruncated: z.boolean(),
  workflow: z.string(),
});

/**
 * A list of steps. At an approval the whole progress is in the checkpoint, so that a job that waits outlives
 * restarts; when the steps were changed meanwhile it fails, since an approval is only good for what it was asked for.
 */
export class WorkflowRuntime implements Runtime {
  private readonly identity: string;

  constructor(private readonly steps: readonly WorkflowStep[]) {
    this.identity = identify(steps);
  }

  async run(job: RuntimeJob, host: RuntimeHost): Promise<RuntimeOutcome> {
    if (!job.resumed) {
      // Before the first step: a job that can never end well should not leave half its effects behind.
      if (!job.interactive && this.steps.some((step) => step.kind === 'approval')) {
        throw new RuntimeFailure(NOBODY_ANSWERS);
      }
      return this.goOn({ step: 0, output: job.text, replyTruncated: false }, host);
    }
    const saved = checkpoint.safeParse(job.resumed.checkpoint);
    if (!saved.success || saved.data.workflow !== this.identity) {
      throw new RuntimeFailure('The workflow was changed while this job waited for an answer.');
    }
    const answer = job.resumed.answer.trim().toLowerCase().replace(/[.!]$/, '');
    if (NO.has(answer)) return { state: 'rejected', statusText: 'The approval was declined.' };
    if (!YES.has(answer)) return this.ask(saved.data);
    return this.goOn({ ...saved.data, step: saved.data.step + 1 }, host);
  }

  private async goOn(start: Progress, host: RuntimeHost): Promise<RuntimeOutcome> {
    let progress = start;
    for (;;) {
      const step = this.steps[progress.step];
      if (!step) break;
      host.signal.throwIfAborted();
      if (step.kind === 'approval') return this.ask(progress);
      // Only what the last step says is the reply; drafts on the way are nobody's partial output.
      const isLast = progress.step === this.steps.length - 1;
      const made = await perform(step, progress.output, isLast ? host : { ...host, emit: () => undefined });
      progress = { step: progress.step + 1, output: made.reply, replyTruncated: made.replyTruncated };
    }
    return { state: 'succeeded', reply: progress.output, replyTruncated: progress.replyTruncated };
  }

  private ask(progress: Progress): RuntimeOutcome {
    const step = this.steps[progress.step];
    if (step?.kind !== 'approval')
      throw new RuntimeFailure('The workflow stopped at a step that asks nothing.');
    return {
      state: 'input_required',
      question: step.question.replaceAll(PREVIOUS, () => progress.output),
      checkpoint: { ...progress, workflow: this.identity },
    };
  }
}

type WorkingStep = Exclude<WorkflowStep, { kind: 'approval' }>;

async function perform(
  step: WorkingStep,
  previous: string,
  host: RuntimeHost,
): Promise<{ reply: string; replyTruncated: boolean }> {
  switch (step.kind) {
    case 'command':
      return commandReply(step.argv, previous, host);
    case 'reply': {
      const reply = step.text.replaceAll(PREVIOUS, () => previous);
      host.emit(reply);
      return { reply, replyTruncated: false };
    }
    case 'prompt': {
      const content = step.prompt.includes(PREVIOUS)
        ? step.prompt.replaceAll(PREVIOUS, () => previous)
        : `${step.prompt}\n\n${previous}`;
      const messages = [...instructions(step.system), { role: 'user' as const, content }];
      return step.client.complete(messages, (text) => host.emit(text), host.signal);
    }
  }
}

/** Clients hold keys and are left out: a new key does not change what was approved. */
function identify(steps: readonly WorkflowStep[]): string {
  const content = steps.map((step) => ({ ...step, client: undefined }));
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
