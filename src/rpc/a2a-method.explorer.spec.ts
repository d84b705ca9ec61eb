import { jest } from '@jest/globals';
import {
  Controller,
  Injectable,
  Logger,
  Scope,
  type CanActivate,
  type ExecutionContext,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { LoginFailures } from '../common/index.js';
import { RpcModule } from './rpc.module.js';
import { A2AHandler, A2AMethod } from './a2a-handler.decorator.js';
import { A2ADispatcher, type Dispatched } from './a2a.dispatcher.js';
import { Call, RawParams, type A2ACall, type CallContext } from './a2a-call.js';
import { RpcAdmission } from './rpc-admission.js';
import { SseSettings } from './sse-settings.js';
import { Global, Module } from '@nestjs/common';

const admitted: string[] = [];

@Global()
@Module({
  providers: [
    { provide: RpcAdmission, useValue: { admit: async (account: string) => void admitted.push(account) } },
    { provide: LoginFailures, useValue: new LoginFailures(1_000, { now: () => 0 }) },
    { provide: SseSettings, useValue: { keepaliveMs: 3000 } },
  ],
  exports: [LoginFailures, RpcAdmission, SseSettings],
})
class SurroundingsModule {}

const start = (...providers: (new (...args: never[]) => unknown)[]) =>
  Test.createTestingModule({ imports: [RpcModule, SurroundingsModule], providers })
    .compile()
    .then((module) => module.init());

const context: CallContext = {
  version: '1.0',
  caller: { accountId: 'acct-1' },
  destination: undefined,
  idempotencyKey: undefined,
  signal: new AbortController().signal,
  requestId: 'r-1',
};
const body = (method: string, params: object = {}) =>
  Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 'i', method, params }));

const seenTypes: string[] = [];

@Injectable()
class Witness implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    seenTypes.push(execution.getType());
    return true;
  }
}

@A2AHandler('1.0')
@UseGuards(Witness)
class Echo {
  @A2AMethod('Echo', 'Alias')
  echo(@RawParams() params: Record<string, unknown>, @Call() call: A2ACall) {
    return { params, account: call.caller.accountId, method: call.method };
  }
}

@A2AHandler('1.0')
class EchoAgain {
  @A2AMethod('Echo')
  again() {}
}

@A2AHandler('1.0')
class Nothing {}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {}

@A2AHandler('1.0')
class NeedsRequest {
  constructor(readonly dependency: PerRequest) {}
  @A2AMethod('Needs')
  needs() {}
}

@Injectable()
class Stray {
  @A2AMethod('Stray')
  take() {}
}

@Controller()
class StrayController {
  @A2AMethod('Stray')
  take() {}
}

@A2AHandler('2.0' as '1.0')
class OtherVersion {
  @A2AMethod('Other')
  take() {}
}

@A2AHandler('1.0')
class Nameless {
  @A2AMethod(' ')
  take() {}
}

@A2AHandler('1.0')
class Generator {
  @A2AMethod('Generator')
  async *take() {
    yield 1;
  }
}

@A2AHandler('1.0')
class Undecorated {
  @A2AMethod('Undecorated')
  take(@RawParams() _params: object, _call: A2ACall) {}
}

@A2AHandler('1.0')
class Twice {
  @A2AMethod('Twice', 'Twice')
  take() {}
}

@A2AHandler('1.0')
class Forms {
  @A2AMethod('Nothing')
  nothing() {}

  @A2AMethod('Stream')
  stream() {
    return (async function* () {
      yield 1;
    })();
  }

  @A2AMethod('List', { streams: true })
  list() {
    return [1];
  }

  @A2AMethod('Fails')
  fails() {
    throw new Error('out of tea');
  }
}

async function answerOf(dispatching: Promise<Dispatched>): Promise<unknown> {
  const dispatched = await dispatching;
  return dispatched.kind === 'answer' ? JSON.parse(dispatched.json) : undefined;
}

describe('A2A methods', () => {
  it('answers a method under each of its names, through guards of the a2a context', async () => {
    const app = await start(Echo, Witness);
    const dispatcher = app.get(A2ADispatcher);
    expect(await answerOf(dispatcher.dispatch(body('Alias', { a: 1 }), context))).toEqual({
      jsonrpc: '2.0',
      id: 'i',
      result: { params: { a: 1 }, account: 'acct-1', method: 'Alias' },
    });
    expect(seenTypes).toEqual(['a2a']);
    await app.close();
  });

  it.each(['Missing', 'constructor', 'toString', '__proto__'])(
    '[W3] [B21] knows no method %s',
    async (method) => {
      const app = await start(Echo, Witness);
      const answer = await answerOf(app.get(A2ADispatcher).dispatch(body(method), context));
      expect(answer).toMatchObject({ error: { code: -32601 } });
      await app.close();
    },
  );

  it('[S9] [B39] asks for admission once a request, also for a broken one', async () => {
    const app = await start(Echo, Witness);
    admitted.length = 0;
    await app.get(A2ADispatcher).dispatch(Buffer.from('[{},{}]'), context);
    expect(admitted).toEqual(['acct-1']);
    await app.close();
  });

  it('refuses to start when a method is answered twice, naming both', async () => {
    await expect(start(Echo, Witness, EchoAgain)).rejects.toThrow(/Echo\.echo and EchoAgain\.again/);
  });

  it('refuses to start with a handler without methods', async () => {
    await expect(start(Nothing)).rejects.toThrow(/Nothing has no method/);
  });

  it.each<[string, new (...args: never[]) => unknown, RegExp]>([
    [
      'a method outside of a handler',
      Stray,
      /^@A2AMethod Stray\.take stands in a class without @A2AHandler$/,
    ],
    ['a version that is not spoken', OtherVersion, /OtherVersion: the version "2\.0" is not spoken/],
    ['a method without a name', Nameless, /Nameless\.take: @A2AMethod needs the name of a method/],
    ['a generator that is no stream', Generator, /Generator\.take: a generator needs .*streams: true/],
    ['a parameter without a decorator', Undecorated, /Undecorated\.take: parameter 2 has no decorator/],
    ['a name that is given twice', Twice, /method Twice is answered twice by Twice\.take: its class is/],
  ])('refuses to start with %s', async (_, handler, message) => {
    await expect(start(handler)).rejects.toThrow(message);
  });

  it('refuses to start with a method in a controller', async () => {
    const module = { imports: [RpcModule, SurroundingsModule], controllers: [StrayController] };
    const compiled = await Test.createTestingModule(module).compile();
    await expect(compiled.init()).rejects.toThrow('@A2AMethod StrayController.take stands in a controller');
  });

  it('[W4] answers what returns nothing with null, and a wrong form with an internal error', async () => {
    const app = await start(Forms);
    const dispatch = async (method: string) => app.get(A2ADispatcher).dispatch(body(method), context);
    expect(await answerOf(dispatch('Nothing'))).toMatchObject({ result: null });
    expect(await answerOf(dispatch('Stream'))).toMatchObject({ error: { code: -32603 } });
    const { answers } = (await dispatch('List')) as { answers: AsyncIterable<string> };
    for await (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ error: { code: -32603 } });
    await app.close();
  });

  it('[O2] names class and method in the log of what nobody foresaw', async () => {
    const lines: unknown[] = [];
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => {
      lines.push(line);
    });
    const app = await start(Forms);
    await app.get(A2ADispatcher).dispatch(body('Fails'), context);
    const stack = expect.stringMatching(/out of tea\n +at Forms\.fails/);
    expect(lines).toEqual([{ message: 'Forms.fails failed: out of tea', requestId: 'r-1', stack }]);
    log.mockRestore();
    await app.close();
  });

  it('refuses to start with a request-scoped handler', async () => {
    await expect(start(NeedsRequest, PerRequest)).rejects.toThrow(/NeedsRequest is request-scoped/);
  });
});
