import { type Clock, type WriteQueue, hashSecret, newSecret } from '../../common/index.js';
import { text } from '../entry-fields.js';
import { ApiKeyEntity } from '../store/api-key.entity.js';
import { refusedEntry } from './directory-admin.errors.js';
import { apiKeyViews, type ApiKeyView } from './directory-views.js';
import { checked, newEntry, only, requireByCommand, setActive } from './entry-rules.js';
import { findAccount, findApiKey } from './find-entry.js';

const label = text(100)
  .regex(/^\P{C}*$/u, 'must not contain control characters')
  .nullable();

/** Changes API keys by command. Every method throws DirectoryAdminError and changes nothing when it may not be. */
export class ApiKeyAdmin {
  constructor(
    private readonly queue: WriteQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * @param wanted its account as id or `@username`, and what its owner calls it
   * @returns the key (`hi_…`) is shown this once: the database has its hash alone (P2)
   */
  async add(wanted: {
    account: string;
    label?: string | undefined;
  }): Promise<{ apiKey: ApiKeyView; key: string }> {
    const values = checked({ label }, { label: wanted.label ?? null });
    const key = newSecret('hi_');
    const keyHash = hashSecret(key);
    return this.queue.write(async (manager) => {
      const account = await findAccount(manager, wanted.account);
      if (!account.active) throw refusedEntry(`account ${account.id} is disabled`);
      await manager.insert(ApiKeyEntity, {
        keyHash,
        accountId: account.id,
        ...values,
        ...newEntry(null, this.clock.now()),
      });
      return { apiKey: only(await apiKeyViews(manager, { keyHash })), key };
    });
  }

  /** The key never works again. */
  revoke(id: string): Promise<ApiKeyView> {
    return this.queue.write(async (manager) => {
      const row = await findApiKey(manager, id);
      requireByCommand(row, `key ${id}`);
      const where = { keyHash: row.keyHash };
      await setActive(manager, ApiKeyEntity, { row, where, nowMs: this.clock.now() });
      return only(await apiKeyViews(manager, where));
    });
  }
}
