import { Injectable, Module, Scope } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Pruner } from '../../src/maintenance/index.js';
import { refusal } from '../../src/relay-protocol/index.js';
import { OnTaskEvent, type TaskChange, type TaskEventKind, type TaskPruned } from '../../src/index.js';
import { EXECUTORS, type Script } from '../support/executors.js';
import { TestApi, newMessage, until } from '../support/test-api.js';
import { V03Client, message03 } from '../support/v03-client.js';

@Injectable()
class Listener {
  static last: Listener;
  readonly heard: (TaskChange | TaskPruned)[] = [];
  readonly order: string[] = [];
  readonly replies: unknown[] = [];
  private release: () => void = () => undefined;
  private readonly held = new Promise<void>((resolve) => (this.release = resolve));

  constructor(private readonly module: ModuleRef) {
    Listener.last = this;
  }

  @OnTaskEvent(['submitted', 'working', 'input_required', 'finished', 'withdrawn', 'pruned'])
  onAny(event: TaskChange | TaskPruned): void {
    this.heard.push(event);
  }

  @OnTaskEvent('finished')
  onBroken(): void {
    throw new Error('broken on purpose');
  }

  @OnTaskEvent('finished', { texts: true })
  onFinished({ reply }: TaskChange): void {
    this.replies.push(reply);
  }

  @OnTaskEvent(['submitted', 'finished'])
  async onSlowly({ kind }: TaskChange): Promise<void> {
    this.order.push(`begins ${kind}`);
    if (kind === 'submitted') await this.held;
    this.order.push(`ends ${kind}`);
  }

  /** It runs on a schedule; here it is asked for. */
  get pruner(): Pruner {
    return this.module.get(Pruner, { strict: false });
  }

  goOn(): void {
    this.release();
  }
}

@Module({ providers: [Listener] })
class ListeningModule {}

const kinds = () => Listener.last.heard.map(({ kind }) => kind);
const heard = (kind: TaskEventKind) => until(`${kind} is heard`, () => kinds().includes(kind));

describe.each(EXECUTORS)('listeners to tasks, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;

  beforeEach(async () => {
    ({ api, daemon } = await start({ setup: { imports: [ListeningModule] } }));
  });
  afterEach(() => api.close());

  it('[S1] hear of each change once, in order, after the commit and without texts', async () => {
    const client = new V03Client(api);
    const atOnce = { configuration: { blocking: false } };
    const sent = await client.rpc('message/send', { message: message03(), ...atOnce });
    const task = sent.body.result;
    await daemon.report(task.id, 'input_required', { statusText: 'Really?' });
    await client.rpc('message/send', { message: message03({ taskId: task.id }), ...atOnce });
    await daemon.complete(task.id, 'secret reply');
    await heard('finished');
    expect(kinds()).toEqual(['submitted', 'working', 'input_required', 'working', 'finished']);
    expect(Listener.last.heard.at(-1)).toEqual({
      kind: 'finished',
      taskId: task.id,
      contextId: task.contextId,
      accountId: 'acct-bob',
      agentId: expect.stringMatching(/1$/),
      state: 'completed',
      statusAtMs: expect.any(Number),
    });
    expect(Listener.last.replies).toEqual(['secret reply']);
  });

  it('[S3] disturb nobody: neither one that throws nor one that takes its time', async () => {
    const answer = api.rpc('/a2a/@alice/helper', 'SendMessage', { message: newMessage() });
    await daemon.submitted(1);
    await daemon.complete(daemon.submissions[0]?.jobId ?? '');
    expect((await answer).body.result.task.status.state).toBe('TASK_STATE_COMPLETED');
    await heard('finished');
    expect(Listener.last.order).toEqual(['begins submitted']);
    Listener.last.goOn();
    await until('both are over', () => Listener.last.order.length === 4);
    expect(Listener.last.order).toEqual([
      'begins submitted',
      'ends submitted',
      'begins finished',
      'ends finished',
    ]);
  });

  it('[K2] hear that a task was pruned, and no more than its id', async () => {
    const { id } = await api.send();
    await daemon.complete(id);
    await Listener.last.pruner.runOnce({ nowMs: Date.now() + 8 * 24 * 3600 * 1000 });
    await heard('pruned');
    expect(Listener.last.heard.at(-1)).toEqual({ kind: 'pruned', taskId: id });
  });
});

/** A refusal comes from a computer; the process takes what there is a place for. */
describe('listeners to tasks that were not taken', () => {
  it('[S8] hear that a task was withdrawn, since nothing of it is kept', async () => {
    const api = await TestApi.start({}, { imports: [ListeningModule] });
    await api.daemon({
      methods: { 'job.submit': () => Promise.reject(refusal('queue_full', 'full')) },
    });
    const answer = await api.rpc('/a2a/@alice/helper', 'SendMessage', { message: newMessage() });
    expect(answer.status).toBe(503);
    await heard('withdrawn');
    expect(kinds()).toEqual(['submitted', 'withdrawn']);
    await api.close();
  });
});

describe('listeners that cannot be', () => {
  @Injectable({ scope: Scope.REQUEST })
  class Scoped {
    @OnTaskEvent('finished')
    onFinished(): void {}
  }

  @Injectable()
  class Mistyped {
    @OnTaskEvent('done' as 'finished')
    onDone(): void {}
  }

  it.each([
    [Scoped, '@OnTaskEvent Scoped.onFinished: the class is request-scoped'],
    [Mistyped, '@OnTaskEvent Mistyped.onDone: the events are submitted, working'],
  ])('[O1] stop the start, and say why', async (provider, message) => {
    @Module({ providers: [provider] })
    class Extension {}
    await expect(TestApi.start({}, { imports: [Extension] })).rejects.toThrow(message);
  });
});
