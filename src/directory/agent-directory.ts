export type Visibility = 'public' | 'link' | 'private';

/**
 * Whether the 0.3 address serves an assistant of which nobody said so: that address is open to every caller, so only if the other
 * one is as well.
 */
export function isPublishedByDefault(visibility: Visibility): boolean {
  return visibility === 'public';
}

/** Who decides what an entry of the directory says. */
export type EntrySource = 'file' | 'command';

export interface AgentSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples?: string[];
}

/** An assistant that can be addressed. Optional texts may be absent; cards fill in defaults. */
export interface Agent {
  id: string;
  accountId: string;
  username: string;
  handle: string;
  computerId: string;
  visibility: Visibility;
  linkKeyHash?: string;
  /** Whether the 0.3 endpoint serves it. */
  published: boolean;
  name?: string;
  description?: string;
  version?: string;
  skills: AgentSkill[];
  /** When anything of it last changed; milliseconds since the epoch. */
  updatedAtMs: number;
  /** Rises with every change; cards are built once for each. */
  revision: number;
}

export interface Computer {
  id: string;
  accountId: string;
  lastSeenAtMs?: number;
}

/**
 * Whom one can call. The rules, for any implementation; `AGENT_DIRECTORY_RULES` of `hello-api/testing` proves them:
 *
 * - An assistant is the same whether it is found by its address or by its id.
 * - Look-ups are exact: addresses are lower case (the import refuses others), and another case, a part or a pattern is nothing.
 * - Deactivated entries, and all entries of a deactivated account, are as good as absent, and so is what does not exist: `undefined`
 *   or an empty list, and no error.
 * - What is returned may be shared if it is frozen; nobody changes it for others.
 * - Secrets are compared by their hash; the hash itself opens nothing.
 * - `revision` rises with every change of an assistant, since cards are built once for each.
 */
export abstract class AgentDirectory {
  /** The assistant at `@username/handle`, whatever its visibility. */
  abstract findByAddress(username: string, handle: string): Promise<Agent | undefined>;
  abstract findById(agentId: string): Promise<Agent | undefined>;
  /** The computer that a relay token (`rt_…`) opens, compared by its hash. */
  abstract findComputerByRelayToken(relayToken: string): Promise<Computer | undefined>;
  /** Whether the computer is still in the directory with this token; for links that are already open. */
  abstract findComputer(computerId: string): Promise<(Computer & { relayTokenHash: string }) | undefined>;
  /** Handles of the computer's active assistants. */
  abstract handlesOf(computerId: string): Promise<string[]>;
  /** Presence: when a daemon of the computer was last heard of. The latest time stands, whatever order they come in. */
  abstract recordSeen(computerId: string, nowMs: number): Promise<void>;
  /** The account of an API key (`hi_…`), compared by its hash; for the 0.3 endpoint. */
  abstract findAccountByApiKey(apiKey: string): Promise<string | undefined>;
}

/** The directory without what code brings: the part that another implementation replaces. */
export const STORED_DIRECTORY = Symbol('hello:stored-directory');

/**
 * Who may see an assistant through its 1.0 address (requirements C4, C5).
 * @param caller the account of a verified token, if there is one
 * @param linkKeys every value of `k` in the query; more than one is as good as a wrong one
 */
export interface AccessRequest {
  caller?: string;
  linkKeys: string[];
}
