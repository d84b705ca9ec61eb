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

  function runnerFor(runtime: Runtime, from: JobStore = store): JobRunner {
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    return new JobRunner({
      store: from,
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
        interactive: true,
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

  describe('when the stop begins while a job is taken from the line', () => {
    const begun: string[] = [];
    const noting: Runtime = {
      run: async ({ text, resumed }) => {
        begun.push(text);
        if (text === 'asks' && !resumed)
          return { state: 'input_required', question: 'Which?', checkpoint: 7 };
        return { state: 'succeeded', reply: JSON.stringify(resumed ?? text) };
      },
    };
    beforeEach(() => {
      begun.length = 0;
    });

    /** The stop begins when the job is taken, and its commit is on its way. */
    class StoppingStore extends JobStore {
      stop: () => void = () => undefined;
      override takeNext(onTaken: (jobId: string) => boolean) {
        return super.takeNext((jobId) => {
          const taken = onTaken(jobId);
          this.stop();
          return taken;
        });
      }
    }

    it.each(['before it is found', 'before its commit'])(
      '[R8] %s, it runs after the next start',
      async (when) => {
        const stopping = new StoppingStore(queue, clock);
        const runner = runnerFor(noting, stopping);
        if (when === 'before its commit') stopping.stop = () => runner.hold();
        await submit('one');
        runner.wake();
        if (when === 'before it is found') runner.hold();
        await runner.idle();
        expect(begun).toEqual([]);
        expect(await store.reports(['one'])).toMatchObject([{ state: 'queued', revision: 1 }]);

        const next = runnerFor(noting);
        expect(await store.failInterrupted()).toEqual([]);
        next.wake();
        await next.idle();
        expect(begun).toEqual(['one']);
        expect(await store.reports(['one'])).toMatchObject([{ state: 'succeeded', revision: 3 }]);
      },
    );

    it('[R8] [P6] it keeps the answer with which it was to go on', async () => {
      const first = runnerFor(noting);
      await submit('asks');
      first.wake();
      await first.idle();
      await store.giveInput('asks', { messageId: 'answer', text: 'blue' });

      const stopping = new StoppingStore(queue, clock);
      const runner = runnerFor(noting, stopping);
      stopping.stop = () => runner.hold();
      runner.wake();
      await runner.idle();
      expect(begun).toEqual(['asks']);

      const next = runnerFor(noting);
      next.wake();
      await next.idle();
      const [report] = await store.reports(['asks']);
      expect(report).toMatchObject({ state: 'succeeded', reply: '{"checkpoint":7,"answer":"blue"}' });
    });
  });
});
