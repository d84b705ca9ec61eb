import { Global, Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { TaskNotFoundError } from '../a2a/index.js';
import { LoginFailures, UnavailableFailure } from '../common/index.js';
import { A2AHandler, A2AMethod } from './a2a-handler.decorator.js';
import type { CallContext } from './a2a-call.js';
import { A2ADispatcher, type Dispatched } from './a2a.dispatcher.js';
import { RpcAdmission } from './rpc-admission.js';
import { RpcStatistics, type RpcOutcome } from './rpc-statistics.js';
import { RpcModule } from './rpc.module.js';
import { SseSettings } from './sse-settings.js';

@Global()
@Module({
  providers: [
    { provide: RpcAdmission, useValue: { admit: () => Promise.resolve() } },
    { provide: LoginFailures, useValue: new LoginFailures(1_000, { now: () => 0 }) },
    { provide: SseSettings, useValue: { keepaliveMs: 3000 } },
  ],
  exports: [LoginFailures, RpcAdmission, SseSettings],
})
class SurroundingsModule {}

const ended: string[] = [];

async function* numbers(failure?: Error): AsyncGenerator<number> {
  try {
    yield 1;
    yield 2;
    if (failure) throw failure;
  } finally {
    ended.push('numbers');
  }
}

@A2AHandler('0.3')
class Streams {
  @A2AMethod('count', { streams: true })
  count() {
    return Promise.resolve(numbers());
  }
  @A2AMethod('refuse', { streams: true })
  refuse(): AsyncIterable<number> {
    throw new TaskNotFoundError();
  }
  @A2AMethod('offline', { streams: true })
  offline(): AsyncIterable<number> {
    throw new UnavailableFailure('Offline');
  }
  @A2AMethod('break', { streams: true })
  break() {
    return numbers(new Error('SQLITE_CORRUPT /var/lib/secret'));
  }
  @A2AMethod('restart', { streams: true })
  restart() {
    return numbers(new UnavailableFailure('The service restarts'));
  }
  @A2AMethod('once')
  once() {
    return 1;
  }
}

const context: CallContext = {
  version: '0.3',
  caller: { accountId: 'acct-1' },
  destination: undefined,
  idempotencyKey: undefined,
  signal: new AbortController().signal,
  requestId: 'r-1',
};

describe('methods that stream', () => {
  let dispatcher: A2ADispatcher;
  let statistics: RpcStatistics;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [RpcModule, SurroundingsModule],
      providers: [Streams],
    }).compile();
    Logger.overrideLogger(false);
    const app = await module.init();
    dispatcher = app.get(A2ADispatcher);
    statistics = app.get(RpcStatistics, { strict: false });
    close = () => app.close();
  });
  afterAll(() => close());

  const dispatch = (method: string, params: unknown = {}, caller = context): Promise<Dispatched> =>
    dispatcher.dispatch(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })), caller);

  async function streamed(method: string, params?: unknown): Promise<any[]> {
    const dispatched = await dispatch(method, params);
    if (dispatched.kind !== 'stream') throw new Error('no stream');
    const answers: unknown[] = [];
    for await (const answer of dispatched.answers) answers.push(JSON.parse(answer));
    return answers;
  }

  it('[P4] answer each item under the id of the request', async () => {
    expect(await streamed('count')).toEqual([
      { jsonrpc: '2.0', id: 7, result: 1 },
      { jsonrpc: '2.0', id: 7, result: 2 },
    ]);
  });

  it('[P4] answer an error in the stream as well, be it of the method or of the parameters', async () => {
    expect(await streamed('refuse')).toMatchObject([{ id: 7, error: { code: -32001 } }]);
    expect(await streamed('count', ['x'])).toMatchObject([{ id: 7, error: { code: -32602 } }]);
  });

  it('[P4] [W5] leave a failure an HTTP status, as long as nothing has been sent', async () => {
    await expect(dispatch('offline')).rejects.toThrow(UnavailableFailure);
  });

  it('[P4] [W4] end with an error that shows nothing of its cause', async () => {
    expect((await streamed('break')).slice(2)).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'Internal error', data: expect.any(Array) } },
    ]);
    expect((await streamed('restart')).slice(2)).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'The service restarts' } },
    ]);
  });

  it('[P4] are the only ones that stream', async () => {
    const answered = async (method: string) => {
      const dispatched = await dispatch(method);
      return dispatched.kind === 'answer' ? JSON.parse(dispatched.json) : undefined;
    };
    expect(await answered('once')).toEqual({ jsonrpc: '2.0', id: 7, result: 1 });
    expect(await answered('nothing')).toMatchObject({ id: 7, error: { code: -32601 } });
  });

  /** The answers, one at a time. */
  async function opened(method: string, caller = context): Promise<AsyncIterator<string>> {
    const dispatched = await dispatch(method, {}, caller);
    if (dispatched.kind !== 'stream') throw new Error('no stream');
    return dispatched.answers[Symbol.asyncIterator]();
  }

  it('[B110] end their source when the reader stops', async () => {
    ended.length = 0;
    const answers = await opened('count');
    await answers.next();
    await answers.return?.();
    expect(ended).toEqual(['numbers']);
  });

  describe('are counted once, when they are over', () => {
    /** @returns how many more calls there were since, by how they ended */
    function counting(method: string): () => Partial<Record<RpcOutcome, number>> {
      const counted = statistics.of('0.3', method);
      const before = new Map(counted.outcomes.entries());
      const times = counted.seconds.count;
      return () => {
        const more = counted.outcomes.entries().map(([outcome, n]) => [outcome, n - before.get(outcome)!]);
        const changed = Object.fromEntries(more.filter(([, n]) => n !== 0));
        expect(counted.seconds.count - times).toBe(more.reduce((sum, [, n]) => sum + Number(n), 0));
        return changed;
      };
    }

    it.each<[string, RpcOutcome]>([
      ['count', 'ok'],
      ['break', 'internal_error'],
      ['restart', 'unavailable'],
      ['refuse', 'refused'],
    ])('[O2] by how they end: %s is %s', async (method, outcome) => {
      const counts = counting(method);
      await streamed(method);
      expect(counts()).toEqual({ [outcome]: 1 });
    });

    it('[O2] and not before', async () => {
      const counts = counting('count');
      const answers = await opened('count');
      await answers.next();
      expect(counts()).toEqual({});
      await answers.return?.();
      await answers.return?.();
      await answers.next();
      expect(counts()).toEqual({ ok: 1 });
    });

    it('[O2] by their failure, also when the reader goes away with it', async () => {
      const counts = counting('break');
      const answers = await opened('break');
      for (let item = 1; item <= 3; item += 1) await answers.next();
      await answers.return?.();
      expect(counts()).toEqual({ internal_error: 1 });
    });

    it('[O2] and not as a failure when it is the client who went away', async () => {
      const counts = counting('break');
      const client = new AbortController();
      const answers = await opened('break', { ...context, signal: client.signal });
      await answers.next();
      await answers.next();
      client.abort();
      await answers.next();
      await answers.return?.();
      expect(counts()).toEqual({ ok: 1 });
    });
  });
});
