import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../common/index.js';
import { BuiltRuntimes, type Runtime } from '../runtimes/index.js';
import { ConversationStore, JobStore, openJobDatabase, type UnitQueue } from '../storage/index.js';
import { JobRunner } from './job.runner.js';
import { Workspaces } from './workspaces.js';

describe('the runner of jobs', () => {
  const clock = new SystemClock();
  let dir: string;
  let queue: UnitQueue;
  let store: JobStore;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hello-runner-'));
    queue = await openJobDatabase(dir);
    store = new JobStore(queue, clock);
  });
  afterEach(async () => {
    await queue.close();
    rmSync(dir, { recursive: true });
  });

  function runnerFor(runtime: Runtime): JobRunner {
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    return new JobRunner({
      store,
      runtimes: new BuiltRuntimes(new Map([['*', { runtime, timeoutMs: 60_000, environment: {} }]])),
      guard: {
        workspaces: new Workspaces(dir, queue, clock),
        conversations: new ConversationStore(queue, clock),
        clock,
        logger,
        onDelta: () => undefined,
        stopGraceMs: 1000,
        deltaIntervalMs: 50,
      },
      concurrency: 1,
      logger,
      onChanged: () => undefined,
      retryMs: 5,
    });
  }

  const submit = (jobId: string) =>
    store.submit(
      {
        jobId,
        agent: 'a',
        contextId: jobId,
        caller: { accountId: 'u' },
        origin: 'a2a',
        interactive: false,
        message: { messageId: 'm', text: jobId },
        createdAt: new Date(clock.now()).toISOString(),
        expiresAt: new Date(clock.now() + 60_000).toISOString(),
      },
      jobId,
      () => 10,
    );

  it('[R6] a job that comes while every place is taken, and nothing else happens, runs when a place is free', async () => {
    const events = new EventEmitter();
    const released = once(events, 'release');
    const started = { one: once(events, 'one'), two: once(events, 'two') };
    const runner = runnerFor({
      run: async ({ text }) => {
        events.emit(text);
        await released;
        return { state: 'succeeded', reply: text };
      },
    });
    await submit('one');
    runner.wake();
    await started.one;

    await submit('two');
    runner.wake();
    events.emit('release');
    await started.two;
    await runner.idle();
    const reports = await store.reports(['one', 'two']);
    expect(reports.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  });
});
