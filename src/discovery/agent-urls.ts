import type { Agent } from '../directory/index.js';

/** The names of an address, as they stand in a path after `@`. */
export interface AgentAddress {
  username: string;
  handle: string;
}

const CARD_PATH = '/.well-known/agent-card.json';

/**
 * The addresses of an assistant. They are made of the configured base and the directory alone; no header has a
 * say (requirement C2). A link key is kept, so that whoever was given a card can use it (requirement C5).
 */
export class AgentUrls {
  private readonly base: string;

  constructor(publicBaseUrl: string) {
    this.base = publicBaseUrl.replace(/\/+$/, '');
  }

  /** Where JSON-RPC requests go. */
  rpc(agent: AgentAddress, linkKey: string | undefined): string {
    return this.pathOf(agent) + queryOf(linkKey);
  }

  card(agent: AgentAddress, linkKey: string | undefined): string {
    return this.pathOf(agent) + CARD_PATH + queryOf(linkKey);
  }

  /** The 0.3 address of a published assistant (requirement P2). */
  publishedRpc(agentId: string): string {
    return `${this.base}/a2a/${encodeURIComponent(agentId)}`;
  }

  publishedCard(agentId: string): string {
    return this.publishedRpc(agentId) + CARD_PATH;
  }

  private pathOf({ username, handle }: AgentAddress): string {
    return `${this.base}/a2a/@${encodeURIComponent(username)}/${encodeURIComponent(handle)}`;
  }
}

function queryOf(linkKey: string | undefined): string {
  return linkKey === undefined ? '' : `?k=${encodeURIComponent(linkKey)}`;
}

/** How people write an address. */
export function addressText({ username, handle }: Pick<Agent, 'username' | 'handle'>): string {
  return `@${username}/${handle}`;
}
