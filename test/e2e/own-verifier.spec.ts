import { AccountTokenVerifier, AgentDirectory, HelloApiModule } from '../../src/index.js';
import { AgentDirectoryDouble, agentOf } from '../support/agent-directory-double.js';
import { TeamFiles, startTeamApp } from '../support/team-app.js';

const PUBLIC = '/a2a/@ann/helper';
const PRIVATE_CARD = '/a2a/@ann/diary/.well-known/agent-card.json';

/** Answers what the token says, as verifiers of others do. */
const ANSWERS: Record<string, () => unknown> = {
  null: () => null,
  undefined: () => undefined,
  object: () => ({ accountId: 'ann' }),
  session: () => ({ user: undefined }),
  empty: () => '',
  throws: () => {
    throw new TypeError('shard 3 of the sessions is down');
  },
  ann: () => 'ann',
};

class TeamVerifier extends AccountTokenVerifier {
  async verify(token: string): Promise<string | undefined> {
    return ANSWERS[token]?.() as string | undefined;
  }
}

class TeamDirectory extends AgentDirectoryDouble {
  override readonly agents = [
    agentOf({ id: 'helper-1', username: 'ann', handle: 'helper', published: true }),
    agentOf({ id: 'diary-1', username: 'ann', handle: 'diary', accountId: 'ann', visibility: 'private' }),
  ];
  override async findAccountByApiKey(apiKey: string): Promise<string | undefined> {
    return (apiKey === 'hi_null' ? null : { accountId: 'ann' }) as unknown as string;
  }
}

describe('a verifier of a team', () => {
  const files = new TeamFiles();
  let team: Awaited<ReturnType<typeof startTeamApp>>;

  beforeAll(async () => {
    team = await startTeamApp([
      HelloApiModule.forRoot({
        settings: { ...files.settings, ACCOUNT_JWT_SECRET: undefined },
        ports: [
          { provide: AccountTokenVerifier, useClass: TeamVerifier },
          { provide: AgentDirectory, useClass: TeamDirectory },
        ],
      }),
    ]);
  });
  afterAll(async () => {
    await team.app.close();
    files.remove();
  });

  it.each([
    ['ann', 200, 200],
    ['null', 401, 404],
    ['undefined', 401, 404],
    ['object', 503, 503],
    ['session', 503, 503],
    ['empty', 503, 503],
    ['throws', 503, 503],
  ])('[H1] [C4] lets in with the id of an account alone: %s', async (token, status, cardStatus) => {
    const own = await team.call({ path: PUBLIC, method: 'ListTasks', token });
    const published = await team.call({ path: '/a2a/helper-1', method: 'tasks/get', token, version: '0.3' });
    expect([own.status, published.status]).toEqual([status, status]);
    const card = await fetch(team.url + PRIVATE_CARD, { headers: { authorization: `Bearer ${token}` } });
    expect(card.status).toBe(cardStatus);
    expect(own.text + published.text + (await card.text())).not.toContain('shard');
  });

  it.each([
    ['hi_null', 401],
    ['hi_object', 503],
  ])(
    '[P2] lets in with the id of an account alone, when the directory is asked about %s',
    async (token, status) => {
      const answer = await team.call({ path: '/a2a/helper-1', method: 'tasks/get', token, version: '0.3' });
      expect(answer.status).toBe(status);
    },
  );
});
