import { DataSource } from 'typeorm';
import { driver } from '../../../ormconfig.js';
import { openStoreFile, storeFolder } from '../../../test/support/store-file.js';
import { TypeOrmTaskStore } from '../../tasks/index.js';
import { MIGRATIONS } from '../schema.js';

const scope = { accountId: 'a', agentId: 'b' };
const states = ['submitted', 'working', 'input_required', 'completed', 'completed', 'failed'] as const;

describe('the migration to fewer index pages', () => {
  const folder = storeFolder();
  afterAll(() => folder.remove());

  it('[K1] [G3] takes over what an earlier version has written', async () => {
    const earlier = MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ name }) => name.startsWith('FewerIndexPages')),
    );
    const old = new DataSource({ ...driver, database: folder.path, migrations: earlier });
    await old.initialize();
    await old.runMigrations();
    for (const [n, state] of states.entries()) {
      await old.query(
        `INSERT INTO tasks (id, account_id, agent_id, context_id, computer_id, state, status_at, created_at, expires_at,
           interactive, retry_key, fingerprint) VALUES (?, 'a', 'b', 'c', 'd', ?, ?, ?, 1000, 0, ?, 'f')`,
        [`task-${n}`, state, n, n, `key-${n}`],
      );
    }
    await old.destroy();

    const file = await openStoreFile(folder.path);
    const store = new TypeOrmTaskStore(file.reader, file.queue);
    const count = async (state?: (typeof states)[number]) =>
      await store.count(scope, state === undefined ? {} : { state }, 10);
    expect([await count(), await count('completed'), await count('failed'), await count('working')]).toEqual([
      6, 2, 1, 1,
    ]);
    expect(await store.count(scope, { contextId: 'c' }, 10)).toBe(6);
    const report = { taskId: 'task-1', state: 'completed' as const, revision: 1, reply: 'done' };
    expect(await store.applyReport('d', report, { nowMs: 10, checked: false })).toMatchObject({
      kind: 'applied',
    });
    expect([await count(), await count('completed'), await count('working')]).toEqual([6, 3, 0]);
    await file.close();
  });
});
