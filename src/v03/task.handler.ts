import { A2AHandler, A2AMethod, Call } from '../rpc/index.js';
import { CancelTask, GetTask, scopeOf } from '../tasks/index.js';
import type { V03Call } from './message-request.js';
import { JsonParams } from './params.decorator.js';
import { TaskIdParams, TaskQueryParams } from './params.dto.js';
import { toWireTask, type WireTask } from './wire.mapper.js';

/** `tasks/get` and `tasks/cancel` of A2A 0.3 (§7.3, §7.4, requirement P5). */
@A2AHandler('0.3')
export class TaskHandler {
  constructor(
    private readonly getTask: GetTask,
    private readonly cancelTask: CancelTask,
  ) {}

  @A2AMethod('tasks/get')
  async get(@JsonParams() params: TaskQueryParams, @Call() call: V03Call): Promise<WireTask> {
    const task = await this.getTask.execute(scopeOf(call), params.id, params.historyLength);
    return toWireTask(task, task.history);
  }

  @A2AMethod('tasks/cancel')
  async cancel(@JsonParams() params: TaskIdParams, @Call() call: V03Call): Promise<WireTask> {
    const task = await this.cancelTask.execute(scopeOf(call), params.id, call.requestId);
    return toWireTask(task, await this.getTask.history(task));
  }
}
