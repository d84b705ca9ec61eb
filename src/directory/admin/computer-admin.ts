import { type Clock, type WriteQueue, hashSecret, newSecret } from '../../common/index.js';
import { computerId } from '../entry-fields.js';
import { ComputerEntity } from '../store/computer.entity.js';
import { refusedEntry } from './directory-admin.errors.js';
import { computerViews, type ComputerView } from './directory-views.js';
import { checked, newEntry, only, requireByCommand, requireFree, setActive } from './entry-rules.js';
import { findAccount, findComputer } from './find-entry.js';

/** A computer and its new relay token (`rt_…`), which is shown this once: the database has its hash alone (R1). */
export interface IssuedRelayToken {
  computer: ComputerView;
  relayToken: string;
}

/** Changes computers by command. Every method throws DirectoryAdminError and changes nothing when it may not be. */
export class ComputerAdmin {
  constructor(
    private readonly queue: WriteQueue,
    private readonly clock: Clock,
  ) {}

  /** @param computer its account as id or `@username` */
  async add(computer: { id: string; account: string }): Promise<IssuedRelayToken> {
    const values = checked({ id: computerId }, { id: computer.id });
    const relayToken = newSecret('rt_');
    return this.queue.write(async (manager) => {
      const account = await findAccount(manager, computer.account);
      if (!account.active) throw refusedEntry(`account ${account.id} is disabled`);
      const row = await manager.findOneBy(ComputerEntity, values);
      requireFree(row, `computer ${values.id}`, '`hello computer rotate` brings it back with a new token');
      if (row && row.accountId !== account.id) {
        throw refusedEntry(`computer ${values.id} was one of another account; choose another id`);
      }
      const entry = { ...values, accountId: account.id, relayTokenHash: hashSecret(relayToken) };
      await manager.upsert(ComputerEntity, { ...entry, ...newEntry(row, this.clock.now()) }, ['id']);
      return { computer: only(await computerViews(manager, values)), relayToken };
    });
  }

  /** The old token opens nothing from now on, and its open socket is closed. A revoked computer comes back. */
  rotate(id: string): Promise<IssuedRelayToken> {
    const relayToken = newSecret('rt_');
    return this.queue.write(async (manager) => {
      const row = await findComputer(manager, id);
      requireByCommand(row, `computer ${id}`);
      const change = { relayTokenHash: hashSecret(relayToken), active: true, deactivatedAtMs: null };
      await manager.update(ComputerEntity, { id }, change);
      return { computer: only(await computerViews(manager, { id })), relayToken };
    });
  }

  /** Its token never works again. Its assistants keep their addresses and cannot be reached. */
  revoke(id: string): Promise<ComputerView> {
    return this.queue.write(async (manager) => {
      const row = await findComputer(manager, id);
      requireByCommand(row, `computer ${id}`);
      await setActive(manager, ComputerEntity, { row, where: { id }, nowMs: this.clock.now() });
      return only(await computerViews(manager, { id }));
    });
  }
}
