import { openStoreFile, storeFolder } from '../../test/support/store-file.js';
import { Clock } from '../common/index.js';
import { TypeOrmTaskStore } from './store/typeorm-task.store.js';
import { PartialReplies } from './partial-replies.service.js';
import { TaskEvents } from './task-events.service.js';
import { TaskReports } from './task-reports.service.js';
import type { Task, TaskDraft } from './task.js';

class FixedClock extends Clock {
  now(): number {
    return 1000;
  }
}

const scope = { accountId: 'ada', agentId: 'desk' };
const draft: TaskDraft = {
  id: 't',
  scope,
  computerId: 'c',
  contextId: 'x',
  contextIsNew: true,
  retryKey: 'k',
  fingerprint: 'f',
  message: { messageId: 'm', role: 'user', parts: [{ text: 'Hello' }] },
  interactive: false,
};

describe('TaskReports', () => {
  const folder = storeFolder();
  let file: Awaited<ReturnType<typeof openStoreFile>>;
  let reports: TaskReports;
  let store: TypeOrmTaskStore;
  const events = new TaskEvents();

  beforeAll(async () => {
    file = await openStoreFile(folder.path);
    store = new TypeOrmTaskStore(file.reader, file.queue);
    reports = new TaskReports(store, events, new PartialReplies(), new FixedClock());
  });
  beforeEach(async () => {
    await store.withdraw('t');
    await store.endExpired(10, 'late', 10_000);
    await store.deleteExpired(10, 10_000);
    await store.accept(draft, { limit: 10, windowMs: 1 }, { nowMs: 1000, expiresAtMs: 9000 });
  });
  afterAll(async () => {
    await file.close();
    folder.remove();
  });

  it('[S10] cuts a reply to 100,000 characters and says so', async () => {
    await reports.take('c', { taskId: 't', state: 'completed', revision: 1, reply: '👋'.repeat(100_001) });
    const task = await store.find(scope, 't', 1000);
    expect([task?.reply, task?.replyTruncated]).toEqual(['👋'.repeat(100_000), true]);
  });

  it('[S10] passes on that the computer has cut the reply', async () => {
    const cut = { taskId: 't', state: 'completed' as const, revision: 1, reply: 'Hi', replyTruncated: true };
    expect(await reports.take('c', cut)).toMatchObject({ task: { reply: 'Hi', replyTruncated: true } });
  });

  it('bounds the explanation, and keeps the lines of a question', async () => {
    const question = 'Send it?\n\n    at noon (or later)';
    const asked = { taskId: 't', state: 'input_required' as const, revision: 1, statusText: question };
    expect(await reports.take('c', asked)).toMatchObject({ task: { statusText: question } });
    const failed = { taskId: 't', state: 'failed' as const, revision: 2, statusText: 'a'.repeat(10_000) };
    expect(await reports.take('c', failed)).toMatchObject({ task: { statusText: 'a'.repeat(4000) } });
  });

  it('[R4] tells who listens after the commit, once, and only of what applied', async () => {
    const heard: (Task | undefined)[] = [];
    const stored: Promise<Task | undefined>[] = [];
    const unsubscribe = events.subscribe('t', (event) => {
      heard.push(event.kind === 'changed' ? event.task : undefined);
      stored.push(store.find(scope, 't', 1000));
    });
    const report = { taskId: 't', state: 'working' as const, revision: 1 };
    await reports.take('c', report);
    await reports.take('c', report);
    await reports.take('another', { ...report, revision: 2 });
    unsubscribe();
    unsubscribe();
    await reports.take('c', { ...report, revision: 3 });
    expect(heard).toEqual(await Promise.all(stored));
    expect([heard.length, events.listenerCount]).toEqual([1, 0]);
  });
});

describe('TaskEvents', () => {
  it('lets no listener spoil it for the others', () => {
    const events = new TaskEvents();
    const heard: string[] = [];
    events.subscribe('t', () => {
      throw new Error('broken on purpose');
    });
    events.subscribe('t', (event) => heard.push(event.taskId));
    events.publish({ kind: 'partial', taskId: 't', computerId: 'c' });
    expect([heard, events.listenerCount]).toEqual([['t'], 2]);
  });
});
