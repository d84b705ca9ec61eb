import sqlite3 from 'sqlite3';
import { DataSource } from 'typeorm';
import { driver } from '../../ormconfig.js';
import { preparedSqlite } from './prepared-sqlite.js';

describe('the SQLite driver', () => {
  let source: DataSource;
  beforeEach(async () => {
    source = await new DataSource({ ...driver, database: ':memory:' }).initialize();
  });
  afterEach(() => source.destroy());

  it('prepares a statement once, and keeps it until the connection closes', async () => {
    const prepare = jest.spyOn(preparedSqlite.Database.prototype, 'prepare');
    const sums: unknown[] = [];
    for (const n of [1, 2, 3]) sums.push(await source.query('SELECT ? + 1 AS sum', [n]));
    expect(sums).toEqual([[{ sum: 2 }], [{ sum: 3 }], [{ sum: 4 }]]);
    expect(prepare.mock.calls.filter(([sql]) => sql === 'SELECT ? + 1 AS sum')).toHaveLength(1);
    prepare.mockRestore();
  });

  it('tells everybody who sent a statement that cannot be prepared, and forgets it', async () => {
    const failures = () => Promise.allSettled([1, 2].map(() => source.query('SELECT * FROM later')));
    for (const { status } of await failures()) expect(status).toBe('rejected');
    await source.query('CREATE TABLE later (id integer)');
    for (const { status } of await failures()) expect(status).toBe('fulfilled');
  });

  it('sees tables change under statements that are kept', async () => {
    await source.query('CREATE TABLE t (id integer)');
    await source.query('\nINSERT INTO t VALUES (1)');
    expect(await source.query('SELECT * FROM t')).toEqual([{ id: 1 }]);
    await source.query('ALTER TABLE t ADD COLUMN name text');
    expect(await source.query('SELECT * FROM t')).toEqual([{ id: 1, name: null }]);
    await source.query('DROP TABLE t');
    await expect(source.query('SELECT * FROM t')).rejects.toThrow('no such table: t');
  });

  it('leaves no statement open behind it', async () => {
    await source.query('PRAGMA user_version');
    await source.query('SELECT 1');
    await expect(source.query('VACUUM')).resolves.toEqual([]);
  });

  it('[O2] leaves sqlite3 quiet, which would note the values of every call otherwise', async () => {
    const verbose = jest.spyOn(sqlite3, 'verbose');
    const other = await new DataSource({ ...driver, database: ':memory:' }).initialize();
    await other.destroy();
    expect(verbose).not.toHaveBeenCalled();
    verbose.mockRestore();
  });
});
