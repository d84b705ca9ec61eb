import { mapAsync } from '../common/index.js';
import { A2AHandler, A2AMethod, Call } from '../rpc/index.js';
import { GetTask, TaskStreams, scopeOf, type TaskStreamEvent } from '../tasks/index.js';
import { messageRequestOf, type V03Call } from './message-request.js';
import { JsonParams } from './params.decorator.js';
import { SendParams, TaskIdParams } from './params.dto.js';
import { toWireEvent, toWireTask, type WireEvent, type WireTask } from './wire.mapper.js';

type WireStream = AsyncIterable<WireTask | WireEvent>;

/** `message/stream` and `tasks/resubscribe` of A2A 0.3 (§7.2, §7.9, requirements P4, P6). */
@A2AHandler('0.3')
export class StreamHandler {
  constructor(
    private readonly streams: TaskStreams,
    private readonly getTask: GetTask,
  ) {}

  @A2AMethod('message/stream', { streams: true })
  async stream(@JsonParams() params: SendParams, @Call() call: V03Call): Promise<WireStream> {
    const { kind, request } = messageRequestOf(params, call);
    const events =
      kind === 'new' ? await this.streams.ofNewMessage(request) : await this.streams.ofAnswer(request);
    return this.toWire(events, params.configuration?.historyLength);
  }

  @A2AMethod('tasks/resubscribe', { streams: true })
  async resubscribe(@JsonParams() { id }: TaskIdParams, @Call() call: V03Call): Promise<WireStream> {
    return this.toWire(await this.streams.ofTask(scopeOf(call), id, call.signal));
  }

  private toWire(events: AsyncIterable<TaskStreamEvent>, historyLength?: number): WireStream {
    return mapAsync<TaskStreamEvent, WireTask | WireEvent>(events, async (event) => {
      if (event.kind !== 'task') return toWireEvent(event);
      return toWireTask(event.task, await this.getTask.history(event.task, historyLength));
    });
  }
}
