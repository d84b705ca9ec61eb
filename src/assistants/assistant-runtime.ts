import { HttpException, Logger } from '@nestjs/common';
import { HttpFailure, asError, describeError, stackOf } from '../common/index.js';
import {
  RuntimeFailure,
  type Runtime,
  type RuntimeHost,
  type RuntimeJob,
  type RuntimeOutcome,
} from '../daemon/index.js';
import { AssistantRejection, type AssistantContext, type AssistantJob } from './assistant.js';
import { ReplyOutput } from './reply-output.js';
import { RunMemory } from './run-memory.js';

const logger = new Logger('Assistants');

/** The `run` of an assistant behind Nest's guards and interceptors; gives its parts to `output`. */
export type RunThroughNest = (
  job: AssistantJob,
  context: AssistantContext,
  output: RunOutput,
) => Promise<unknown>;

/** Where the parts of a run go. */
export interface RunOutput {
  /** `run` is called: no guard or interceptor stood in its place. */
  begin(): void;
  /** @throws AnswerPending, or the reason of an abort, when the run is to end */
  add(part: unknown): void;
}

/** An assistant of this process as a runtime of the daemon, which keeps all promises but those of `ask` and `once`. */
export class AssistantRuntime implements Runtime {
  constructor(private readonly runThroughNest: RunThroughNest) {}

  async run(job: RuntimeJob, host: RuntimeHost): Promise<RuntimeOutcome> {
    const memory = new RunMemory(job.resumed);
    const output = new ReplyOutput((text) => host.emit(text), memory.shown);
    let begun = false;
    try {
      await this.runThroughNest(jobOf(job), contextOf(job, host, memory), {
        begin: () => (begun = true),
        add: (part) => {
          host.signal.throwIfAborted();
          memory.check();
          output.add(part);
        },
      });
      // A run that swallowed the sign to end, or did not wait for it, has ended all the same.
      memory.end();
      if (!begun) throw new RuntimeFailure('The assistant did not run: an interceptor answered in its place');
    } catch (error) {
      memory.close();
      return endOf(asError(error), memory, output);
    }
    const { text: reply, truncated } = output;
    const remember = [turn('user', job.text), turn('assistant', reply)];
    return { state: 'succeeded', reply, remember, ...(truncated && { replyTruncated: true }) };
  }
}

/** @throws the error of a run that failed */
function endOf(error: Error, memory: RunMemory, output: ReplyOutput): RuntimeOutcome {
  const { question } = memory;
  if (question !== undefined) {
    return { state: 'input_required', question, checkpoint: memory.checkpoint(output.shownInAll) };
  }
  if (isRejection(error)) return { state: 'rejected', statusText: error.message };
  throw error;
}

/** Refusals below 500 say what the caller did wrong: those of guards, for the most part. */
function isRejection(error: Error): boolean {
  if (error instanceof HttpException) return error.getStatus() < 500;
  return error instanceof AssistantRejection || (error instanceof HttpFailure && error.status < 500);
}

function jobOf({ jobId, agent, accountId, contextId, messageId, text, metadata }: RuntimeJob): AssistantJob {
  return { taskId: jobId, handle: agent, accountId, contextId, messageId, text, metadata };
}

function contextOf(job: RuntimeJob, host: RuntimeHost, memory: RunMemory): AssistantContext {
  const onLate = (error: unknown) =>
    logger.error({
      msg: 'work that a run did not wait for has failed',
      taskId: job.jobId,
      error: describeError(error),
      stack: stackOf(error),
    });
  return {
    signal: AbortSignal.any([host.signal, memory.signal]),
    interactive: job.interactive,
    ask: (question) => memory.hand(() => memory.ask(question), onLate),
    once: (name, work) => memory.hand(() => memory.once(name, work), onLate),
    conversation: () => memory.hand(() => host.conversation(), onLate),
  };
}

function turn<R extends 'user' | 'assistant'>(role: R, content: string): { role: R; content: string } {
  return { role, content };
}
