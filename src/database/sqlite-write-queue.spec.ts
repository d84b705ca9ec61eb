import { DataSource, type EntityManager } from 'typeorm';
import { openStoreFile, storeFolder } from '../../test/support/store-file.js';
import { StorageUnavailableError } from '../common/index.js';

const put = (name: string) => (manager: EntityManager) =>
  manager.query('INSERT INTO signing_keys (name, value) VALUES (?, ?)', [name, 'x']);

async function names(source: DataSource): Promise<string[]> {
  const rows = await source.query<{ name: string }[]>('SELECT name FROM signing_keys ORDER BY rowid');
  return rows.map((row) => row.name);
}

describe('SqliteWriteQueue', () => {
  const folder = storeFolder();
  let file: Awaited<ReturnType<typeof openStoreFile>>;

  beforeAll(async () => {
    file = await openStoreFile(folder.path, { busyTimeoutMs: 100 });
  });
  beforeEach(() => file.queue.write((manager) => manager.query('DELETE FROM signing_keys')));
  afterAll(async () => {
    await file.close();
    folder.remove();
  });

  it('[B141] writes concurrent units in the order in which they came, and each is readable when it settles', async () => {
    const expected = Array.from({ length: 50 }, (_, n) => `k${n}`);
    const seen = await Promise.all(
      expected.map(async (name) => {
        await file.queue.write(put(name));
        return (await names(file.reader)).includes(name);
      }),
    );
    expect(seen).toEqual(expected.map(() => true));
    expect(await names(file.reader)).toEqual(expected);
  });

  it('commits what arrived during a commit as one group', async () => {
    const statements: string[] = [];
    const runner = file.writer.createQueryRunner();
    const query = runner.query.bind(runner);
    const spy = jest.spyOn(runner, 'query').mockImplementation((sql: string, values?: unknown[]) => {
      statements.push(sql);
      return query(sql, values as never);
    });
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => file.queue.write(put(name))));
    spy.mockRestore();
    expect(statements.filter((sql) => sql === 'COMMIT')).toHaveLength(2);
  });

  it('[B141] undoes a unit that throws alone, and passes its error on', async () => {
    const results = await Promise.allSettled([
      file.queue.write(put('before')),
      file.queue.write(put('good')),
      file.queue.write(async (manager) => {
        await put('half')(manager);
        throw new Error('changed my mind');
      }),
      file.queue.write(put('good')),
      file.queue.write(put('after')),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(results[2]).toMatchObject({ reason: new Error('changed my mind') });
    expect(await names(file.reader)).toEqual(['before', 'good', 'after']);
  });

  it('repeats the units of a group singly when the group cannot be committed', async () => {
    let runs = 0;
    const results = await Promise.allSettled([
      file.queue.write(put('first')),
      file.queue.write(put('second')),
      file.queue.write(async (manager) => {
        runs += 1;
        // The broken reference shows at the commit alone, and takes the whole group with it.
        await manager.query('PRAGMA defer_foreign_keys = ON');
        await manager.query(`INSERT INTO messages (task_id, position, body) VALUES ('nobody', 0, '{}')`);
      }),
      file.queue.write(put('third')),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(runs).toBe(2);
    expect(await names(file.reader)).toEqual(['first', 'second', 'third']);
  });

  it('hands the inputs that wait for the same work to it together, in their order', async () => {
    const calls: string[][] = [];
    const putAll = async (manager: EntityManager, keys: string[]) => {
      calls.push(keys);
      for (const name of keys) await put(name)(manager);
      return keys.map((name) => name.toUpperCase());
    };
    const outcomes = await Promise.all([
      file.queue.write(put('first')),
      file.queue.writeTogether(putAll, 'a'),
      file.queue.write(put('between')),
      file.queue.writeTogether(putAll, 'b'),
      file.queue.writeTogether(putAll, 'c'),
    ]);
    expect(calls).toEqual([['a', 'b', 'c']]);
    expect(outcomes.filter((outcome) => typeof outcome === 'string')).toEqual(['A', 'B', 'C']);
    expect(await names(file.reader)).toEqual(['first', 'a', 'b', 'c', 'between']);
  });

  it('[B141] lets one bad input of several fail alone', async () => {
    const putAll = async (manager: EntityManager, keys: string[]) => {
      for (const name of keys) await put(name)(manager);
      return keys;
    };
    const results = await Promise.allSettled([
      file.queue.write(put('first')),
      ...['a', 'first', 'b'].map((name) => file.queue.writeTogether(putAll, name)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await names(file.reader)).toEqual(['first', 'a', 'b']);
  });

  it('[B146] says that the store is not available while another process holds it, and works again afterwards', async () => {
    const other = await new DataSource({ type: 'sqlite', database: folder.path }).initialize();
    await other.query('BEGIN IMMEDIATE');
    const failure: unknown = await file.queue.write(put('late')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StorageUnavailableError);
    expect(failure).toMatchObject({ cause: expect.any(Error) });
    await other.query('ROLLBACK');
    await file.queue.write(put('later'));
    await other.destroy();
    expect(await names(file.reader)).toEqual(['later']);
  });

  it('[B146] waits for another process that holds the file for a while', async () => {
    const patient = await openStoreFile(folder.path);
    const other = await new DataSource({ type: 'sqlite', database: folder.path }).initialize();
    await other.query('BEGIN IMMEDIATE');
    const writing = patient.queue.write(put('patient'));
    await other.query('SELECT 1');
    await other.query('COMMIT');
    await writing;
    await other.destroy();
    await patient.close();
    expect(await names(file.reader)).toEqual(['patient']);
  });

  it('[R8] finishes what it took before the shutdown and takes nothing more', async () => {
    const ending = await openStoreFile(folder.path);
    const writing = ending.queue.write(put('last'));
    await ending.queue.beforeApplicationShutdown();
    await expect(ending.queue.write(put('too late'))).rejects.toBeInstanceOf(StorageUnavailableError);
    expect(await names(ending.reader)).toEqual(['last']);
    await writing;
    await ending.close();
  });

  it('refuses more than it can hold', async () => {
    const writes = Array.from({ length: 10_002 }, () => file.queue.write(async () => undefined));
    const results = await Promise.allSettled(writes);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ reason: expect.any(StorageUnavailableError) });
  });

  it('lets a unit use what TypeORM runs in a transaction of its own', async () => {
    await file.queue.write((manager) =>
      manager.getRepository('SigningKeyEntity').save({ name: 'saved', value: 'x' }),
    );
    expect(await names(file.reader)).toEqual(['saved']);
  });
});
