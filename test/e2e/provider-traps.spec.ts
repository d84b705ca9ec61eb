import { Controller, Injectable, Module, Scope, type ModuleMetadata } from '@nestjs/common';
import { A2AHandler, A2AMethod, Assistant, OnTaskEvent, type AssistantJob } from '../../src/index.js';
import { TestApi } from '../support/test-api.js';

const team = { id: 'acct-team', username: 'team' };

class Echo {
  async run({ text }: AssistantJob): Promise<string> {
    return text;
  }
}

@Assistant({ handle: 'desk', account: team })
class Desk extends Echo {}

@Assistant({ handle: 'above', account: team })
@Injectable({ scope: Scope.REQUEST })
class RequestBelow extends Echo {}

@Injectable({ scope: Scope.REQUEST })
@Assistant({ handle: 'below', account: team })
class RequestAbove extends Echo {}

@Assistant({ handle: 'above', account: team })
@Injectable({ scope: Scope.TRANSIENT })
class TransientBelow extends Echo {}

@Injectable({ scope: Scope.TRANSIENT })
@Assistant({ handle: 'below', account: team })
class TransientAbove extends Echo {}

// JavaScript does not ask for the options.
@((Assistant as any)())
class Nameless extends Echo {}

@Controller('desk')
@Assistant({ handle: 'desk', account: team })
class DeskController extends Echo {}

@A2AHandler('1.0')
class Orders {
  @A2AMethod('x.team/orders')
  list() {
    return [];
  }
}

@A2AHandler('1.0')
@Injectable({ scope: Scope.REQUEST })
class RequestOrders extends Orders {}

@A2AHandler('1.0')
@Injectable({ scope: Scope.TRANSIENT })
class TransientOrders extends Orders {}

@Injectable()
class Ledger {
  @OnTaskEvent('finished')
  record(): void {}
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientLedger extends Ledger {}

const REMEDY = 'is made by a factory, a value or a controller; it must be listed as a class in providers';

describe('classes with a decorator that nobody could reach', () => {
  const start = async (parts: ModuleMetadata) => {
    @Module(parts)
    class Extension {}
    return await TestApi.start({}, { imports: [Extension] });
  };

  it.each<[string, ModuleMetadata, string]>([
    [
      'an assistant by a factory',
      { providers: [{ provide: 'T', useFactory: () => new Desk() }] },
      `@Assistant Desk: ${REMEDY}`,
    ],
    [
      'an assistant as a value',
      { providers: [{ provide: 'T', useValue: new Desk() }] },
      `@Assistant Desk: ${REMEDY}`,
    ],
    [
      'an assistant as a controller',
      { controllers: [DeskController] },
      `@Assistant DeskController: ${REMEDY}`,
    ],
    [
      'a handler by a factory',
      { providers: [{ provide: Orders, useFactory: () => new Orders() }] },
      `@A2AHandler Orders: ${REMEDY}`,
    ],
    [
      'a handler as a value',
      { providers: [{ provide: 'T', useValue: new Orders() }] },
      `@A2AHandler Orders: ${REMEDY}`,
    ],
    [
      'a listener by a factory',
      { providers: [{ provide: 'T', useFactory: () => new Ledger() }] },
      `@OnTaskEvent Ledger: ${REMEDY}`,
    ],
    [
      'a listener as a value',
      { providers: [{ provide: Ledger, useValue: new Ledger() }] },
      `@OnTaskEvent Ledger: ${REMEDY}`,
    ],
    [
      'an assistant without options',
      { providers: [Nameless] },
      '@Assistant Nameless: handle: is missing; account: is missing',
    ],
    [
      'an assistant above request scope',
      { providers: [RequestBelow] },
      '@Assistant RequestBelow: is request-scoped',
    ],
    [
      'an assistant below request scope',
      { providers: [RequestAbove] },
      '@Assistant RequestAbove: is request-scoped',
    ],
    [
      'an assistant above transient scope',
      { providers: [TransientBelow] },
      '@Assistant TransientBelow: is transient',
    ],
    [
      'an assistant below transient scope',
      { providers: [TransientAbove] },
      '@Assistant TransientAbove: is transient',
    ],
    [
      'a request-scoped handler',
      { providers: [RequestOrders] },
      'A2A handler RequestOrders is request-scoped',
    ],
    ['a transient handler', { providers: [TransientOrders] }, 'A2A handler TransientOrders is transient'],
    [
      'a transient listener',
      { providers: [TransientLedger] },
      '@OnTaskEvent TransientLedger.record: the class is transient',
    ],
  ])('[O1] stop the start: %s', async (_, parts, message) => {
    await expect(start(parts)).rejects.toThrow(message);
  });

  it('may be handed on under another token, and listen as a controller', async () => {
    @Controller('ledger')
    class LedgerController extends Ledger {}
    const again = (token: string) => ({ provide: token, inject: [Desk], useFactory: (desk: Desk) => desk });
    const api = await start({
      providers: [Desk, { provide: 'EXISTING', useExisting: Desk }, again('AGAIN')],
      controllers: [LedgerController],
    });
    await api.close();
  });
});
