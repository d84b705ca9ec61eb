import { openStoreFile, storeFolder } from '../../../test/support/store-file.js';
import { findStatement } from './find-computers.js';

describe('looking for computers', () => {
  const folder = storeFolder();
  afterAll(() => folder.remove());

  it.each([
    ['relay_token_hash', 'computers_relay_token (relay_token_hash=?)'],
    ['id', 'sqlite_autoindex_computers_1 (id=?)'],
  ] as const)('[R1] by %s goes through an index, also for several at once', async (key, index) => {
    const file = await openStoreFile(folder.path);
    const rows = await file.reader.query<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${findStatement(key)}`, [
      '["a","b"]',
    ]);
    await file.close();
    const plan = rows.map((row) => row.detail).join('\n');
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/SCAN (computers|accounts)/);
  });
});
