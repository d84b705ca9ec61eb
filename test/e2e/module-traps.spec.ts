import { Controller, Get, Injectable, Module, Scope, VersioningType, type Provider } from '@nestjs/common';
import {
  AccountTokenVerifier,
  AgentDirectory,
  Clock,
  HelloApiModule,
  MessageQuota,
  type HelloApiParts,
  type PortProvider,
} from '../../src/index.js';
import { AgentDirectoryDouble, agentOf } from '../support/agent-directory-double.js';
import { TeamFiles, startTeamApp } from '../support/team-app.js';

class OneAssistant extends AgentDirectoryDouble {
  override readonly agents = [
    agentOf({ id: 'helper-1', username: 'ann', handle: 'helper', published: true }),
  ];
}

const directory = { provide: AgentDirectory, useClass: OneAssistant };

@Injectable()
class TeamClock extends Clock {
  now(): number {
    return Date.UTC(2030, 0, 1);
  }
}

@Controller('orders')
class TeamController {
  @Get()
  list() {
    return [];
  }
}

describe('the module in an application with versions', () => {
  const files = new TeamFiles();
  afterAll(() => files.remove());

  it.each([
    ['in the address', { type: VersioningType.URI, defaultVersion: '1' } as const],
    ['in a header', { type: VersioningType.HEADER, header: 'x-version', defaultVersion: '2' } as const],
    ['in a media type', { type: VersioningType.MEDIA_TYPE, key: 'v=' } as const],
  ])('[W1] [C1] [P1] keeps its addresses: %s', async (_, versioning) => {
    const { app, url, call } = await startTeamApp(
      [HelloApiModule.forRoot({ settings: files.settings, ports: [directory], operations: true })],
      { controllers: [TeamController], prepare: (made) => made.enableVersioning(versioning) },
    );
    try {
      const paths = [
        '/a2a/@ann/helper/.well-known/agent-card.json',
        '/@ann/helper/.well-known/agent.json',
        '/a2a/helper-1/.well-known/agent-card.json',
        '/healthz',
        '/metrics',
      ];
      const answers = await Promise.all(paths.map((path) => fetch(url + path)));
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
      const tasks = await call({ path: '/a2a/@ann/helper', method: 'ListTasks' });
      expect(tasks.body.result.tasks).toEqual([]);
      const published = await call({ path: '/a2a/helper-1', method: 'tasks/get', version: '0.3' });
      expect(published.body.error.code).toBe(-32602);
    } finally {
      await app.close();
    }
  });
});

describe('an application that uses the module wrongly', () => {
  const files = new TeamFiles();
  const others = new TeamFiles();
  afterAll(() => {
    files.remove();
    others.remove();
  });

  const startWith = async (parts: HelloApiParts) =>
    startTeamApp([HelloApiModule.forRoot({ settings: files.settings, ...parts })]);

  it('is not started when it imports the module twice', async () => {
    @Module({ imports: [HelloApiModule.forRoot({ settings: others.settings, path: 'other' })] })
    class OtherModule {}
    const both = [HelloApiModule.forRoot({ settings: files.settings }), OtherModule];
    await expect(startTeamApp(both)).rejects.toThrow(
      'HelloApiModule is imported 2 times; import it once, and the dynamic module that forRoot returned wherever else it is needed',
    );
  });

  it('is not started when it imports the class itself', async () => {
    await expect(startTeamApp([HelloApiModule])).rejects.toThrow(
      'HelloApiModule is imported without settings; import HelloApiModule.forRoot({ settings })',
    );
  });

  it('may name the same module in several places', async () => {
    const hello = HelloApiModule.forRoot({ settings: files.settings });
    @Module({ imports: [hello] })
    class OtherModule {}
    const { app } = await startTeamApp([hello, OtherModule]);
    await app.close();
  });

  class HalfVerifier {
    async verify() {
      return 'ann';
    }
  }
  @Injectable({ scope: Scope.REQUEST })
  class ScopedQuota extends MessageQuota {
    async limitOf() {
      return { limit: 1, windowMs: 1000 };
    }
  }
  @Module({ providers: [HalfVerifier], exports: [HalfVerifier] })
  class HalfModule {}

  // JavaScript forgets a method without a word.
  class HalfDirectory extends OneAssistant {}
  Object.defineProperty(HalfDirectory.prototype, 'findAccountByApiKey', { value: undefined });

  const text = 'does not extend it; extend the abstract class, from this copy of hello-api';
  it.each<[string, Provider, string]>([
    [
      'a class',
      { provide: AccountTokenVerifier, useClass: HalfVerifier },
      `The port AccountTokenVerifier is replaced by HalfVerifier, which ${text}`,
    ],
    [
      'a value',
      { provide: Clock, useValue: { now: () => 0 } },
      `The port Clock is replaced by Object, which ${text}`,
    ],
    [
      'no value',
      { provide: Clock, useValue: undefined },
      `The port Clock is replaced by undefined, which ${text}`,
    ],
    [
      'what a factory makes',
      { provide: MessageQuota, useFactory: async () => new HalfVerifier() },
      `The port MessageQuota is replaced by HalfVerifier, which ${text}`,
    ],
    [
      'a provider of another module',
      { provide: AgentDirectory, useExisting: HalfVerifier },
      `The port AgentDirectory is replaced by HalfVerifier, which ${text}`,
    ],
    [
      'a class for each request',
      { provide: MessageQuota, useClass: ScopedQuota },
      'The port MessageQuota is replaced by a provider of its own for each request; ports must be singletons',
    ],
    [
      'a class without one of its methods',
      { provide: AgentDirectory, useClass: HalfDirectory },
      'The port AgentDirectory is replaced by HalfDirectory, which has no method findAccountByApiKey',
    ],
    [
      'a value without its method',
      { provide: MessageQuota, useValue: Object.create(MessageQuota.prototype) as MessageQuota },
      'The port MessageQuota is replaced by MessageQuota, which has no method limitOf',
    ],
    [
      'a factory for each request',
      { provide: MessageQuota, useFactory: () => new ScopedQuota(), scope: Scope.TRANSIENT },
      'The port MessageQuota is replaced by a provider of its own for each request; ports must be singletons',
    ],
  ])('is not started when it replaces a port by something else: %s', async (_, port, message) => {
    const parts = { imports: [HalfModule], ports: [port as PortProvider] };
    await expect(startWith(parts)).rejects.toThrow(message);
  });

  it('may replace a port by a class whose method is a field and which injects', async () => {
    @Injectable()
    class FieldQuota extends MessageQuota {
      constructor(readonly clock: Clock) {
        super();
      }
      limitOf = async () => ({ limit: 1, windowMs: 1000 });
    }
    const { app } = await startWith({ ports: [{ provide: MessageQuota, useClass: FieldQuota }] });
    const quota = app.get<FieldQuota>(MessageQuota, { strict: false });
    expect(quota.constructor).toBe(FieldQuota);
    expect(quota.clock).toBeInstanceOf(Clock);
    await app.close();
  });

  it('may replace a port by a provider of another module, and by what a factory makes', async () => {
    @Module({ providers: [OneAssistant, TeamClock], exports: [OneAssistant, TeamClock] })
    class TeamModule {}
    const { app, url } = await startWith({
      imports: [TeamModule],
      ports: [
        { provide: AgentDirectory, useExisting: OneAssistant },
        { provide: Clock, inject: [TeamClock], useFactory: async (clock: TeamClock) => clock },
      ],
    });
    const card = await fetch(`${url}/a2a/@ann/helper/.well-known/agent-card.json`);
    expect(card.status).toBe(200);
    await app.close();
  });
});
