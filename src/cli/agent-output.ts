import type { AgentView } from '../directory/index.js';
import { printEntry, printSecret } from './directory-output.js';
import type { DirectoryOptions } from './directory-store.js';
import { readStoreSettings } from './settings.js';
import type { Terminal } from './terminal.js';

/** Prints an assistant with its addresses, and its link key where one was just made. */
export async function printAgent(
  { agent, linkKey }: { agent: AgentView; linkKey?: string | undefined },
  options: DirectoryOptions,
  terminal: Terminal,
): Promise<void> {
  const urls = await urlsOf(agent, linkKey, { options, terminal });
  const json = { ...agent, urls, ...(linkKey === undefined ? {} : { linkKey }) };
  if (linkKey !== undefined && !options.json) {
    terminal.note('The link key is shown once; it is part of the addresses below.');
  }
  const lines = {
    address: agent.address,
    id: agent.id,
    account: agent.account,
    computer: agent.computer,
    visibility: agent.visibility,
    'link key': linkKey ?? (agent.visibility === 'link' ? 'kept as a hash alone' : undefined),
    published: agent.published ? 'yes' : 'no',
    name: agent.name,
    description: agent.description,
    version: agent.version,
    skills: agent.skills.length > 0 ? agent.skills.map(({ id }) => id).join(', ') : undefined,
    state: agent.state,
    source: agent.source,
    created: agent.createdAt,
    updated: agent.updatedAt,
    disabled: agent.disabledAt,
    ...Object.fromEntries(
      Object.entries(urls).flatMap(([version, { endpoint, card }]) => [
        [`${version} endpoint`, endpoint],
        [`${version} card`, card],
      ]),
    ),
  };
  printEntry({ json, lines }, options, terminal);
}

/** Prints a new link: its card is what callers are given, and its address has the key. */
export async function printLink(
  { agent, linkKey }: { agent: AgentView; linkKey: string },
  options: DirectoryOptions,
  terminal: Terminal,
): Promise<void> {
  const urls = await urlsOf(agent, linkKey, { options, terminal });
  const about = `The card of ${agent.address}, under its new link key. The key is shown once.`;
  printSecret({ json: { ...agent, urls, linkKey }, secret: urls['1.0'].card, about }, options, terminal);
}

interface Addresses {
  endpoint: string;
  card: string;
}

/** By protocol version; 0.3 only where it is served. */
async function urlsOf(
  agent: AgentView,
  linkKey: string | undefined,
  { options, terminal }: { options: DirectoryOptions; terminal: Terminal },
): Promise<{ '1.0': Addresses; '0.3'?: Addresses }> {
  const { AgentUrls } = await import('../discovery/index.js');
  const { publicBaseUrl } = await readStoreSettings(terminal, options.store);
  const urls = new AgentUrls(publicBaseUrl);
  return {
    '1.0': { endpoint: urls.rpc(agent, linkKey), card: urls.card(agent, linkKey) },
    ...(agent.published
      ? { '0.3': { endpoint: urls.publishedRpc(agent.id), card: urls.publishedCard(agent.id) } }
      : {}),
  };
}
