import assert from 'node:assert/strict';
import { hashSecret } from '../common/index.js';
import type { AgentDirectory } from '../directory/index.js';
import { same, type Rule } from './rule.js';

/** A directory with one assistant on one computer, whose names are lower case, and an API key. */
export interface DirectorySubject {
  directory: AgentDirectory;
  agent: { id: string; username: string; handle: string; computerId: string };
  /** Opens the assistant's computer; `undefined` when computers do not connect by tokens. */
  relayToken: string | undefined;
  /** `undefined` when there are no API keys. */
  apiKey: { key: string; accountId: string } | undefined;
  /**
   * Entries that are deactivated, or belong to a deactivated account, the assistants of an active computer among them;
   * absent when yours know no such state.
   */
  inactive?: {
    agents: { id: string; username: string; handle: string; computerId: string }[];
    computerIds: string[];
    relayTokens: string[];
    apiKeys: string[];
  };
}

/** What `AgentDirectory` promises (requirements C4, H2, R1). */
export const AGENT_DIRECTORY_RULES: readonly Rule<DirectorySubject>[] = [
  {
    title: 'the assistant is found by its address and by its id, and is the same',
    async check({ directory, agent }) {
      const byAddress = await directory.findByAddress(agent.username, agent.handle);
      const byId = await directory.findById(agent.id);
      assert.ok(byAddress);
      same(byId, byAddress);
      for (const field of ['id', 'username', 'handle', 'computerId'] as const) {
        assert.equal(byAddress[field], agent[field]);
      }
      assert.ok(Number.isSafeInteger(byAddress.updatedAtMs) && Number.isSafeInteger(byAddress.revision));
    },
  },
  {
    title: '[C1] [C4] the assistant has what cards and access need',
    async check({ directory, agent: { id } }) {
      const agent = await directory.findById(id);
      assert.ok(agent);
      const { accountId, visibility, linkKeyHash, published, skills } = agent;
      assert.ok(typeof accountId === 'string' && accountId !== '', 'it belongs to an account');
      assert.ok(['public', 'link', 'private'].includes(visibility), `its visibility is ${visibility}`);
      assert.equal(typeof published, 'boolean', 'it is published or not');
      if (visibility === 'link') assert.equal(typeof linkKeyHash, 'string', 'its link has a key');
      for (const skill of skills) {
        const texts = [skill.id, skill.name, skill.description, ...skill.tags, ...(skill.examples ?? [])];
        assert.ok(
          texts.every((text) => typeof text === 'string'),
          'its skills are texts',
        );
      }
    },
  },
  {
    title: 'look-ups that are made at once are not mixed up',
    async check({ directory, agent: { id, username, handle, computerId } }) {
      const [byId, nobody, byAddress, none, computer, handles] = await Promise.all([
        directory.findById(id),
        directory.findById(`${id}x`),
        directory.findByAddress(username, handle),
        directory.findByAddress(username, `${handle}x`),
        directory.findComputer(computerId),
        directory.handlesOf('no-such-computer'),
      ]);
      same([byId?.id, byAddress?.id, computer?.id], [id, id, computerId]);
      same([nobody, none, handles], [undefined, undefined, []]);
    },
  },
  {
    title: '[C4] [R1] what is deactivated is as good as absent',
    async check({ directory, inactive }) {
      if (!inactive) return;
      for (const { id, username, handle, computerId } of inactive.agents) {
        assert.equal(await directory.findById(id), undefined);
        assert.equal(await directory.findByAddress(username, handle), undefined);
        assert.ok(!(await directory.handlesOf(computerId)).includes(handle));
      }
      for (const id of inactive.computerIds) assert.equal(await directory.findComputer(id), undefined);
      for (const token of inactive.relayTokens) {
        assert.equal(await directory.findComputerByRelayToken(token), undefined);
      }
      for (const key of inactive.apiKeys) assert.equal(await directory.findAccountByApiKey(key), undefined);
    },
  },
  {
    title: '[C4] look-ups are exact: another case, a part, or something else is nothing',
    async check({ directory, agent: { id, username, handle } }) {
      const upper = (text: string) => text.toUpperCase();
      for (const [user, name] of [
        [upper(username), handle],
        [username, upper(handle)],
        [username, `${handle}x`],
        [username, ''],
        ['', handle],
        [handle, username],
        [`@${username}`, handle],
        ['%', '%'],
        ['__proto__', 'constructor'],
      ]) {
        if (user === username && name === handle) continue;
        assert.equal(await directory.findByAddress(user ?? '', name ?? ''), undefined, `${user}/${name}`);
      }
      for (const other of ['', `${id}x`, '%', '__proto__', `@${username}/${handle}`]) {
        assert.equal(await directory.findById(other), undefined, other);
      }
    },
  },
  {
    title: 'nobody who looks an assistant up can change it for others',
    async check({ directory, agent }) {
      const first = await directory.findById(agent.id);
      const before = structuredClone(first);
      try {
        Object.assign(first ?? {}, { accountId: 'somebody else', visibility: 'private' });
      } catch {
        // Frozen is as good as copied.
      }
      same(await directory.findById(agent.id), before);
      const handles = await directory.handlesOf(agent.computerId);
      const all = [...handles];
      try {
        handles.length = 0;
      } catch {
        // Likewise.
      }
      same(await directory.handlesOf(agent.computerId), all);
    },
  },
  {
    title: '[R1] a relay token opens its computer, and nothing else does',
    async check({ directory, agent: { computerId }, relayToken }) {
      for (const other of ['', 'rt_', 'rt_nobody-0123456789abcdef', `${relayToken ?? ''}x`]) {
        assert.equal(await directory.findComputerByRelayToken(other), undefined);
      }
      if (relayToken === undefined) return;
      assert.equal((await directory.findComputerByRelayToken(relayToken))?.id, computerId);
      const hash = hashSecret(relayToken);
      assert.equal((await directory.findComputer(computerId))?.relayTokenHash, hash);
      assert.equal(await directory.findComputerByRelayToken(hash), undefined);
    },
  },
  {
    title: 'a computer has the handles of its assistants; one that is not there has none',
    async check({ directory, agent }) {
      assert.ok((await directory.handlesOf(agent.computerId)).includes(agent.handle));
      same(await directory.handlesOf('no-such-computer'), []);
      assert.equal((await directory.findComputer(agent.computerId))?.id, agent.computerId);
      assert.equal(await directory.findComputer('no-such-computer'), undefined);
    },
  },
  {
    title: 'the later time of presence stands, whatever order they come in; an unknown computer is no error',
    async check({ directory, agent: { computerId } }) {
      const unknown = await directory.recordSeen('no-such-computer', 1).catch((error: unknown) => error);
      assert.equal(unknown, undefined, 'an unknown computer is no error');
      const seen = async () => (await directory.findComputer(computerId))?.lastSeenAtMs;
      const start = (await seen()) ?? 1_800_000_000_000;
      await directory.recordSeen(computerId, start + 2000);
      const later = await seen();
      await directory.recordSeen(computerId, start + 1000);
      assert.equal(await seen(), later);
    },
  },
  {
    title: '[H2] an API key is its account, and nothing else is',
    async check({ directory, apiKey }) {
      for (const other of ['', 'hi_', 'hi_nobody-0123456789abcdef', `${apiKey?.key ?? ''}x`]) {
        assert.equal(await directory.findAccountByApiKey(other), undefined);
      }
      if (!apiKey) return;
      assert.equal(await directory.findAccountByApiKey(apiKey.key), apiKey.accountId);
      assert.equal(await directory.findAccountByApiKey(hashSecret(apiKey.key)), undefined);
    },
  },
];
