import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DataSource } from 'typeorm';
import { driver } from '../../ormconfig.js';
import { openStoreFile, storeFolder } from '../../test/support/store-file.js';
import { DatabaseStartError, isCurrent, openWriter } from './data-sources.js';

const mode = (path: string) => statSync(path).mode & 0o777;

describe('the database file', () => {
  const folder = storeFolder();
  afterAll(() => folder.remove());
  const path = (name: string) => join(dirname(folder.path), name, 'a2a.sqlite');

  it('[K1] is private to the process user, with its folder and side files', async () => {
    const store = await openStoreFile(path('private'));
    expect([mode(dirname(path('private'))), mode(path('private'))]).toEqual([0o700, 0o600]);
    expect([mode(`${path('private')}-wal`), mode(`${path('private')}-shm`)]).toEqual([0o600, 0o600]);
    await store.close();
  });

  it('[K1] is made private when it was there before', async () => {
    mkdirSync(dirname(path('before')));
    writeFileSync(path('before'), '');
    chmodSync(path('before'), 0o644);
    chmodSync(dirname(path('before')), 0o755);
    const store = await openStoreFile(path('before'));
    expect([mode(dirname(path('before'))), mode(path('before'))]).toEqual([0o700, 0o600]);
    await store.close();
  });

  it('[K1] leaves the rights of a folder alone that holds other things as well', async () => {
    mkdirSync(dirname(path('shared')));
    chmodSync(dirname(path('shared')), 0o755);
    writeFileSync(join(dirname(path('shared')), 'diary.txt'), '');
    const store = await openStoreFile(path('shared'));
    expect([mode(dirname(path('shared'))), mode(path('shared'))]).toEqual([0o755, 0o600]);
    await store.close();
  });

  it('[K1] leaves the rights of a folder alone that is meant for several users', async () => {
    mkdirSync(dirname(path('sticky')));
    chmodSync(dirname(path('sticky')), 0o1777);
    const store = await openStoreFile(path('sticky'));
    expect([mode(dirname(path('sticky'))), mode(path('sticky'))]).toEqual([0o777, 0o600]);
    await store.close();
  });

  it('[K1] leaves a file that is no database, and its folder, as they are', async () => {
    mkdirSync(dirname(path('letter')), { mode: 0o755 });
    writeFileSync(path('letter'), 'A letter', { mode: 0o644 });
    await expect(openWriter(path('letter'))).rejects.toThrow('it is not an SQLite database');
    expect([mode(dirname(path('letter'))), mode(path('letter'))]).toEqual([0o755, 0o644]);
    expect(readFileSync(path('letter'), 'utf8')).toBe('A letter');
  });

  it('[K1] makes every missing folder of the path, private as well', async () => {
    const deep = join(dirname(path('deep')), 'er', 'a2a.sqlite');
    await (await openStoreFile(deep)).close();
    expect([mode(dirname(path('deep'))), mode(dirname(deep))]).toEqual([0o700, 0o700]);
  });

  it('[K1] [B146] is in WAL mode with full durability, waits when busy, and has large pages', async () => {
    const { writer, reader, close } = await openStoreFile(path('tuned'));
    const pragma = async (name: string) => Object.values((await writer.query(`PRAGMA ${name}`))[0])[0];
    const names = [
      'journal_mode',
      'synchronous',
      'busy_timeout',
      'foreign_keys',
      'page_size',
      'journal_size_limit',
      'wal_autocheckpoint',
      'cache_size',
      'temp_store',
    ];
    expect(await Promise.all(names.map(pragma))).toEqual([
      'wal',
      2,
      5000,
      1,
      8192,
      67_108_864,
      2048,
      -16_384,
      2,
    ]);
    expect(await reader.query('PRAGMA query_only')).toEqual([{ query_only: 1 }]);
    await close();
  });

  it('[B149] uses a driver that the installed TypeORM has, named in ormconfig.ts alone', async () => {
    const database = await new DataSource({ ...driver, database: ':memory:' }).initialize();
    expect(database.driver.options.type).toBe('sqlite');
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.destroy();
    const code = readFileSync(join(__dirname, 'data-sources.ts'), 'utf8');
    expect(code).not.toMatch(/'(better-)?sqlite3?'/);
  });

  it('[B143] refuses find options without a value', async () => {
    const { reader, close } = await openStoreFile(path('strict'));
    const tasks = reader.getRepository('TaskEntity');
    await expect(tasks.findOneBy({ id: undefined })).rejects.toThrow(/undefined/i);
    await close();
  });

  it('[K1] runs its migrations once', async () => {
    await (await openStoreFile(path('twice'))).close();
    const { writer, reader, close } = await openStoreFile(path('twice'));
    expect(await isCurrent(reader)).toBe(true);
    const rows = await writer.query('SELECT name FROM migrations ORDER BY id');
    expect(rows.map((row: { name: string }) => row.name)).toEqual([
      'Tasks1764500000001',
      'Directory1764500000002',
      'Answers1764500000003',
      'DirectorySources1764500000004',
      'Ends1764500000005',
      'FewerIndexPages1764500000006',
    ]);
    await close();
  });

  it('[K1] refuses a file of a newer version and leaves it alone', async () => {
    const { writer, close } = await openStoreFile(path('newer'));
    await writer.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'Future1')`);
    await close();
    const opening = openWriter(path('newer'));
    await expect(opening).rejects.toThrow(DatabaseStartError);
    await expect(opening).rejects.toThrow(/A2A_STORE_PATH.*newer version.*Future1/);
  });

  it.each([
    ['a folder', () => dirname(folder.path)],
    ['below a file', () => join(folder.path, 'a2a.sqlite')],
    ['no database', () => folder.path],
    ['where no folder can be made', () => '/proc/none/a2a.sqlite'],
    ['below a folder that is not there in /proc', () => '/proc/none/deeper/a2a.sqlite'],
  ])('[K1] names A2A_STORE_PATH when the path is %s', async (_, broken) => {
    writeFileSync(folder.path, 'This is a letter and no database, long enough to have a header.'.repeat(20));
    await expect(openWriter(broken())).rejects.toThrow(/^A2A_STORE_PATH: cannot use the database at /);
  });
});
