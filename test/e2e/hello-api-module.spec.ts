import { writeFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import {
  Catch,
  Controller,
  Get,
  Module,
  Post,
  Body,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { IsString } from 'class-validator';
import { TypeOrmModule, getDataSourceToken } from '@nestjs/typeorm';
import type { Response } from 'express';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { WebSocketServer, WebSocket } from 'ws';
import {
  A2AHandler,
  A2AMethod,
  AccountTokenVerifier,
  AgentDirectory,
  Caller,
  HelloApiModule,
  JobExecutor,
  MessageQuota,
  Params,
} from '../../src/index.js';
import { ScriptedDaemon } from '../support/scripted-daemon.js';
import { ScriptedExecutor, report } from '../support/scripted-executor.js';
import { AgentDirectoryDouble, agentOf } from '../support/agent-directory-double.js';
import { TeamFiles, startTeamApp } from '../support/team-app.js';

const RELAY_TOKEN = 'rt_team-laptop-0123456789abcdef0123456789ab';
const HELPER = '/a2a/@ann/helper';

@Catch()
class TeamFilter implements ExceptionFilter {
  catch(_: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ team: true });
  }
}

@Controller()
class TeamController {
  @Get('orders')
  fail(): never {
    throw new Error('of the team');
  }

  @Post('orders')
  take(@Body() body: object): object {
    return { taken: body };
  }
}

@Entity('orders')
class OrderEntity {
  @PrimaryColumn()
  id!: string;
  @Column()
  text!: string;
}

class FixedDirectory extends AgentDirectoryDouble {
  override readonly agents = [agentOf({ username: 'ann', handle: 'helper', published: true })];
}

class OpenVerifier extends AccountTokenVerifier {
  async verify(token: string): Promise<string | undefined> {
    return token.startsWith('team-') ? token.slice('team-'.length) : undefined;
  }
}

class OneMessage extends MessageQuota {
  async limitOf(accountId: string) {
    return { limit: accountId === 'guest' ? 1 : 100, windowMs: 5 * 60_000 };
  }
}

class GreetParams {
  @IsString()
  name!: string;
}

@A2AHandler('1.0')
class GreetingHandler {
  @A2AMethod('x.team/greet')
  greet(@Params() { name }: GreetParams, @Caller() caller: { accountId: string }) {
    return { greeting: `Hello ${name}, says ${caller.accountId}` };
  }
}
@Module({ providers: [GreetingHandler] })
class GreetingModule {}

const send = { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hi' }] } };
const sending = (messageId: string) => ({
  message: { ...send.message, messageId },
  configuration: { returnImmediately: true },
});

describe('HelloApiModule in an application of a team', () => {
  const files = new TeamFiles();
  const directoryFile = join(files.folder, 'directory.json');
  writeFileSync(
    directoryFile,
    JSON.stringify({
      accounts: [{ id: 'ann', username: 'ann' }],
      computers: [{ id: 'laptop', account: 'ann', relayToken: RELAY_TOKEN }],
      agents: [
        { id: 'helper-1', account: 'ann', handle: 'helper', computer: 'laptop', visibility: 'public' },
      ],
    }),
  );
  chmodSync(directoryFile, 0o600);
  afterAll(() => files.remove());

  const scripted = () => {
    const executor = new ScriptedExecutor();
    executor.onSubmit = ({ taskId }) => ({
      kind: 'accepted',
      report: report(taskId, 'completed', 1, { reply: 'Hello' }),
    });
    return executor;
  };

  it('[C2] stands under a prefix and a path, beside controllers, filters, sockets and a database of its own', async () => {
    const settings = {
      ...files.settings,
      PUBLIC_BASE_URL: 'https://team.example/api/assistants',
      DIRECTORY_FILE: directoryFile,
    };
    const { app, url, call } = await startTeamApp(
      [
        TypeOrmModule.forRoot({
          type: 'sqlite',
          database: join(files.folder, 'team.sqlite'),
          entities: [OrderEntity],
          synchronize: true,
        }),
        HelloApiModule.forRoot({ settings, path: 'assistants' }),
      ],
      {
        controllers: [TeamController],
        prepare: (made) => {
          made.setGlobalPrefix('api');
          made.useGlobalFilters(new TeamFilter());
        },
      },
    );
    const base = `${url}/api/assistants`;
    try {
      const card = await fetch(`${base}${HELPER}/.well-known/agent-card.json`);
      expect(((await card.json()) as any).supportedInterfaces[0].url).toBe(
        'https://team.example/api/assistants/a2a/@ann/helper',
      );
      const daemon = await ScriptedDaemon.connect({
        url: `${base.replace('http', 'ws')}/relay`,
        token: RELAY_TOKEN,
      });
      const sent = await call({
        path: `/api/assistants${HELPER}`,
        method: 'SendMessage',
        params: sending('m-1'),
      });
      expect(sent.body.result.task.id).toMatch(/./);
      await daemon.close();

      const refused = await call({ path: `/api/assistants${HELPER}`, method: 'GetTask', token: 'wrong' });
      expect([refused.status, refused.body]).toEqual([401, { error: expect.stringMatching(/token/) }]);
      const absent = await fetch(`${base}/a2a/@ann/nobody/.well-known/agent-card.json`);
      expect([absent.status, await absent.json()]).toEqual([404, { error: 'Not found' }]);

      expect((await fetch(`${url}/api/orders`)).status).toBe(418);
      const order = await fetch(`${url}/api/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"id":1}',
      });
      expect(await order.json()).toEqual({ taken: { id: 1 } });
      expect((await fetch(`${base}/.well-known/agent-card.json`)).status).toBe(418);
      expect((await fetch(`${base}/metrics`)).status).toBe(418);
      const own = app.get<DataSource>(getDataSourceToken());
      expect(await own.getRepository(OrderEntity).count()).toBe(0);
      expect(own.entityMetadatas.map(({ tableName }) => tableName)).toEqual(['orders']);
    } finally {
      await app.close();
    }
  });

  it('[R1] leaves other sockets to whoever listened before', async () => {
    const team = new WebSocketServer({ noServer: true });
    const { app, url } = await startTeamApp([HelloApiModule.forRoot({ settings: files.settings })], {
      prepare: (made) =>
        made.getHttpServer().on('upgrade', (request: any, socket: any, head: any) => {
          if (request.url === '/team')
            team.handleUpgrade(request, socket, head, (client) => client.send('welcome'));
          else socket.destroy();
        }),
    });
    const ws = url.replace('http', 'ws');
    try {
      const text = await new Promise((resolve, reject) => {
        const socket = new WebSocket(`${ws}/team`);
        socket.once('message', (data: Buffer) => (resolve(data.toString()), socket.close()));
        socket.once('error', reject);
      });
      expect(text).toBe('welcome');
      const refusal = await new Promise((resolve) =>
        new WebSocket(`${ws}/relay`).once('error', (error: Error) => resolve(error.message)),
      );
      expect(refusal).toMatch(/401/);
    } finally {
      await app.close();
    }
  });

  it.each([
    ['rawBody: true', { rawBody: true }, 200],
    ['bodyParser: false', { bodyParser: false }, 200],
    ['neither', {}, 500],
  ])('[W7] reads strict bodies in an application with %s', async (_, options, status) => {
    const { app, call } = await startTeamApp(
      [
        HelloApiModule.forRoot({
          settings: files.settings,
          ports: [{ provide: AgentDirectory, useClass: FixedDirectory }],
        }),
      ],
      { options },
    );
    try {
      const answer = await call({ path: HELPER, method: 'GetTask', params: { id: 'nothing' } });
      expect(answer.status).toBe(status);
      if (status === 500) expect(answer.body.error).toMatch(/\{ rawBody: true \} or \{ bodyParser: false \}/);
      else expect(answer.body.error.code).toBe(-32001);
      const large = await call({ path: HELPER, method: 'GetTask', body: `"${'x'.repeat(70_000)}"` });
      // The parser of the application, where there is one, has its own opinion of what is not an object.
      expect(large.status).toBeGreaterThanOrEqual(400);
      expect(large.status).not.toBe(200);
    } finally {
      await app.close();
    }
  });

  it('[H1] [S9] asks the ports of the team, whatever they inject, and answers its methods', async () => {
    const settings = { ...files.settings, ACCOUNT_JWT_SECRET: undefined };
    const executor = scripted();
    const { app, call } = await startTeamApp([
      HelloApiModule.forRootAsync({
        imports: [GreetingModule],
        inject: [],
        useFactory: async () => settings,
        ports: [
          { provide: AccountTokenVerifier, useClass: OpenVerifier },
          { provide: AgentDirectory, useClass: FixedDirectory },
          { provide: JobExecutor, useValue: executor },
          { provide: MessageQuota, useClass: OneMessage },
        ],
      }),
    ]);
    try {
      const asGuest = { path: HELPER, token: 'team-guest' };
      const greet = (params: object) => call({ ...asGuest, method: 'x.team/greet', params });
      const greeted = await greet({ name: 'Ann', ignored: true });
      expect(greeted.body.result).toEqual({ greeting: 'Hello Ann, says guest' });
      const { error } = (await greet({ name: 5 })).body;
      expect([error.code, error.data[0].fieldViolations[0].field]).toEqual([-32602, 'name']);
      expect((await call({ path: HELPER, token: 'foreign', method: 'x.team/greet' })).status).toBe(401);
      const sent = await call({ ...asGuest, method: 'SendMessage', params: sending('m-1') });
      expect(sent.body.result.task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(executor.orders.map(({ accountId }) => accountId)).toEqual(['guest']);
      const second = await call({ ...asGuest, method: 'SendMessage', params: sending('m-2') });
      expect([second.status, second.body.error]).toEqual([
        429,
        'At most 1 new messages in 5 minutes may be sent',
      ]);
    } finally {
      await app.close();
    }
  });
});
