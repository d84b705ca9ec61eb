import { Module } from '@nestjs/common';
import {
  AgentDirectory,
  Assistant,
  HelloApiModule,
  MessageQuota,
  RefusedFailure,
  type Agent,
} from '../../src/index.js';
import { AgentDirectoryDouble, agentOf } from '../support/agent-directory-double.js';
import { LogCollector } from '../support/log-collector.js';
import { TeamFiles, startTeamApp } from '../support/team-app.js';
import { newMessage, until } from '../support/test-api.js';
import { UNREADABLE } from '../support/unreadable.js';

const helper = agentOf({ username: 'ann', handle: 'helper' });

/** What a directory answers, by the handle that is asked for. */
const ANSWERS: Record<string, () => unknown> = {
  helper: () => helper,
  null: () => null,
  text: () => 'helper',
  half: () => ({ id: 'half-1' }),
  odd: () => ({ ...helper, visibility: 'everybody' }),
  error: () => {
    throw new Error('a secret of the shard');
  },
  header: () => {
    throw new RefusedFailure(409, 'Moved', { 'X-Y': 'a\r\nb' });
  },
  ...Object.fromEntries(
    Object.entries(UNREADABLE).map(([name, make]) => [
      name.replaceAll(' ', '-').toLowerCase(),
      () => {
        throw make();
      },
    ]),
  ),
};

class TeamDirectory extends AgentDirectoryDouble {
  override async findByAddress(_username: string, handle: string): Promise<Agent | undefined> {
    return ANSWERS[handle]?.() as Agent | undefined;
  }
}

@Assistant({ handle: 'desk', account: { id: 'acct-team', username: 'team' }, visibility: 'public' })
class Desk {
  run = async () => 'done';
}
@Module({ providers: [Desk] })
class TeamModule {}

let limit: unknown;
class TeamQuota extends MessageQuota {
  async limitOf() {
    return limit as { limit: number; windowMs: number };
  }
}

describe('ports of a team that do not keep the rules', () => {
  const files = new TeamFiles();
  const logs = new LogCollector();
  let team: Awaited<ReturnType<typeof startTeamApp>>;

  beforeAll(async () => {
    const ports = [
      { provide: AgentDirectory, useClass: TeamDirectory },
      { provide: MessageQuota, useClass: TeamQuota },
    ];
    team = await startTeamApp(
      [HelloApiModule.forRoot({ settings: files.settings, ports, imports: [TeamModule] })],
      {
        options: { rawBody: true, logger: logs },
      },
    );
  });
  beforeEach(() => {
    logs.lines.length = 0;
  });
  afterAll(async () => {
    await team.app.close();
    files.remove();
  });

  it.each(Object.keys(ANSWERS).filter((name) => name !== 'helper' && name !== 'null'))(
    '[W5] [W4] are a 500 with the id of the request, and a line with the reason: a directory that answers %s',
    async (handle) => {
      const card = await fetch(`${team.url}/a2a/@ann/${handle}/.well-known/agent-card.json`);
      const requestId = card.headers.get('x-request-id');
      expect(requestId).toMatch(/^[\w-]{36}$/);
      expect([card.status, await card.json()]).toEqual([500, { error: 'Internal error', requestId }]);
      const call = await team.call({ path: `/a2a/@ann/${handle}`, method: 'ListTasks' });
      const internal = { error: 'Internal error', requestId: expect.stringMatching(/^[\w-]{36}$/) };
      expect([call.status, call.body]).toEqual([500, internal]);
      expect(call.text).not.toContain('secret');
      const line = logs.lines.find((candidate) => candidate.includes(call.body.requestId));
      expect(line).toMatch(/TeamDirectory\.findByAddress/);
    },
  );

  const linesOf = (requestId: string) =>
    logs.lines.filter((line) => line.includes('request completed') && line.includes(requestId));

  it.each([
    '/a2a/@ann/helper/.well-known/agent-card.json',
    '/a2a/@ann/error/.well-known/agent-card.json',
    '/a2a/@ann/helper/.well-known/agent.json',
    '/@ann/error/.well-known/agent.json',
    '/a2a/no-agent/.well-known/agent-card.json',
    '/a2a/@ann/helper/',
  ])('[O2] leave every request its one id, that of the caller, and its one line: %s', async (path) => {
    const sent = 'of-the-caller-1';
    for (const method of ['GET', 'POST', 'DELETE']) {
      logs.lines.length = 0;
      const answer = await fetch(team.url + path, { method, headers: { 'x-request-id': sent } });
      await answer.text();
      expect(answer.headers.get('x-request-id')).toBe(sent);
      await until('the line is written', async () => linesOf(sent).length > 0);
      expect(linesOf(sent)).toHaveLength(1);
    }
  });

  it('[C4] are a 404 when the directory answers null', async () => {
    const call = await team.call({ path: '/a2a/@ann/null', method: 'ListTasks' });
    expect([call.status, call.body]).toEqual([404, { error: 'Not found' }]);
  });

  it.each<[string, unknown]>([
    ['NaN', { limit: Number.NaN, windowMs: 1000 }],
    ['a negative number', { limit: -1, windowMs: 1000 }],
    ['no whole number', { limit: 1.5, windowMs: 1000 }],
    ['a text', { limit: '5', windowMs: 1000 }],
    ['a window that is none', { limit: 5, windowMs: Number.NaN }],
    ['a window of nothing', { limit: 5, windowMs: 0 }],
    ['nothing', undefined],
    ['null', null],
  ])('[S9] take no message when the quota answers %s', async (_, answer) => {
    limit = answer;
    const call = await team.call({
      path: '/a2a/@team/desk',
      method: 'SendMessage',
      params: { message: newMessage() },
    });
    expect([call.status, Object.keys(call.body)]).toEqual([503, ['error']]);
    expect(call.body.error).toContain('How many messages');
    expect(logs.lines.join('')).toContain('TeamQuota.limitOf answered no limit');
  });
});
