import { hashSecret } from '../../common/index.js';
import { DirectoryFileError } from './directory-file.errors.js';
import { parseDirectoryFile } from './parse-directory-file.js';

const HASH = hashSecret('another secret');

/** A file that is right, in which a test spoils one thing. */
function sample() {
  return {
    accounts: [
      { id: 'acct-alice', username: 'alice' },
      { id: 'acct-bob', username: 'bob' },
    ] as object[],
    computers: [{ id: 'alice-laptop', account: 'acct-alice', relayToken: 'rt_secret-1' }] as object[],
    agents: [agent({})] as object[],
    apiKeys: [{ account: 'acct-bob', key: 'hi_secret-2' }] as object[],
  };
}

function agent(fields: object): object {
  return { id: 'agent-1', account: 'acct-alice', handle: 'helper', computer: 'alice-laptop', ...fields };
}

function problemsOf(file: unknown): readonly string[] {
  try {
    parseDirectoryFile(typeof file === 'string' ? file : JSON.stringify(file));
  } catch (error) {
    if (error instanceof DirectoryFileError) return error.problems;
    throw error;
  }
  return [];
}

const problemsWith = (part: Partial<ReturnType<typeof sample>>) => problemsOf({ ...sample(), ...part });
const withAgent = (fields: object) => problemsWith({ agents: [agent(fields)] });

describe('parseDirectoryFile', () => {
  it('reads YAML and hashes every secret [C5] [R1] [P2]', () => {
    const content = parseDirectoryFile(`
accounts:
  - { id: acct-alice, username: alice }
computers:
  - { id: alice-laptop, account: acct-alice, relayToken: rt_one }
  - { id: alice-desk, account: acct-alice, relayTokenHash: "${HASH}" }
agents:
  - id: 6f0c1f5e-0000-4000-8000-000000000001
    account: acct-alice
    handle: helper
    computer: alice-laptop
    visibility: link
    linkKey: open-sesame
    published: false
    name: Helper
    version: "1.0.0"
    skills: [{ id: chat, name: Chat, description: Talks, tags: [talk], examples: [Hello] }, { id: sum, name: Sums }]
apiKeys:
  - { account: acct-alice, key: hi_two }
  - { account: acct-alice, keyHash: "${HASH}" }
`);
    expect(content).toEqual({
      accounts: [{ id: 'acct-alice', username: 'alice' }],
      computers: [
        { id: 'alice-laptop', accountId: 'acct-alice', relayTokenHash: hashSecret('rt_one') },
        { id: 'alice-desk', accountId: 'acct-alice', relayTokenHash: HASH },
      ],
      agents: [
        {
          id: '6f0c1f5e-0000-4000-8000-000000000001',
          accountId: 'acct-alice',
          computerId: 'alice-laptop',
          handle: 'helper',
          visibility: 'link',
          linkKeyHash: hashSecret('open-sesame'),
          published: false,
          name: 'Helper',
          description: null,
          version: '1.0.0',
          skills: [
            { id: 'chat', name: 'Chat', description: 'Talks', tags: ['talk'], examples: ['Hello'] },
            { id: 'sum', name: 'Sums', description: 'Sums', tags: ['sum'] },
          ],
        },
      ],
      apiKeys: [
        { keyHash: hashSecret('hi_two'), accountId: 'acct-alice' },
        { keyHash: HASH, accountId: 'acct-alice' },
      ],
    });
  });

  it('reads JSON, indented with tabs as well', () => {
    expect(parseDirectoryFile(JSON.stringify(sample(), null, '\t')).agents).toHaveLength(1);
  });

  it('[B55] takes null for absent, and makes an assistant private and not published by default', () => {
    const nulls = {
      description: null,
      skills: null,
      version: null,
      name: null,
      visibility: null,
      linkKey: null,
    };
    expect(parseDirectoryFile(JSON.stringify({ ...sample(), agents: [agent(nulls)] })).agents).toEqual([
      expect.objectContaining({ description: null, skills: [], visibility: 'private', published: false }),
    ]);
    expect(problemsOf({ accounts: [], computers: null, agents: null, apiKeys: null })).toEqual([]);
  });

  it.each([
    [{ visibility: 'public' }, true],
    [{ visibility: 'link', linkKey: 'key' }, false],
    [{ visibility: 'private' }, false],
    [{ visibility: 'public', published: false }, false],
    [{ visibility: 'private', published: true }, true],
  ])('[P1] publishes what is public unless told otherwise: %j', (entry, published) => {
    const [parsed] = parseDirectoryFile(JSON.stringify({ ...sample(), agents: [agent(entry)] })).agents;
    expect(parsed?.published).toBe(published);
  });

  it('[O1] refuses a computer of the name that assistants in code run on', () => {
    const computer = { id: 'in-process', account: 'acct-alice', relayToken: 'rt_secret-1' };
    expect(problemsOf({ ...sample(), agents: [], computers: [computer] })).toEqual([
      'computers[0].id: must not be in-process, which is the name of the computer on which assistants in code run',
    ]);
  });

  it('[B21] takes ids like __proto__ for text like any other', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const file = {
      accounts: names.map((id, index) => ({ id, username: `user-${index}` })),
      computers: names.map((id) => ({ id, account: id, relayToken: `rt_${id}` })),
      agents: names.map((id) => ({ id, account: id, computer: id, handle: 'helper' })),
    };
    expect(parseDirectoryFile(JSON.stringify(file)).agents.map(({ id }) => id)).toEqual(names);
    expect(withAgent({ account: '__proto__' })).toContain('agents[0].account: is not an id of accounts');
  });

  it.each<[string, object, string]>([
    [
      'upper case',
      { handle: 'Helper' },
      'agents[0].handle: must be 1 to 64 lower-case letters, digits, - or _, beginning with a letter or digit',
    ],
    ['a number for text', { version: 1 }, 'agents[0].version: must be text'],
    ['a missing field', { handle: undefined }, 'agents[0].handle: is missing'],
    ['an unknown key', { visibilty: 'public' }, 'agents[0].visibilty: is not known'],
    [
      'an unknown visibility',
      { visibility: 'open' },
      'agents[0].visibility: must be public, link or private',
    ],
    ['text for a flag', { published: 'no' }, 'agents[0].published: must be true or false'],
    ['an id like an address', { id: '@alice' }, 'agents[0].id: must not begin with @'],
    ['an id that is a path', { id: '..' }, 'agents[0].id: must not be a path'],
    ['a blank id', { id: '' }, 'agents[0].id: must not be empty'],
    ['an id of blanks', { id: ' ' }, 'agents[0].id: must not begin or end with a blank'],
    ['a long id', { id: 'x'.repeat(129) }, 'agents[0].id: must have at most 128 characters'],
    ['no link key', { visibility: 'link' }, 'agents[0].linkKey: give either linkKey or linkKeyHash'],
    [
      'two link keys',
      { linkKey: 'a', linkKeyHash: HASH },
      'agents[0].linkKey: give either linkKey or linkKeyHash',
    ],
    [
      'a hash of no known form',
      { linkKeyHash: 'md5:1' },
      'agents[0].linkKeyHash: must be sha256: and 64 lower-case hex digits',
    ],
    ['a skill without a name', { skills: [{ id: 'a' }] }, 'agents[0].skills[0].name: is missing'],
    ['an unknown computer', { computer: 'nowhere' }, 'agents[0].computer: is not an id of computers'],
    ["another account's computer", { account: 'acct-bob' }, 'agents[0].computer: belongs to another account'],
  ])('names entry and field of %s', (_name, fields, problem) => {
    expect(withAgent(fields)).toEqual([problem]);
  });

  it.each<[string, Partial<ReturnType<typeof sample>>, string]>([
    [
      'username',
      { accounts: [...sample().accounts, { id: 'acct-c', username: 'bob' }] },
      'accounts[2].username: is the same as that of accounts[1]',
    ],
    [
      'account',
      { accounts: [...sample().accounts, { id: 'acct-bob', username: 'c' }] },
      'accounts[2].id: is the same as that of accounts[1]',
    ],
    [
      'address',
      { agents: [agent({}), agent({ id: 'agent-2' })] },
      'agents[1].handle: is the same as that of agents[0]',
    ],
    [
      'agent id',
      { agents: [agent({}), agent({ handle: 'other' })] },
      'agents[1].id: is the same as that of agents[0]',
    ],
    [
      'relay token, also in clear and hashed',
      {
        computers: [
          ...sample().computers,
          { id: 'desk', account: 'acct-bob', relayTokenHash: hashSecret('rt_secret-1') },
        ],
      },
      'computers[1].relayToken: is the same as that of computers[0]',
    ],
    [
      'API key',
      { apiKeys: [...sample().apiKeys, ...sample().apiKeys] },
      'apiKeys[1].key: is the same as that of apiKeys[0]',
    ],
  ])('refuses the same %s twice', (_name, part, problem) => {
    expect(problemsWith(part)).toEqual([problem]);
  });

  it('[H2] refuses secrets without their prefix and shows none of them', () => {
    const problems = problemsWith({
      computers: [{ id: 'alice-laptop', account: 'acct-alice', relayToken: 'hi_secret-1' }],
      apiKeys: [{ account: 'acct-bob', key: 'rt_secret-2' }],
    });
    expect(problems).toEqual([
      'computers[0].relayToken: must be visible ASCII text that begins with rt_',
      'apiKeys[0].key: must be visible ASCII text that begins with hi_',
    ]);
  });

  it('requires exactly one of a secret and its hash', () => {
    expect(problemsWith({ apiKeys: [{ account: 'acct-bob' }] })).toEqual([
      'apiKeys[0].key: give either key or keyHash',
    ]);
    expect(
      problemsWith({
        computers: [{ id: 'alice-laptop', account: 'acct-alice', relayToken: 'rt_a', relayTokenHash: HASH }],
      }),
    ).toEqual(['computers[0].relayToken: give either relayToken or relayTokenHash']);
  });

  it.each(['', '   \n', '# nothing\n', 'null', '[]', 'text', '42'])(
    'refuses a file without content, which would deactivate everything: %j',
    (source) => {
      expect(problemsOf(source)).toEqual(['the file: must be a mapping with the key accounts']);
    },
  );

  it('requires the list of accounts', () => {
    expect(problemsOf('{}')).toEqual(['accounts: is missing']);
    expect(problemsOf('accounts: { id: a }')).toEqual(['accounts: must be a list']);
  });

  it('[H2] tells where the YAML is broken without quoting the file', () => {
    expect(problemsOf('accounts: []\ncomputers: [{ relayToken: rt_secret-1 ]\n')).toEqual([
      expect.stringMatching(/^line 2, column \d+: is not valid YAML \([A-Z_]+\)$/),
    ]);
  });

  it('refuses a key that stands twice, instead of taking the last one', () => {
    expect(problemsOf('accounts: []\naccounts: []\n')).toEqual([
      'line 2, column 1: is not valid YAML (DUPLICATE_KEY)',
    ]);
  });

  it('[B21] refuses __proto__ as a key and changes no prototype', () => {
    expect(
      problemsOf('{"accounts": [{"id": "a", "username": "a", "__proto__": {"polluted": 1}}]}'),
    ).not.toEqual([]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('[B20] survives aliases that multiply and nesting without end', () => {
    const bomb = ['a0: &a0 [x, x]'];
    for (let level = 1; level < 30; level += 1)
      bomb.push(`a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`);
    expect(problemsOf(bomb.join('\n'))).toEqual([
      'the file: is nested too deeply or uses too many YAML aliases',
    ]);
    expect(problemsOf(`accounts: ${'['.repeat(2000)}`)).toHaveLength(1);
  });

  it('lists a bounded number of problems', () => {
    const accounts = Array.from({ length: 50 }, () => ({ id: '', username: 'a' }));
    expect(() => parseDirectoryFile(JSON.stringify({ accounts }))).toThrow(
      /accounts\[19\].id.*; and 30 more problems$/,
    );
  });
});
