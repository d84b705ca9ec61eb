import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../common/index.js';
import { BuiltRuntimes, type Runtime } from '../runtimes/index.js';
import { ConversationStore, JobStore, openJobDatabase, type UnitQueue } from '../storage/index.js';
import { jobMethods } from './job.methods.js';
import { JobRunner } from './job.runner.js';
import { Workspaces } from './workspaces.js';

describe('the daemon on a full disk', () => {
  const clock = new SystemClock();
  let dir: string;
  let queue: UnitQueue;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hello-full-'));
    queue = await openJobDatabase(dir);
  });
  afterEach(async () => {
    await queue.close();
    rmSync(dir, { recursive: true });
  });

  /** The database refuses to grow, as on a full disk. */
  const fill = () =>
    queue.run(async (statements) => {
      const [pages] = await statements.all<{ page_count: number }>('PRAGMA page_count');
      await statements.all(`PRAGMA max_page_count = ${(pages?.page_count ?? 0) + 2}`);
    });
  const makeRoom = () => queue.run((statements) => statements.all('PRAGMA max_page_count = 1000000'));

  function setUp(runtime: Runtime, onFault: (message: string) => void) {
    const store = new JobStore(queue, clock);
    const runtimes = new BuiltRuntimes(new Map([['*', { runtime, timeoutMs: 60_000, environment: {} }]]));
    const logger = { info: () => undefined, warn: () => undefined, error: onFault };
    const guard = {
      workspaces: new Workspaces(dir, queue, clock),
      conversations: new ConversationStore(queue, clock),
      clock,
      logger,
      onDelta: () => undefined,
      stopGraceMs: 1000,
      deltaIntervalMs: 50,
    };
    let changed: (jobId: string) => void = () => undefined;
    const onChanged = (jobId: string) => changed(jobId);
    const runner = new JobRunner({ store, runtimes, guard, concurrency: 1, logger, onChanged, retryMs: 5 });
    const methods = jobMethods({
      store,
      runner,
      runtimes,
      clock,
      logger,
      queueLimit: 10,
      isDraining: () => false,
      onChanged,
      frameBytes: () => 2 ** 21,
      cancelWaitMs: 100,
    });
    const submit = async (jobId: string, text: string) =>
      methods['job.submit']?.({
        jobId,
        agent: 'a',
        contextId: 'c',
        caller: { accountId: 'u' },
        origin: 'a2a',
        interactive: false,
        message: { messageId: 'm', text },
        createdAt: new Date().toISOString(),
        expiresAt: new Date(Date.now() + 60_000).toISOString(),
      });
    const finished = (jobId: string) =>
      new Promise<void>((resolve) => {
        changed = (id) => {
          if (id === jobId && runner.activeJobs === 0) resolve();
        };
      });
    return { store, submit, finished };
  }

  it('[S8] refuses a job that it cannot store, keeps nothing of it, and takes it when there is room', async () => {
    const { store, submit, finished } = setUp(
      { run: async () => ({ state: 'succeeded', reply: 'ok' }) },
      () => undefined,
    );
    await fill();
    const text = 'x'.repeat(500_000);
    await expect(submit('j', text)).rejects.toMatchObject({ reason: 'queue_full' });
    expect(await store.reports(['j'])).toEqual([]);
    await makeRoom();
    const done = finished('j');
    await submit('j', text);
    await done;
    expect(await store.reports(['j'])).toMatchObject([{ state: 'succeeded' }]);
  });

  it('[R4] holds a result that it cannot store until it can, and tells of none before', async () => {
    let faulty: () => void = () => undefined;
    const fault = new Promise<void>((resolve) => (faulty = resolve));
    const reply = 'y'.repeat(90_000);
    const { store, submit, finished } = setUp(
      {
        run: async () => {
          await fill();
          return { state: 'succeeded', reply };
        },
      },
      (message) => {
        if (message.includes('result')) faulty();
      },
    );
    const done = finished('j');
    await submit('j', 'hello');
    await fault;
    expect(await store.reports(['j'])).toMatchObject([{ state: 'running', revision: 2 }]);
    await makeRoom();
    await done;
    expect(await store.reports(['j'])).toMatchObject([{ state: 'succeeded', revision: 3, reply }]);
  });
});
