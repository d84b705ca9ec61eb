import { Logger } from '@nestjs/common';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Clock } from '../../../src/common/index.js';
import { loadAppConfig } from '../../../src/config/index.js';
import { DirectoryEvents, DirectoryImport } from '../../../src/directory/index.js';
import { TypeOrmAgentDirectory } from '../../../src/directory/store/type-orm-agent-directory.js';
import { openStoreFile, storeFolder } from '../../support/store-file.js';

export class FixedClock extends Clock {
  nowMs = 1_000;

  now(): number {
    return this.nowMs;
  }
}

type Entries = Record<string, unknown>[];
export interface DirectorySample {
  accounts: Entries;
  computers: Entries;
  agents: Entries;
  apiKeys: Entries;
}

/** Two accounts; Alice has a laptop with two assistants, Bob an API key. */
export function sample(): DirectorySample {
  return {
    accounts: [
      { id: 'acct-alice', username: 'alice' },
      { id: 'acct-bob', username: 'bob' },
    ],
    computers: [{ id: 'alice-laptop', account: 'acct-alice', relayToken: 'rt_laptop-secret' }],
    agents: [
      {
        id: 'agent-helper',
        account: 'acct-alice',
        handle: 'helper',
        computer: 'alice-laptop',
        visibility: 'link',
        linkKey: 'link-secret',
        name: 'Helper',
        version: '1.0.0',
        skills: [{ id: 'chat', name: 'Chat', description: 'Talks', tags: ['talk'] }],
      },
      { id: 'agent-bare', account: 'acct-alice', handle: 'bare', computer: 'alice-laptop' },
    ],
    apiKeys: [{ account: 'acct-bob', key: 'hi_bob-secret' }],
  };
}

/** The directory on a real database file, fed from a real directory file. */
export async function openDirectory() {
  Logger.overrideLogger(false);
  const folder = storeFolder();
  const store = await openStoreFile(folder.path);
  const file = join(dirname(folder.path), 'directory.yaml');
  const config = loadAppConfig({ ACCOUNT_JWT_SECRET: 's'.repeat(32), DIRECTORY_FILE: file });
  const clock = new FixedClock();
  const events = new DirectoryEvents();
  const directory = new TypeOrmAgentDirectory(store.reader, store.queue);
  const directoryImport = new DirectoryImport(config, store.queue, clock, events);
  return {
    ...store,
    file,
    config,
    clock,
    events,
    directory,
    directoryImport,
    /** Writes the file (JSON is YAML) and imports it. */
    async load(content: Partial<DirectorySample>) {
      writeFileSync(file, JSON.stringify(content));
      return await directoryImport.run();
    },
    async close() {
      await store.close();
      folder.remove();
    },
  };
}
