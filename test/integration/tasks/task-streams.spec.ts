import { TaskNotFoundError } from '../../../src/a2a/index.js';
import { TooManyRequestsFailure, UnavailableFailure } from '../../../src/common/index.js';
import type { TaskStreamEvent } from '../../../src/tasks/index.js';
import { report } from '../../support/scripted-executor.js';
import {
  COMPUTER,
  SCOPE,
  answering,
  sending,
  startTaskSystem,
  type TaskSystem,
} from '../../support/task-system.js';

/** An event in one word or two. */
function told(event: TaskStreamEvent): string {
  switch (event.kind) {
    case 'task':
      return `task ${event.task.state}`;
    case 'status':
      return `${event.task.state}${event.final ? ' final' : ''}`;
    case 'artifact':
      return `${event.append ? '+' : '='}${event.text}${event.lastChunk ? '.' : ''}`;
  }
}

async function rest(stream: AsyncIterable<TaskStreamEvent>): Promise<string[]> {
  const events: string[] = [];
  for await (const event of stream) events.push(told(event));
  return events;
}

describe('a stream of a task', () => {
  let system: TaskSystem;
  const signal = new AbortController().signal;
  beforeEach(async () => {
    system = await startTaskSystem({ streamsPerAccount: 600 });
  });
  afterEach(async () => {
    expect([system.events.listenerCount, system.openStreams.count]).toEqual([0, 0]);
    await system.stop();
    system.remove();
  });

  function delta(taskId: string, sequence: number, text: string, computerId = COMPUTER): void {
    system.reports.takePartial(computerId, { taskId, sequence, text });
  }

  /** What a quick job does while its submission is still being answered. */
  async function runQuickly(taskId: string): Promise<void> {
    const working = system.reports.take(COMPUTER, report(taskId, 'working', 2));
    for (const [sequence, text] of ['One ', 'two ', 'three'].entries()) delta(taskId, sequence, text);
    const done = report(taskId, 'completed', 3, { reply: 'One two three' });
    await Promise.all([working, system.reports.take(COMPUTER, done)]);
  }

  it('[P4] [B113] [B87] shows everything that happens in one tick, in order, with the end last', async () => {
    system.executor.onSubmit = async ({ taskId }) => {
      await runQuickly(taskId);
      return { kind: 'accepted', report: report(taskId, 'submitted', 1) };
    };
    const stream = await system.streams.ofNewMessage(sending());
    expect(await rest(stream)).toEqual([
      'task submitted',
      'working',
      '=One ',
      '+two ',
      '+three',
      '+.',
      'completed final',
    ]);
  });

  it('[P4] shows the same to several readers, also to one who comes in the middle', async () => {
    const first = await system.streams.ofNewMessage(sending());
    const { id } = (await nextTask(first)).task;
    await system.reports.take(COMPUTER, report(id, 'working', 2));
    delta(id, 0, 'One ');
    const second = await system.streams.ofTask(SCOPE, id, signal);
    const third = await system.streams.ofTask(SCOPE, id, signal);
    delta(id, 1, 'two');
    await system.reports.take(COMPUTER, report(id, 'completed', 3, { reply: 'One two' }));
    const end = ['=One ', '+two', '+.', 'completed final'];
    expect(await rest(first)).toEqual(['working', ...end]);
    expect(await rest(second)).toEqual(['task working', ...end]);
    expect(await rest(third)).toEqual(['task working', ...end]);
  });

  it('[P4] replaces what was shown when the reply is another one, or pieces were lost', async () => {
    const stream = await system.streams.ofNewMessage(sending());
    const { id } = (await nextTask(stream)).task;
    await system.reports.take(COMPUTER, report(id, 'working', 2));
    delta(id, 0, 'One ');
    delta(id, 2, 'three');
    delta(id, 3, 'four');
    await system.reports.take(COMPUTER, report(id, 'completed', 3, { reply: 'Two' }));
    expect(await rest(stream)).toEqual(['working', '=One ', '=Two.', 'completed final']);
  });

  it('[P4] [P6] ends with a question, and goes on with the answer', async () => {
    const first = await system.streams.ofNewMessage(sending({ interactive: true }));
    const { id } = (await nextTask(first)).task;
    await system.reports.take(COMPUTER, report(id, 'input_required', 2, { statusText: 'Send it?' }));
    expect(await rest(first)).toEqual(['input_required final']);
    expect(await rest(await system.streams.ofTask(SCOPE, id, signal))).toEqual([
      'task input_required',
      'input_required final',
    ]);

    system.executor.onAnswer = async () => {
      await system.reports.take(COMPUTER, report(id, 'working', 3));
      return { kind: 'reported', report: report(id, 'working', 3) };
    };
    const second = await system.streams.ofAnswer(answering(id));
    delta(id, 0, 'Sent');
    await system.reports.take(COMPUTER, report(id, 'completed', 4, { reply: 'Sent' }));
    expect(await rest(second)).toEqual(['task input_required', 'working', '=Sent', '+.', 'completed final']);
  });

  it('[P4] [P6] shows no output before the change that it belongs to, also when an answer arrives late', async () => {
    const { id } = await system.send.execute(sending({ interactive: true }));
    await system.reports.take(COMPUTER, report(id, 'input_required', 2, { statusText: 'Send it?' }));
    system.executor.onAnswer = () => ({ kind: 'uncertain' });
    const stream = await system.streams.ofAnswer(answering(id));
    const events = rest(stream);
    delta(id, 0, 'Sent');
    await new Promise((resolve) => setImmediate(resolve));
    await system.reports.take(COMPUTER, report(id, 'working', 3));
    await system.reports.take(COMPUTER, report(id, 'completed', 4, { reply: 'Sent' }));
    expect(await events).toEqual(['task input_required', 'working', '=Sent', '+.', 'completed final']);
  });

  it('[P4] of a task that is over shows it and ends', async () => {
    const { id } = await system.send.execute(sending());
    await system.reports.take(COMPUTER, report(id, 'completed', 2, { reply: 'Done' }));
    const stream = await system.streams.ofTask(SCOPE, id, signal);
    expect(await rest(stream)).toEqual(['task completed', 'completed final']);
  });

  it('[P4] [R7] shows nothing that another computer says of its job', async () => {
    const stream = await system.streams.ofNewMessage(sending());
    const { id } = (await nextTask(stream)).task;
    await system.reports.take(COMPUTER, report(id, 'working', 2));
    delta(id, 0, 'Not yours', 'computer-2');
    await system.reports.take(COMPUTER, report(id, 'failed', 3));
    expect(await rest(stream)).toEqual(['working', 'failed final']);
  });

  it('[H4] [S8] begins only when there is a task for it', async () => {
    await expect(system.streams.ofTask(SCOPE, 'nothing', signal)).rejects.toThrow(TaskNotFoundError);
    system.executor.onSubmit = () => ({ kind: 'refused', reason: 'queue_full' });
    await expect(system.streams.ofNewMessage(sending())).rejects.toThrow(UnavailableFailure);
  });

  it('[B110] leaves nothing behind when 500 readers go away, before or after the first event', async () => {
    const { id } = await system.send.execute(sending());
    for (let reader = 0; reader < 500; reader += 1) {
      const client = new AbortController();
      const stream = await system.streams.ofTask(SCOPE, id, client.signal);
      if (reader % 2 === 0) await stream.next();
      if (reader % 3 === 0) await stream.return?.();
      client.abort();
    }
    expect([system.events.listenerCount, system.openStreams.count]).toEqual([0, 0]);
    const after = await system.reports.take(COMPUTER, report(id, 'completed', 2, { reply: 'Done' }));
    expect(after.kind).toBe('applied');
  });

  it('[P7] an account has at most so many open; those that end make room', async () => {
    const { id } = await system.send.execute(sending());
    const clients = Array.from({ length: 610 }, () => new AbortController());
    const open = (client: AbortController) => system.streams.ofTask(SCOPE, id, client.signal);
    const attempts = await Promise.allSettled(clients.map(open));
    const refused = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []));
    expect(refused).toHaveLength(10);
    expect(refused[0]).toBeInstanceOf(TooManyRequestsFailure);
    for (const client of clients) client.abort();
    await (await system.streams.ofTask(SCOPE, id, signal)).return?.();
  });

  it('[P4] a reader who does not read costs places in a list, and gets the newest and the end', async () => {
    const stream = await system.streams.ofNewMessage(sending());
    const { id } = (await nextTask(stream)).task;
    for (let revision = 2; revision < 302; revision += 1) {
      await system.reports.take(COMPUTER, report(id, 'working', revision, { statusText: `${revision}` }));
      delta(id, revision - 2, 'a');
    }
    await system.reports.take(COMPUTER, report(id, 'completed', 400, { reply: 'a'.repeat(300) }));
    const events = await rest(stream);
    expect(events.length).toBeLessThan(70);
    expect(events.slice(-3)).toEqual([`=${'a'.repeat(300)}`, '+.', 'completed final']);
  });

  it('[R8] ends with a reason when the service stops, and the task stays', async () => {
    const stream = await system.streams.ofNewMessage(sending());
    const { id } = (await nextTask(stream)).task;
    const end = stream.next();
    system.openStreams.onModuleDestroy();
    await expect(end).rejects.toThrow(`The service restarts; task ${id} is saved and goes on`);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(await system.store.find(SCOPE, id, Date.now())).toMatchObject({ state: 'submitted' });
  });
});

async function nextTask(stream: AsyncIterator<TaskStreamEvent>) {
  const { value } = (await stream.next()) as IteratorResult<TaskStreamEvent, undefined>;
  if (value?.kind !== 'task') throw new Error('The first event is not the task');
  return value;
}
