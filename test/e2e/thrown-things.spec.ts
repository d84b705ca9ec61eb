import { Module } from '@nestjs/common';
import {
  A2AHandler,
  A2AMethod,
  Assistant,
  OnTaskEvent,
  RawParams,
  RefusedFailure,
  RuntimeFailure,
  type AssistantContext,
  type AssistantJob,
  type TaskChange,
} from '../../src/index.js';
import { ADDRESSES, TestApi, newMessage, until } from '../support/test-api.js';
import { UNREADABLE } from '../support/unreadable.js';

const circular: { self?: unknown } = {};
circular.self = circular;

/** Results that JSON cannot carry. */
const UNWRITABLE: Record<string, unknown> = {
  'a circle': circular,
  'a bigint': { count: 1n },
  'a toJSON that throws': {
    toJSON: () => {
      throw new Error('a secret of the result');
    },
  },
  'a function': () => 1,
};

const THROWN: Record<string, () => unknown> = {
  ...UNREADABLE,
  'an object': () => ({ code: 'E_STOCK', parts: ['private'] }),
  'a failure with an object': () => Object.assign(new RuntimeFailure('x'), { message: { text: 'private' } }),
  refused: () => new RefusedFailure(409, 'It was paid already'),
  unready: () => new RefusedFailure(503, 'a secret of the team'),
};

const heard: string[] = [];

@Assistant({ handle: 'desk', account: { id: 'acct-team', username: 'team' }, visibility: 'public' })
class Desk {
  async run({ text }: AssistantJob, context: AssistantContext): Promise<string> {
    if (text.startsWith('ask ')) return await context.ask(JSON.parse(text.slice(4))[0]);
    const thrown = THROWN[text];
    if (thrown) throw thrown();
    return 'done';
  }

  @OnTaskEvent('submitted')
  first(event: TaskChange): void {
    (event as { taskId: string }).taskId = 'changed';
  }

  @OnTaskEvent('submitted')
  second({ taskId }: TaskChange): void {
    heard.push(taskId);
  }

  @OnTaskEvent('finished')
  last(): void {
    throw UNREADABLE['a proxy']?.();
  }
}

@A2AHandler('1.0')
class Shop {
  @A2AMethod('x-acme/Thrown')
  thrown(@RawParams() { what }: { what: string }): void {
    throw THROWN[what]?.();
  }

  @A2AMethod('x-acme/Result')
  result(@RawParams() { what }: { what: string }): unknown {
    return UNWRITABLE[what];
  }

  @A2AMethod('x-acme/Watch', { streams: true })
  async *watch(@RawParams() { what }: { what: string }): AsyncGenerator<unknown> {
    yield 1;
    if (what in UNWRITABLE) yield UNWRITABLE[what];
    else throw UNREADABLE[what]?.();
  }
}

@Module({ providers: [Desk, Shop] })
class TeamModule {}

describe('what code of a team throws', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await TestApi.start({}, { imports: [TeamModule] });
  });
  afterAll(() => api.close());

  const send = async (text: string) => {
    const message = newMessage({ parts: [{ text }] });
    return (await api.rpc('/a2a/@team/desk', 'SendMessage', { message })).body.result.task;
  };
  const statusOf = ({ status }: any) => [status.state, status.message?.parts[0].text];
  const logged = async (...texts: string[]) => {
    const has = (line: string) => texts.every((text) => line.includes(text));
    await until(`the log has ${texts.join(' and ')}`, () => api.logs.lines.some(has), 20_000);
    return JSON.parse(api.logs.lines.find(has) as string) as Record<string, string>;
  };
  const internalError = {
    code: -32603,
    message: 'Internal error',
    data: [expect.objectContaining({ '@type': expect.any(String) })],
  };

  it.each([...Object.keys(UNREADABLE), 'an object', 'a failure with an object', 'unready'])(
    '[W4] fails the task when it is thrown by a run, and the log names the class: %s',
    async (what) => {
      const task = await send(what);
      expect(statusOf(task)).toEqual(['TASK_STATE_FAILED', 'The assistant failed unexpectedly.']);
      const line = await logged('A runtime failed', task.id, '"origin":"Desk.run"');
      expect(line['stack']).toContain('\n    at ');
      expect(line['error']).not.toMatch(/private|\[object/);
    },
  );

  it('rejects the task with its text when a run refuses with a status below 500', async () => {
    expect(statusOf(await send('refused'))).toEqual(['TASK_STATE_REJECTED', 'It was paid already']);
  });

  it.each(['[null]', '[5]', '[""]', '[" "]'])('[P6] says that a run cannot ask %s', async (question) => {
    const task = await send(`ask ${question}`);
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    await logged(task.id, 'ask: the question must be a text that is not empty');
  });

  it('[O2] is logged with the class when it comes from a listener', async () => {
    const task = await send('anything');
    await logged(`Desk.last failed at task ${task.id}`, 'something that cannot be read');
  });

  it('has its own event in each listener, whatever another one does to it', async () => {
    const task = await send('anything');
    await until('the second listener heard of it', () => heard.includes(task.id), 20_000);
    expect(await logged(`Desk.first failed at task ${task.id}`)).toHaveProperty('stack');
    expect(heard).not.toContain('changed');
  });

  it.each(Object.keys(UNREADABLE))('[W4] is an internal error when a method throws it: %s', async (what) => {
    const { status, body, text } = await api.rpc(ADDRESSES.helper, 'x-acme/Thrown', { what });
    expect([status, body.error]).toEqual([200, internalError]);
    expect(text).not.toContain('secret');
  });

  it.each([...Object.keys(UNREADABLE), ...Object.keys(UNWRITABLE)])(
    '[W4] [P4] ends a stream with an internal error, in the midst of it: %s',
    async (what) => {
      const { text } = await api.rpc(ADDRESSES.helper, 'x-acme/Watch', { what });
      const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json));
      expect(events).toEqual([
        { jsonrpc: '2.0', id: expect.anything(), result: 1 },
        { jsonrpc: '2.0', id: expect.anything(), error: internalError },
      ]);
      expect(text).not.toContain('secret');
      const requestId = /[\w-]{36}/.exec(JSON.stringify(events[1].error.data))?.[0] ?? 'no request id';
      await logged('Shop.watch failed', requestId);
    },
  );

  it.each(Object.keys(UNWRITABLE))(
    '[W4] is an internal error when a result cannot be JSON: %s',
    async (what) => {
      const { status, body, text } = await api.rpc(ADDRESSES.helper, 'x-acme/Result', { what });
      expect([status, body.error]).toEqual([200, internalError]);
      expect(text).not.toContain('secret');
      await logged('Shop.result failed');
    },
  );

  it('[O2] is counted as an internal error when a result cannot be JSON', async () => {
    const count = async () => {
      const { text } = await api.request('GET', '/metrics');
      return Number(
        /rpc_requests_total\{[^}]*x-acme\/Result[^}]*"internal_error"[^}]*\} (\d+)/.exec(text)?.[1],
      );
    };
    await api.rpc(ADDRESSES.helper, 'x-acme/Result', { what: 'a circle' });
    const before = await count();
    await api.rpc(ADDRESSES.helper, 'x-acme/Result', { what: 'a bigint' });
    expect(await count()).toBe(before + 1);
  });
});
