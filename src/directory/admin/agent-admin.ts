import { Not, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { type Clock, type IdGenerator, type WriteQueue, hashSecret, newSecret } from '../../common/index.js';
import { isPublishedByDefault, type AgentSkill, type Visibility } from '../agent-directory.js';
import { addressName, agentId, agentTexts, skills, visibility } from '../entry-fields.js';
import { skillOf } from '../import/parse-directory-file.js';
import { AgentEntity } from '../store/agent.entity.js';
import type { AccountEntity } from '../store/account.entity.js';
import { changeAgent, type AgentChange } from './agent-changes.js';
import { invalidField, refusedEntry } from './directory-admin.errors.js';
import { agentViews, type AgentView } from './directory-views.js';
import { checked, newEntry, only, requireByCommand, requireFree, setActive } from './entry-rules.js';
import { addressOf, findAccount, findAgent, findComputer } from './find-entry.js';

/** An empty text takes the field away, so that the card falls back to its default. */
const emptyIsNone = (schema: z.ZodString) => schema.transform((value) => (value === '' ? null : value));

const FIELDS = {
  computer: z.string().optional(),
  visibility: visibility.optional(),
  published: z.boolean().optional(),
  name: emptyIsNone(agentTexts.name).optional(),
  description: emptyIsNone(agentTexts.description).optional(),
  version: emptyIsNone(agentTexts.version).optional(),
  skills: skills.transform((list): AgentSkill[] => list.map(skillOf)).optional(),
};

/** What can be said of an assistant; absent members stay as they are. `skills` as in the directory file. */
export interface AgentSettings {
  computer?: string | undefined;
  visibility?: string | undefined;
  published?: boolean | undefined;
  name?: string | undefined;
  description?: string | undefined;
  version?: string | undefined;
  skills?: unknown;
}

/** An assistant, and its link key when a new one was made: it is shown this once, the database has its hash alone (C5). */
export interface ChangedAgent {
  agent: AgentView;
  linkKey?: string;
}

/** Changes assistants by command. Every method throws DirectoryAdminError and changes nothing when it may not be. */
export class AgentAdmin {
  constructor(
    private readonly queue: WriteQueue,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /**
   * Private unless told otherwise, and published if it is public.
   * @param agent `address` is `@username/handle`; the id, which is the 0.3 address, is made up unless given
   */
  async add(
    agent: AgentSettings & { address: string; computer: string; id?: string | undefined },
  ): Promise<ChangedAgent> {
    const { address, id, ...settings } = agent;
    const names = addressOf(address);
    if (!names) throw invalidField('the address must be @username/handle');
    const { handle } = checked({ handle: addressName }, { handle: names.handle });
    const given = id === undefined ? undefined : checked({ id: agentId }, { id }).id;
    const { computer, ...values } = present(checked(FIELDS, present(settings)));
    return this.queue.write(async (manager) => {
      const account = await findAccount(manager, `@${names.username}`);
      if (!account.active) throw refusedEntry(`account ${account.id} is disabled`);
      await requireFreeAddress(manager, account, { handle, chosenId: given });
      const row = await ownRow(manager, account, given);
      const computerId = await usableComputer(manager, account.id, computer ?? '');
      const visibility = values.visibility ?? 'private';
      const link = linkChange(null, visibility);
      const added = { id: row?.id ?? given ?? this.ids.next(), handle, accountId: account.id, computerId };
      const nowMs = this.clock.now();
      await manager.upsert(
        AgentEntity,
        {
          ...BLANK,
          published: isPublishedByDefault(visibility),
          ...values,
          ...link.change,
          ...added,
          ...newEntry(row, nowMs),
          updatedAtMs: nowMs,
          revision: (row?.revision ?? 0) + 1,
        },
        ['id'],
      );
      return { agent: only(await agentViews(manager, { id: added.id })), ...link.shown };
    });
  }

  /**
   * What becomes public is published, and what was public is published no longer, unless `published` says otherwise.
   * @param reference id or `@username/handle`
   */
  async set(reference: string, settings: AgentSettings): Promise<ChangedAgent> {
    const { computer, ...values } = present(checked(FIELDS, present(settings)));
    if (computer === undefined && Object.keys(values).length === 0) {
      throw invalidField('nothing to change was given');
    }
    let shown: { linkKey?: string } = {};
    const agent = await this.change(reference, async (manager, row) => {
      const change: AgentChange = { ...values };
      if (computer !== undefined) change.computerId = await usableComputer(manager, row.accountId, computer);
      if (values.visibility !== undefined) {
        const link = linkChange(row, values.visibility);
        Object.assign(change, link.change);
        change.published ??= publishedAfter(row, values.visibility);
        shown = link.shown;
      }
      await changeAgent(manager, row, { change, nowMs: this.clock.now() });
    });
    return { agent, ...shown };
  }

  /** Its addresses are as good as absent until it is enabled again. */
  disable(reference: string): Promise<AgentView> {
    return this.change(reference, (manager, row) =>
      setActive(manager, AgentEntity, { row, where: { id: row.id }, nowMs: this.clock.now() }),
    );
  }

  enable(reference: string): Promise<AgentView> {
    return this.change(reference, async (manager, row) => {
      const { accountId, handle, id } = row;
      const other = await manager.findOneBy(AgentEntity, { accountId, handle, active: true, id: Not(id) });
      if (other) throw refusedEntry(`agent ${other.id} has its address by now`);
      await setActive(manager, AgentEntity, { row, where: { id }, nowMs: null });
    });
  }

  /** Makes a link with a new key; only who has it, and the owner, can call. */
  addLink(reference: string): Promise<Required<ChangedAgent>> {
    return this.newLink(reference, (row) => {
      if (row.visibility === 'public') {
        throw refusedEntry(
          'it is public, so that everybody may call it; `hello agent set --visibility link` first',
        );
      }
      if (row.visibility === 'link')
        throw refusedEntry('it has a link already; `hello link rotate` replaces it');
    });
  }

  /** The old key opens nothing from now on. */
  rotateLink(reference: string): Promise<Required<ChangedAgent>> {
    return this.newLink(reference, (row) => {
      if (row.visibility !== 'link') throw refusedEntry('it has no link; `hello link add` makes one');
    });
  }

  /** From now on it is private. */
  revokeLink(reference: string): Promise<AgentView> {
    return this.change(reference, async (manager, row) => {
      if (row.visibility !== 'link') throw refusedEntry('it has no link');
      const { change } = linkChange(row, 'private');
      await changeAgent(manager, row, { change, nowMs: this.clock.now() });
    });
  }

  private async newLink(
    reference: string,
    check: (row: AgentEntity) => void,
  ): Promise<Required<ChangedAgent>> {
    const linkKey = newSecret('');
    const agent = await this.change(reference, async (manager, row) => {
      check(row);
      const change = { visibility: 'link' as const, linkKeyHash: hashSecret(linkKey) };
      await changeAgent(manager, row, { change, nowMs: this.clock.now() });
    });
    return { agent, linkKey };
  }

  private change(
    reference: string,
    apply: (manager: EntityManager, row: AgentEntity) => Promise<void>,
  ): Promise<AgentView> {
    return this.queue.write(async (manager) => {
      const row = await findAgent(manager, reference);
      requireByCommand(row, `agent ${row.id}`);
      await apply(manager, row);
      return only(await agentViews(manager, { id: row.id }));
    });
  }
}

const BLANK = {
  name: null,
  description: null,
  version: null,
  skills: [],
};

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function present<T extends object>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;
}

/** Only crossing the border of "public" decides anew, so that what was said on purpose outlives other changes. */
function publishedAfter(
  { visibility, published }: Pick<AgentEntity, 'visibility' | 'published'>,
  wanted: Visibility,
): boolean {
  const byDefault = isPublishedByDefault(wanted);
  return byDefault === isPublishedByDefault(visibility) ? published : byDefault;
}

/** A key belongs to the visibility `link`: it goes with it, so that it cannot come back unnoticed. */
function linkChange(
  row: Pick<AgentEntity, 'visibility'> | null,
  wanted: Visibility,
): { change: AgentChange; shown: { linkKey?: string } } {
  if (wanted !== 'link') return { change: { visibility: wanted, linkKeyHash: null }, shown: {} };
  if (row?.visibility === 'link') return { change: {}, shown: {} };
  const linkKey = newSecret('');
  return { change: { visibility: 'link', linkKeyHash: hashSecret(linkKey) }, shown: { linkKey } };
}

async function usableComputer(manager: EntityManager, accountId: string, id: string): Promise<string> {
  const computer = await findComputer(manager, id);
  if (computer.accountId !== accountId) throw refusedEntry(`computer ${id} belongs to another account`);
  if (!computer.active)
    throw refusedEntry(`computer ${id} is revoked; \`hello computer rotate\` brings it back`);
  return id;
}

/** An address that an assistant had which was disabled is given away only on purpose, by an id of one's own. */
async function requireFreeAddress(
  manager: EntityManager,
  account: AccountEntity,
  { handle, chosenId }: { handle: string; chosenId: string | undefined },
): Promise<void> {
  const rows = await manager.findBy(AgentEntity, { accountId: account.id, handle });
  const address = `@${account.username}/${handle}`;
  const active = rows.find((row) => row.active);
  if (active) throw refusedEntry(`agent ${active.id} has the address ${address} already`);
  const disabled = rows.find((row) => row.source === 'command');
  if (disabled && chosenId === undefined) {
    throw refusedEntry(
      `agent ${disabled.id} has the address ${address} and is disabled; \`hello agent enable\` brings it back, \`--id\` makes another one`,
    );
  }
}

/** The row whose place a new assistant takes: one of the same account that the directory file has given up. */
async function ownRow(
  manager: EntityManager,
  account: AccountEntity,
  id: string | undefined,
): Promise<AgentEntity | null> {
  const row = id === undefined ? null : await manager.findOneBy(AgentEntity, { id });
  requireFree(row, `agent ${id}`, '`hello agent enable` brings it back');
  if (row && row.accountId !== account.id) {
    throw refusedEntry(`agent ${id} was one of another account; choose another id`);
  }
  return row;
}
