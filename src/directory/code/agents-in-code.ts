import { z } from 'zod';
import {
  isPublishedByDefault,
  type Agent,
  type AgentDirectory,
  type AgentSkill,
  type Visibility,
} from '../agent-directory.js';
import { addressName, agentId, agentTexts, id, secretHash, skills, visibility } from '../entry-fields.js';
import { frozenAgent } from '../frozen-agent.js';
import { formProblems } from '../import/file-problems.js';
import { skillOf } from '../import/parse-directory-file.js';

/** An entry of the directory that is written in code. */
export interface AgentInCode {
  /** The last part of its 1.0 address; no two assistants of a process share one. */
  handle: string;
  /** Whose it is: the account's id, and the username of the 1.0 address. */
  account: { id: string; username: string };
  /** Its 0.3 address, and what its tasks belong to for as long as they are kept; `username.handle` if absent. */
  id?: string;
  /** `private` if absent. */
  visibility?: Visibility;
  /** With the visibility `link` alone: `sha256:…` of the key (`hello secret new` makes one). */
  linkKeyHash?: string;
  /** Whether the 0.3 endpoint serves it, to everybody; if absent, whether it is public. */
  published?: boolean;
  name?: string;
  description?: string;
  version?: string;
  skills?: (Pick<AgentSkill, 'id' | 'name'> & Partial<AgentSkill>)[];
}

const agentInCode = z
  .strictObject({
    handle: addressName,
    account: z.strictObject({ id, username: addressName }),
    id: agentId.optional(),
    visibility: visibility.default('private'),
    linkKeyHash: secretHash.optional(),
    published: z.boolean({ error: 'must be true or false' }).optional(),
    name: agentTexts.name.optional(),
    description: agentTexts.description.optional(),
    version: agentTexts.version.optional(),
    skills: skills.default([]),
  })
  .refine((entry) => (entry.visibility === 'link') === (entry.linkKeyHash !== undefined), {
    path: ['linkKeyHash'],
    message: 'belongs to the visibility link, and the visibility link to it',
  });

/** An entry that cannot be used, or meets another one. The message is one line that names both. */
export class AgentInCodeError extends Error {
  override name = 'AgentInCodeError';
}

interface Entry {
  agent: Agent;
  /** Who brings it, for messages: the name of a class. */
  origin: string;
}

/** Assistants that code brings, beside those of the directory; filled while the application starts. */
export class AgentsInCode {
  private readonly entries: Entry[] = [];
  private readonly byAddress = new Map<string, Agent>();
  private readonly byId = new Map<string, Agent>();

  /**
   * @param given.origin who brings the entry, for messages
   * @throws AgentInCodeError for an entry of wrong form, and one whose handle or id is taken
   */
  add(entry: AgentInCode, given: { origin: string; computerId: string; nowMs: number }): Agent {
    const agent = agentOf(entry, given);
    for (const other of this.entries) {
      const field = meeting(agent, other.agent);
      if (field && other.origin === given.origin) {
        throw new AgentInCodeError(
          `${given.origin}: is a provider of two modules; provide it in one, which exports it`,
        );
      }
      if (field) throw new AgentInCodeError(`${given.origin}: has the ${field} of ${other.origin}`);
    }
    this.entries.push({ agent, origin: given.origin });
    this.byAddress.set(addressKey(agent.username, agent.handle), agent);
    this.byId.set(agent.id, agent);
    return agent;
  }

  findByAddress(username: string, handle: string): Agent | undefined {
    return this.byAddress.size === 0 ? undefined : this.byAddress.get(addressKey(username, handle));
  }

  findById(agentId: string): Agent | undefined {
    return this.byId.get(agentId);
  }

  /** Handles of what runs on one of the computers of this process; absent for every other computer. */
  handlesOf(computerId: string): string[] | undefined {
    const own = this.entries.filter(({ agent }) => agent.computerId === computerId);
    return own.length === 0 ? undefined : own.map(({ agent }) => agent.handle).sort();
  }

  /** @returns one line for each entry whose address or id the directory has as well */
  async collisionsWith(stored: AgentDirectory): Promise<string[]> {
    const lines: string[] = [];
    for (const { agent, origin } of this.entries) {
      const { username, handle, id } = agent;
      const atAddress = await stored.findByAddress(username, handle);
      if (atAddress)
        lines.push(
          `${origin}: agent ${atAddress.id} of the directory has the address @${username}/${handle}`,
        );
      const named = await stored.findById(id);
      if (named && named.id !== atAddress?.id)
        lines.push(`${origin}: @${named.username}/${named.handle} of the directory has the id ${id}`);
    }
    return lines;
  }
}

function agentOf(
  entry: AgentInCode,
  { origin, computerId, nowMs }: Parameters<AgentsInCode['add']>[1],
): Agent {
  const parsed = agentInCode.safeParse(entry, { reportInput: true });
  if (!parsed.success) throw new AgentInCodeError(`${origin}: ${formProblems(parsed.error).join('; ')}`);
  const {
    account,
    id: chosenId,
    skills: given,
    linkKeyHash,
    name,
    description,
    version,
    ...rest
  } = parsed.data;
  return frozenAgent({
    ...rest,
    published: rest.published ?? isPublishedByDefault(rest.visibility),
    id: chosenId ?? `${account.username}.${rest.handle}`,
    accountId: account.id,
    username: account.username,
    computerId,
    ...(linkKeyHash !== undefined && { linkKeyHash }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(version !== undefined && { version }),
    skills: given.map(skillOf),
    updatedAtMs: nowMs,
    revision: 1,
  });
}

/** On one computer assistants go by their handles alone, whoever's they are. */
function meeting(agent: Agent, other: Agent): string | undefined {
  if (agent.computerId === other.computerId && agent.handle === other.handle) return `handle ${agent.handle}`;
  if (agent.id === other.id) return `id ${agent.id}`;
  // A name leads to one account, and an account has one name: else two people would share an address.
  if (agent.username === other.username && agent.accountId !== other.accountId) {
    return `username ${agent.username}, with another account id,`;
  }
  if (agent.accountId === other.accountId && agent.username !== other.username) {
    return `account id ${agent.accountId}, with another username,`;
  }
  return undefined;
}

function addressKey(username: string, handle: string): string {
  return JSON.stringify([username, handle]);
}
