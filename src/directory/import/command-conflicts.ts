import type { AccountEntity } from '../store/account.entity.js';
import type { AgentEntity } from '../store/agent.entity.js';
import type { ApiKeyEntity } from '../store/api-key.entity.js';
import type { ComputerEntity } from '../store/computer.entity.js';
import type { DirectoryEntry } from '../store/directory-entry.js';
import type { DirectoryContent } from './parse-directory-file.js';

/** Every entry of the database, also what is deactivated. */
export interface DirectoryRows {
  accounts: AccountEntity[];
  computers: ComputerEntity[];
  agents: AgentEntity[];
  apiKeys: ApiKeyEntity[];
}

/**
 * Where the file wants what an active entry made by command has: its id, name or secret. Neither side wins silently;
 * the file may take over what was disabled by command.
 * @returns one line for each place, without secrets
 */
export function commandConflicts(rows: DirectoryRows, content: DirectoryContent): string[] {
  const madeBy = {
    accounts: rows.accounts.filter(isByCommand),
    computers: rows.computers.filter(isByCommand),
    agents: rows.agents.filter(isByCommand),
    apiKeys: rows.apiKeys.filter(isByCommand),
  };
  return [
    ...meetings('accounts', 'id', [content.accounts, madeBy.accounts], (entry) => entry.id),
    ...meetings('accounts', 'username', [content.accounts, madeBy.accounts], (entry) => entry.username),
    ...meetings('computers', 'id', [content.computers, madeBy.computers], (entry) => entry.id),
    ...meetings(
      'computers',
      'relayToken',
      [content.computers, madeBy.computers],
      (entry) => entry.relayTokenHash,
    ),
    ...meetings('agents', 'id', [content.agents, madeBy.agents], (entry) => entry.id),
    ...meetings('agents', 'handle', [content.agents, madeBy.agents], (entry) =>
      JSON.stringify([entry.accountId, entry.handle]),
    ),
    ...meetings('apiKeys', 'key', [content.apiKeys, madeBy.apiKeys], (entry) => entry.keyHash),
    ...movedComputers(content, madeBy.agents),
  ];
}

function isByCommand(row: DirectoryEntry): boolean {
  return row.active && row.source === 'command';
}

function meetings<W, R extends W>(
  list: string,
  field: string,
  [wanted, rows]: [W[], R[]],
  keyOf: (entry: W) => string,
): string[] {
  const taken = new Set(rows.map(keyOf));
  return wanted.flatMap((entry, index) =>
    taken.has(keyOf(entry))
      ? [
          `${list}[${index}].${field}: belongs to an entry made by command; disable that one, or leave it out here`,
        ]
      : [],
  );
}

/** An assistant and its computer belong to one account; those made by command are not in the file's own check. */
function movedComputers(content: DirectoryContent, agents: AgentEntity[]): string[] {
  const owners = new Map(content.computers.map(({ id, accountId }) => [id, accountId]));
  const moved = new Set(
    agents
      .filter(({ computerId, accountId }) => (owners.get(computerId) ?? accountId) !== accountId)
      .map(({ computerId }) => computerId),
  );
  return content.computers.flatMap(({ id }, index) =>
    moved.has(id)
      ? [`computers[${index}].account: an assistant made by command for another account runs on it`]
      : [],
  );
}
