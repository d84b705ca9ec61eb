import { WaitTimeoutFailure } from '../common/index.js';
import { A2AHandler, A2AMethod, Call } from '../rpc/index.js';
import { ContinueTask, GetTask, SendMessage, scopeOf, type Task } from '../tasks/index.js';
import { messageRequestOf, type MessageRequest, type V03Call } from './message-request.js';
import { JsonParams } from './params.decorator.js';
import { SendParams } from './params.dto.js';
import { V03Settings } from './v03-settings.js';
import { toWireTask, type WireTask } from './wire.mapper.js';

/** `message/send` of A2A 0.3 (§7.1, requirements P3, P6). */
@A2AHandler('0.3')
export class MessageHandler {
  constructor(
    private readonly sendMessage: SendMessage,
    private readonly continueTask: ContinueTask,
    private readonly getTask: GetTask,
    private readonly settings: V03Settings,
  ) {}

  @A2AMethod('message/send')
  async send(@JsonParams() params: SendParams, @Call() call: V03Call): Promise<WireTask> {
    const { blocking = true, historyLength } = params.configuration ?? {};
    const task = await this.sent(messageRequestOf(params, call), !blocking).catch((thrown: unknown) =>
      this.asItStands(thrown, call),
    );
    return toWireTask(task, await this.getTask.history(task, historyLength));
  }

  private sent({ kind, request }: MessageRequest, returnImmediately: boolean): Promise<Task> {
    const waiting = { returnImmediately, waitBudgetMs: this.settings.waitBudgetMs };
    return kind === 'new'
      ? this.sendMessage.execute({ ...request, ...waiting })
      : this.continueTask.execute({ ...request, ...waiting });
  }

  /** A wait that ran out is no failure here: the caller gets the task and may ask for it again (requirement P3). */
  private async asItStands(thrown: unknown, call: V03Call): Promise<Task> {
    if (!(thrown instanceof WaitTimeoutFailure)) throw thrown;
    const task = await this.getTask.stored(scopeOf(call), thrown.task.taskId);
    if (!task) throw thrown;
    return task;
  }
}
