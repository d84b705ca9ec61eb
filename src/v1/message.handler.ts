import { InvalidParamsError, TaskNotFoundError, UnsupportedOperationError } from '../a2a/index.js';
import { A2AHandler, A2AMethod, Call, retryKeyOf } from '../rpc/index.js';
import { GetTask, SendMessage, destinationOf, originOf, scopeOf } from '../tasks/index.js';
import type { MessageDto } from './message.dto.js';
import { SendMessageParams } from './params.dto.js';
import { ProtoParams } from './proto-params.decorator.js';
import { toWireTask, type WireTask } from './task.mapper.js';
import { refuseUnsupported, toMessage } from './text-rules.js';
import type { V1Call } from './v1-call.js';

/** `SendMessage` of A2A 1.0 (specification §3.1.1, requirements S1–S10). */
@A2AHandler('1.0')
export class MessageHandler {
  constructor(
    private readonly sendMessage: SendMessage,
    private readonly getTask: GetTask,
  ) {}

  @A2AMethod('SendMessage')
  async send(@ProtoParams() params: SendMessageParams, @Call() call: V1Call): Promise<{ task: WireTask }> {
    refuseUnsupported(params);
    await this.refuseContinuation(params.message, call);
    const { message, configuration } = params;
    const task = await this.sendMessage.execute({
      scope: scopeOf(call),
      destination: destinationOf(call),
      message: toMessage(message),
      contextId: message.contextId,
      interactive: false,
      ...retryKeyOf(call, message.messageId),
      returnImmediately: configuration?.returnImmediately ?? false,
      get signal() {
        return call.signal;
      },
      origin: originOf(call),
    });
    const history = await this.getTask.history(task, configuration?.historyLength);
    return { task: toWireTask(task, { history, includeArtifacts: true }) };
  }

  /** A task is one message here: naming one is an error that says whether it exists (requirement S7). */
  private async refuseContinuation({ taskId, contextId }: MessageDto, call: V1Call): Promise<void> {
    if (taskId === undefined) return;
    const task = await this.getTask.stored(scopeOf(call), taskId);
    if (!task) throw new TaskNotFoundError();
    if (contextId !== undefined && contextId !== task.contextId) {
      throw new InvalidParamsError([
        { field: 'message.contextId', description: 'is not the context of that task' },
      ]);
    }
    throw new UnsupportedOperationError('A task takes one message; send a new one in its context instead');
  }
}
