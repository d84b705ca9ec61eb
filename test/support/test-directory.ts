export const SECRET = 'a-secret-for-tests-of-at-least-32-bytes';
export const LINK_KEY = 'link+key/with=signs';
export const RELAY_TOKEN = 'rt_alice-laptop-0123456789abcdef0123456789';
export const OTHER_RELAY_TOKEN = 'rt_alice-tower-0123456789abcdef01234567890';

/** Bob's, since he calls the others' assistants. */
export const API_KEY = 'hi_bob-0123456789abcdef0123456789abcdef';

export const ADDRESSES = {
  helper: '/a2a/@alice/helper',
  tower: '/a2a/@alice/tower',
  hidden: '/a2a/@alice/hidden',
  linked: '/a2a/@alice/linked',
  absent: '/a2a/@alice/absent',
} as const;

const idOf = (number: number) => `6f0c1f5e-0000-4000-8000-00000000000${number}`;

/** The 0.3 addresses of the same assistants; all but the draft are published. */
export const PUBLISHED = {
  helper: `/a2a/${idOf(1)}`,
  tower: `/a2a/${idOf(2)}`,
  hidden: `/a2a/${idOf(3)}`,
  draft: `/a2a/${idOf(5)}`,
  absent: `/a2a/${idOf(9)}`,
} as const;

const agent = (handle: string, number: number, more: Partial<AgentEntry> = {}): AgentEntry => ({
  id: idOf(number),
  account: 'acct-alice',
  handle,
  computer: 'alice-laptop',
  visibility: 'public',
  name: `Agent ${handle}`,
  ...more,
});

interface AgentEntry {
  id: string;
  account: string;
  handle: string;
  computer: string;
  visibility: 'public' | 'link' | 'private';
  name: string;
  linkKey?: string;
  published?: boolean;
}

/** The entries of the directory file; assistants of the process may stand in their places. */
export const AGENTS: readonly AgentEntry[] = [
  agent('helper', 1),
  agent('tower', 2, { computer: 'alice-tower' }),
  agent('hidden', 3, { visibility: 'private', published: true }),
  agent('linked', 4, { visibility: 'link', linkKey: LINK_KEY, published: true }),
  agent('draft', 5, { published: false }),
];

export const DIRECTORY = {
  accounts: [
    { id: 'acct-alice', username: 'alice' },
    { id: 'acct-bob', username: 'bob' },
  ],
  computers: [
    { id: 'alice-laptop', account: 'acct-alice', relayToken: RELAY_TOKEN },
    { id: 'alice-tower', account: 'acct-alice', relayToken: OTHER_RELAY_TOKEN },
  ],
  apiKeys: [{ account: 'acct-bob', key: API_KEY }],
};
