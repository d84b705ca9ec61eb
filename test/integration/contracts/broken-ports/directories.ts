import { hashSecret, type Agent, type AgentDirectory } from '../../../../src/index.js';
import type { Broken } from '../broken-port.js';
import { API_KEY, RELAY_TOKEN } from '../port-subjects.js';

/** Finds assistants that are a little different. */
function finding(change: (agent: Agent) => object) {
  return (real: AgentDirectory): Partial<AgentDirectory> => ({
    findById: async (id) => {
      const agent = await real.findById(id);
      return agent && { ...agent, ...change(agent) };
    },
  });
}

const NOBODY = { id: 'laptop', accountId: 'ann' };

/** An assistant and a computer that are not in the directory any more, as if they were. */
const ghost = async (real: AgentDirectory, id: string) => {
  const agent = await real.findById('helper-1');
  return agent && { ...agent, id };
};

export const BROKEN_DIRECTORIES: Broken<AgentDirectory>[] = [
  ['found by its address and by its id', 'finds nothing by id', () => ({ findById: async () => undefined })],
  ['found by its address and by its id', 'says less by id', finding(() => ({ published: undefined }))],
  [
    'found by its address and by its id',
    'has no revision',
    (real) => ({
      ...finding(() => ({ revision: undefined }))(real),
      findByAddress: async (...address) => {
        const agent = await real.findByAddress(...address);
        return agent && ({ ...agent, revision: undefined } as unknown as Agent);
      },
    }),
  ],
  [
    'has what cards and access need',
    'has a visibility of its own',
    finding(() => ({ visibility: 'friends' })),
  ],
  ['has what cards and access need', 'has a link without a key', finding(() => ({ visibility: 'link' }))],
  ['has what cards and access need', 'does not say whose it is', finding(() => ({ accountId: '' }))],
  [
    'has what cards and access need',
    'has numbers for tags',
    finding(() => ({ skills: [{ id: 'chat', name: 'Chat', description: 'Chats', tags: [1] }] })),
  ],
  [
    'look-ups that are made at once',
    'answers all with the first',
    (real) => {
      let first: ReturnType<AgentDirectory['findById']> | undefined;
      return { findById: (id) => (first ??= real.findById(id)) };
    },
  ],
  [
    'what is deactivated',
    'finds it by id',
    (real) => ({ findById: async (id) => (await real.findById(id)) ?? (await ghost(real, id)) }),
  ],
  [
    'what is deactivated',
    'finds it by its address',
    (real) => ({
      findByAddress: async (...address) => (await real.findByAddress(...address)) ?? (await ghost(real, 'x')),
    }),
  ],
  [
    'what is deactivated',
    'names its handle',
    (real) => ({ handlesOf: async (id) => [...(await real.handlesOf(id)), 'retired'] }),
  ],
  [
    'what is deactivated',
    'finds its computer',
    (real) => ({
      findComputer: async (id) => (await real.findComputer(id)) ?? { ...NOBODY, id, relayTokenHash: '' },
    }),
  ],
  [
    'what is deactivated',
    'lets its computer in',
    (real) => ({
      findComputerByRelayToken: async (token) => (await real.findComputerByRelayToken(token)) ?? NOBODY,
    }),
  ],
  [
    'what is deactivated',
    'takes its key',
    (real) => ({ findAccountByApiKey: async (key) => (await real.findAccountByApiKey(key)) ?? 'former' }),
  ],
  [
    'look-ups are exact',
    'does not tell capitals in the name of the account',
    (real) => ({ findByAddress: (username, handle) => real.findByAddress(username.toLowerCase(), handle) }),
  ],
  [
    'look-ups are exact',
    'does not tell capitals in the handle',
    (real) => ({ findByAddress: (username, handle) => real.findByAddress(username, handle.toLowerCase()) }),
  ],
  [
    'look-ups are exact',
    'leaves out an @',
    (real) => ({
      findByAddress: (username, handle) => real.findByAddress(username.replace(/^@/, ''), handle),
    }),
  ],
  [
    'look-ups are exact',
    'takes part of an id',
    (real) => ({ findById: (id) => real.findById(id.replace(/x$/, '')) }),
  ],
  [
    'can change it for others',
    'gives one object to all',
    (real) => {
      let shared: Promise<Agent | undefined> | undefined;
      return {
        findById: (id) => (shared ??= real.findById(id).then((agent) => agent && { ...agent })),
      };
    },
  ],
  [
    'can change it for others',
    'gives one list of handles to all',
    (real) => {
      let shared: Promise<string[]> | undefined;
      return { handlesOf: (id) => (shared ??= real.handlesOf(id)) };
    },
  ],
  [
    'a relay token opens its computer',
    'lets anybody in',
    () => ({ findComputerByRelayToken: async () => NOBODY }),
  ],
  [
    'a relay token opens its computer',
    'takes the hash for the token',
    (real) => ({
      findComputerByRelayToken: async (token) => {
        const computer = await real.findComputer('laptop');
        return computer?.relayTokenHash === token ? NOBODY : real.findComputerByRelayToken(token);
      },
    }),
  ],
  [
    'a relay token opens its computer',
    'keeps the token',
    (real) => ({
      findComputer: async (id) => {
        const computer = await real.findComputer(id);
        return computer && { ...computer, relayTokenHash: RELAY_TOKEN };
      },
    }),
  ],
  [
    'a computer has the handles of its assistants',
    'has the handles of all',
    () => ({ handlesOf: async () => ['helper'] }),
  ],
  ['a computer has the handles of its assistants', 'has no handles', () => ({ handlesOf: async () => [] })],
  [
    'a computer has the handles of its assistants',
    'has no computers',
    () => ({ findComputer: async () => undefined }),
  ],
  [
    'the later time of presence stands',
    'notes the time as it comes',
    (real) => {
      let seen = 0;
      return {
        recordSeen: async (_, nowMs) => void (seen = nowMs),
        findComputer: async (id) => {
          const computer = await real.findComputer(id);
          return computer && { ...computer, ...(seen > 0 && { lastSeenAtMs: seen }) };
        },
      };
    },
  ],
  [
    'the later time of presence stands',
    'throws for a computer that is not there',
    (real) => ({
      recordSeen: async (id, nowMs) => {
        if (!(await real.findComputer(id))) throw new Error('no such computer');
        await real.recordSeen(id, nowMs);
      },
    }),
  ],
  ['an API key is its account', 'takes any key', () => ({ findAccountByApiKey: async () => 'ann' })],
  ['an API key is its account', 'takes none', () => ({ findAccountByApiKey: async () => undefined })],
  [
    'an API key is its account',
    'takes the hash for the key',
    (real) => ({
      findAccountByApiKey: async (key) =>
        key === hashSecret(API_KEY) ? 'ann' : await real.findAccountByApiKey(key),
    }),
  ],
];
