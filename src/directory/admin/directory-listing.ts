import type { DataSource, EntityManager } from 'typeorm';
import {
  accountViews,
  agentViews,
  apiKeyViews,
  computerViews,
  type AccountView,
  type AgentView,
  type ApiKeyView,
  type ComputerView,
  type ListFilter,
} from './directory-views.js';
import { only } from './entry-rules.js';
import { findAccount, findAgent, findComputer } from './find-entry.js';

/**
 * Shows the directory to its operator, file entries and those made by command. Single entries are found also when they
 * are disabled; lists leave those out unless asked.
 */
export class DirectoryListing {
  private readonly manager: EntityManager;

  constructor(reader: DataSource) {
    this.manager = reader.manager;
  }

  accounts({ all }: Pick<ListFilter, 'all'> = {}): Promise<AccountView[]> {
    return accountViews(this.manager, all ? {} : { active: true });
  }

  async agents(filter: ListFilter = {}): Promise<AgentView[]> {
    return agentViews(this.manager, await this.conditionsOf(filter));
  }

  /** With when their daemons were last heard of (R5: presence is kept and shown). */
  async computers(filter: ListFilter = {}): Promise<ComputerView[]> {
    return computerViews(this.manager, await this.conditionsOf(filter));
  }

  async apiKeys(filter: ListFilter = {}): Promise<ApiKeyView[]> {
    return apiKeyViews(this.manager, await this.conditionsOf(filter));
  }

  /**
   * @param reference id or `@username`
   * @throws DirectoryAdminError when there is no such account
   */
  async account(reference: string): Promise<AccountView> {
    const { id } = await findAccount(this.manager, reference);
    return only(await accountViews(this.manager, { id }));
  }

  /**
   * @param reference id or `@username/handle`
   * @throws DirectoryAdminError when there is no such assistant
   */
  async agent(reference: string): Promise<AgentView> {
    const { id } = await findAgent(this.manager, reference);
    return only(await agentViews(this.manager, { id }));
  }

  /** @throws DirectoryAdminError when there is no such computer */
  async computer(id: string): Promise<ComputerView> {
    await findComputer(this.manager, id);
    return only(await computerViews(this.manager, { id }));
  }

  private async conditionsOf({ account, all }: ListFilter): Promise<{ active?: true; accountId?: string }> {
    const owner = account === undefined ? undefined : await findAccount(this.manager, account);
    return {
      ...(all ? {} : { active: true as const }),
      ...(owner ? { accountId: owner.id } : {}),
    };
  }
}
