import { A2AHandler, A2AMethod, Call } from '../rpc/index.js';
import { CancelTask, GetTask, ListTasks, scopeOf } from '../tasks/index.js';
import { CancelTaskParams, GetTaskParams, ListTasksParams } from './params.dto.js';
import { ProtoParams } from './proto-params.decorator.js';
import { parseTimestamp } from './timestamp.js';
import { stateOf } from './state-names.js';
import { toWireTask, type WireTask } from './task.mapper.js';
import { refuseTenant } from './text-rules.js';
import type { V1Call } from './v1-call.js';

const DEFAULT_PAGE_SIZE = 50;

export interface WireTaskList {
  tasks: WireTask[];
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}

/** `GetTask`, `ListTasks` and `CancelTask` of A2A 1.0 (specification §3.1.3–§3.1.5, requirements G1–G5). */
@A2AHandler('1.0')
export class TaskHandler {
  constructor(
    private readonly getTask: GetTask,
    private readonly listTasks: ListTasks,
    private readonly cancelTask: CancelTask,
  ) {}

  @A2AMethod('GetTask')
  async get(@ProtoParams() params: GetTaskParams, @Call() call: V1Call): Promise<WireTask> {
    refuseTenant(params);
    const task = await this.getTask.execute(scopeOf(call), params.id, params.historyLength);
    return toWireTask(task, { history: task.history, includeArtifacts: true });
  }

  @A2AMethod('ListTasks')
  async list(@ProtoParams() params: ListTasksParams, @Call() call: V1Call): Promise<WireTaskList> {
    refuseTenant(params);
    const pageSize = params.pageSize ?? DEFAULT_PAGE_SIZE;
    const state = params.status === undefined ? undefined : stateOf(params.status);
    if (params.status === 'TASK_STATE_AUTH_REQUIRED')
      return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 };
    const includeArtifacts = params.includeArtifacts ?? false;
    const statusSinceMs = parseTimestamp(params.statusTimestampAfter);
    const page = await this.listTasks.execute({
      scope: scopeOf(call),
      filter: {
        ...(params.contextId === undefined ? {} : { contextId: params.contextId }),
        ...(state === undefined ? {} : { state }),
        ...(statusSinceMs === undefined ? {} : { statusSinceMs }),
      },
      pageSize,
      pageToken: params.pageToken,
      historyLength: params.historyLength,
      includeArtifacts,
    });
    return {
      tasks: page.tasks.map((task) => toWireTask(task, { history: task.history, includeArtifacts })),
      nextPageToken: page.nextPageToken,
      pageSize,
      totalSize: page.totalSize,
    };
  }

  @A2AMethod('CancelTask')
  async cancel(@ProtoParams() params: CancelTaskParams, @Call() call: V1Call): Promise<WireTask> {
    refuseTenant(params);
    const task = await this.cancelTask.execute(scopeOf(call), params.id, call.requestId);
    return toWireTask(task, { history: await this.getTask.history(task), includeArtifacts: true });
  }
}
