import { Not } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Clock, WriteQueue } from '../../common/index.js';
import { addressName, id } from '../entry-fields.js';
import { AccountEntity } from '../store/account.entity.js';
import { touchAgentsOf } from './agent-changes.js';
import { refusedEntry } from './directory-admin.errors.js';
import { accountViews, type AccountView } from './directory-views.js';
import { checked, newEntry, only, requireByCommand, requireFree, setActive } from './entry-rules.js';
import { findAccount } from './find-entry.js';

/** Changes accounts by command. Every method throws DirectoryAdminError and changes nothing when it may not be. */
export class AccountAdmin {
  constructor(
    private readonly queue: WriteQueue,
    private readonly clock: Clock,
  ) {}

  /** @param account its id is the `sub` of the account's tokens */
  async add(account: { id: string; username: string }): Promise<AccountView> {
    const values = checked({ id, username: addressName }, account);
    return this.queue.write(async (manager) => {
      const row = await manager.findOneBy(AccountEntity, { id: values.id });
      requireFree(row, `account ${values.id}`, '`hello account enable` brings it back');
      await requireFreeUsername(manager, values);
      await manager.upsert(AccountEntity, { ...values, ...newEntry(row, this.clock.now()) }, ['id']);
      return only(await accountViews(manager, { id: values.id }));
    });
  }

  /** The addresses of its assistants change with the name. */
  async rename(reference: string, username: string): Promise<AccountView> {
    const values = checked({ username: addressName }, { username });
    return this.change(reference, async (manager, row) => {
      if (row.active) await requireFreeUsername(manager, { id: row.id, ...values });
      await manager.update(AccountEntity, { id: row.id }, values);
      await touchAgentsOf(manager, row.id, this.clock.now());
    });
  }

  /** Its assistants are absent, its computers are disconnected and its API keys do not work, until it is enabled again. */
  disable(reference: string): Promise<AccountView> {
    return this.change(reference, (manager, row) =>
      setActive(manager, AccountEntity, { row, where: { id: row.id }, nowMs: this.clock.now() }),
    );
  }

  enable(reference: string): Promise<AccountView> {
    return this.change(reference, async (manager, row) => {
      await requireFreeUsername(manager, row);
      await setActive(manager, AccountEntity, { row, where: { id: row.id }, nowMs: null });
    });
  }

  private change(
    reference: string,
    apply: (manager: EntityManager, row: AccountEntity) => Promise<void>,
  ): Promise<AccountView> {
    return this.queue.write(async (manager) => {
      const row = await findAccount(manager, reference);
      requireByCommand(row, `account ${row.id}`);
      await apply(manager, row);
      return only(await accountViews(manager, { id: row.id }));
    });
  }
}

async function requireFreeUsername(
  manager: EntityManager,
  { id, username }: { id: string; username: string },
): Promise<void> {
  const other = await manager.findOneBy(AccountEntity, { username, active: true, id: Not(id) });
  if (other) throw refusedEntry(`account ${other.id} has the username ${username} already`);
}
