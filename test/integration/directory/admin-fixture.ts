import { UuidGenerator } from '../../../src/common/index.js';
import {
  AccountAdmin,
  AgentAdmin,
  ApiKeyAdmin,
  ComputerAdmin,
  DirectoryListing,
} from '../../../src/directory/index.js';
import { DirectoryWatch } from '../../../src/directory/directory-watch.js';
import { openStoreFile } from '../../support/store-file.js';
import { openDirectory } from './directory-fixture.js';

/** A service's directory, and beside it the commands on connections of their own, as another process has them. */
export async function openAdmin() {
  const service = await openDirectory();
  const { clock } = service;
  const other = await openStoreFile(service.writer.options.database as string);
  const watch = new DirectoryWatch(service.reader, service.events);
  await watch.runOnce();
  return {
    service,
    watch,
    clock,
    directory: service.directory,
    accounts: new AccountAdmin(other.queue, clock),
    agents: new AgentAdmin(other.queue, clock, new UuidGenerator()),
    apiKeys: new ApiKeyAdmin(other.queue, clock),
    computers: new ComputerAdmin(other.queue, clock),
    listing: new DirectoryListing(other.reader),
    async close() {
      await other.close();
      await service.close();
    },
  };
}

/** Bob with a computer and one assistant, all by command. */
export async function addBob(admin: Awaited<ReturnType<typeof openAdmin>>) {
  await admin.accounts.add({ id: 'acct-bob-2', username: 'bobby' });
  const { relayToken } = await admin.computers.add({ id: 'bob-box', account: '@bobby' });
  const { agent } = await admin.agents.add({
    address: '@bobby/desk',
    computer: 'bob-box',
    visibility: 'public',
  });
  return { relayToken, agentId: agent.id };
}
