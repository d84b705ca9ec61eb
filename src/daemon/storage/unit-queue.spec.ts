import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJobDatabase } from './open-job-database.js';
import type { UnitQueue } from './unit-queue.js';

describe('UnitQueue', () => {
  let dir: string;
  let queue: UnitQueue;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hello-units-'));
    queue = await openJobDatabase(dir);
    await queue.run((statements) => statements.run('CREATE TABLE notes (text TEXT UNIQUE)'));
  });
  afterEach(async () => {
    await queue.close();
    rmSync(dir, { recursive: true });
  });

  const add = (text: string) =>
    queue.run((statements) => statements.run('INSERT INTO notes VALUES (?)', [text]));
  const all = () =>
    queue.run(async (statements) =>
      (await statements.all<{ text: string }>('SELECT text FROM notes')).map((r) => r.text),
    );

  it('[R4] keeps and tells nothing while the file is not where it was', async () => {
    await add('before');
    renameSync(dir, `${dir}-moved`);
    try {
      await expect(add('meanwhile')).rejects.toThrow('deleted or replaced');
      await expect(all()).rejects.toThrow('deleted or replaced');
    } finally {
      renameSync(`${dir}-moved`, dir);
    }
    expect(await all()).toEqual(['before']);
  });

  it('runs units in the order of their calls: a question sees what was asked for before it', async () => {
    const writes = ['a', 'b', 'c'].map(add);
    const seen = all();
    void add('d');
    expect(await seen).toEqual(['a', 'b', 'c']);
    await Promise.all(writes);
  });

  it('undoes a failed unit alone', async () => {
    const failing = queue.run(async (statements) => {
      await statements.run(`INSERT INTO notes VALUES ('gone')`);
      throw new Error('no');
    });
    const results = await Promise.allSettled([add('first'), add('a'), failing, add('a'), add('b')]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(await all()).toEqual(['first', 'a', 'b']);
  });

  it('repeats a group one by one when the transaction itself breaks, so that only the bad unit fails', async () => {
    const breaking = queue.run(async (statements) => {
      await statements.run('ROLLBACK');
      throw new Error('broke');
    });
    const results = await Promise.allSettled([add('first'), add('a'), breaking, add('b')]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await all()).toEqual(['first', 'a', 'b']);
  });

  it('finishes what was asked for before it closes, and takes nothing after', async () => {
    const writes = Promise.all(['a', 'b'].map(add));
    await queue.close();
    await writes;
    await expect(add('c')).rejects.toThrow(/closed/);
  });
});
