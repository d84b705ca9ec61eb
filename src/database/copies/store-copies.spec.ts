import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openStoreFile, storeFolder } from '../../../test/support/store-file.js';
import { TypeOrmTaskStore } from '../../tasks/index.js';
import { openAsIs } from './store-facts.js';
import { StoreCopyError, backUpStore, restoreStore, type RestoreRequest } from '../index.js';

const NOW = Date.UTC(2026, 8, 7);
const SCOPE = { accountId: 'ada', agentId: 'desk', wire: 'v1' as const };
const never = new AbortController().signal;
const mode = (path: string) => statSync(path).mode & 0o777;

describe('copies of a store', () => {
  let folder: ReturnType<typeof storeFolder>;
  let path: string;
  let file: string;
  let beside: (name: string) => string;

  beforeEach(async () => {
    folder = storeFolder();
    beside = (name) => join(dirname(folder.path), name);
    path = join(beside('data'), 'a2a.sqlite');
    file = beside('backup.sqlite');
    await put(path, 'first', NOW);
  });
  afterEach(() => folder.remove());

  async function put(store: string, id: string, nowMs: number): Promise<void> {
    const opened = await openStoreFile(store);
    const message = { messageId: id, role: 'user' as const, parts: [{ text: 'Hello' }] };
    await new TypeOrmTaskStore(opened.reader, opened.queue).accept(
      {
        id,
        scope: SCOPE,
        computerId: 'c',
        contextId: 'x',
        contextIsNew: true,
        retryKey: id,
        fingerprint: 'f',
        message,
        interactive: false,
      },
      { limit: 10, windowMs: 1 },
      { nowMs, expiresAtMs: nowMs + 1000 },
    );
    await opened.close();
  }

  async function change(store: string, sql: string): Promise<void> {
    const opened = await openAsIs(store, { readOnly: false });
    await opened.query(sql);
    await opened.destroy();
  }

  async function tasksIn(store: string): Promise<string[]> {
    const opened = await openAsIs(store, { readOnly: true });
    const rows = await opened.query<{ id: string }[]>('SELECT id FROM tasks ORDER BY id');
    await opened.destroy();
    return rows.map(({ id }) => id);
  }

  const restore = (more: Partial<RestoreRequest> = {}) =>
    restoreStore({ path, file, replaceNewer: false, nowMs: NOW, signal: never, ...more });

  /** Overwrites the middle of a database. */
  function damage(store: string): void {
    const opened = openSync(store, 'r+');
    writeSync(opened, Buffer.alloc(20_000, 7), 0, 20_000, 10_000);
    closeSync(opened);
  }

  it('[K3] holds all that is committed, says what, and is private', async () => {
    const backup = await backUpStore(path, file, never);
    expect(backup).toMatchObject({
      bytes: statSync(file).size,
      counts: { accounts: 0, computers: 0, agents: 0, tasks: 1, messages: 1 },
      newestAtMs: NOW,
    });
    expect([mode(file), await tasksIn(file)]).toEqual([0o600, ['first']]);
    expect(readdirSync(dirname(file)).sort()).toEqual(['backup.sqlite', 'data']);
  });

  it('[K3] holds nothing of what was deleted', async () => {
    await change(path, `UPDATE messages SET body = '"a secret of yesterday"'`);
    await change(path, 'DELETE FROM messages');
    await backUpStore(path, file, never);
    const holdsIt = (store: string) => readFileSync(store, 'latin1').includes('a secret of yesterday');
    expect([holdsIt(path), holdsIt(file)]).toEqual([true, false]);
  });

  it('[K3] is never written over a file, nor named before it is complete', async () => {
    writeFileSync(file, 'mine');
    await expect(backUpStore(path, file, never)).rejects.toThrow(/backup\.sqlite is there already/);
    const absent = join(beside('nowhere'), 'backup.sqlite');
    await expect(backUpStore(path, absent, never)).rejects.toThrow(/there is no folder for /);
    expect(statSync(file).size).toBe(4);
  });

  it('[K3] that is broken off leaves nothing', async () => {
    const stop = new AbortController();
    const copying = backUpStore(path, file, stop.signal);
    stop.abort(new Error('enough'));
    await expect(copying).rejects.toThrow('enough');
    expect(readdirSync(dirname(file))).toEqual(['data']);
  });

  it.each([
    ['a damaged database', async () => damage(path), /malformed|damaged/],
    ['another database', () => change(path, 'DROP TABLE migrations'), /not a database of hello-api/],
    ['a letter', async () => writeFileSync(path, 'A letter'), /not an SQLite database/],
  ])('[K3] is not made of %s', async (_, spoil, reason) => {
    await spoil();
    await expect(backUpStore(path, file, never)).rejects.toThrow(reason);
    await expect(backUpStore(path, file, never)).rejects.toBeInstanceOf(StoreCopyError);
    expect(existsSync(file)).toBe(false);
  });

  it('[K3] starts where no store was, in a folder that is private', async () => {
    await backUpStore(path, file, never);
    const elsewhere = join(beside('new'), 'deep', 'a2a.sqlite');
    expect(await restore({ path: elsewhere })).toEqual(
      expect.not.objectContaining({ keptAs: expect.anything() }),
    );
    expect([mode(dirname(elsewhere)), mode(elsewhere), await tasksIn(elsewhere)]).toEqual([
      0o700,
      0o600,
      ['first'],
    ]);
    await put(elsewhere, 'second', NOW + 1);
    expect(await tasksIn(elsewhere)).toEqual(['first', 'second']);
  });

  it('[K3] takes the place of a store that holds nothing newer, which is kept and private', async () => {
    await put(path, 'second', NOW);
    await backUpStore(path, file, never);
    await change(path, `DELETE FROM tasks WHERE id = 'first'`);
    const { keptAs = '' } = await restore();
    expect([await tasksIn(path), await tasksIn(keptAs)]).toEqual([['first', 'second'], ['second']]);
    expect([mode(keptAs), dirname(keptAs)]).toEqual([0o600, dirname(path)]);
  });

  it('[K3] replaces a store with newer tasks only when told, and keeps them', async () => {
    await backUpStore(path, file, never);
    await put(path, 'second', NOW + 1000);
    await expect(restore()).rejects.toThrow(
      /^A2A_STORE_PATH: .* has changes of 2026-09-07T00:00:01.000Z, the backup ends at 2026-09-07T00:00:00.000Z; --replace-newer /,
    );
    expect(await tasksIn(path)).toEqual(['first', 'second']);
    const { keptAs = '' } = await restore({ replaceNewer: true });
    expect([await tasksIn(path), await tasksIn(keptAs)]).toEqual([['first'], ['first', 'second']]);
  });

  it('[K3] [R1] replaces a store with a newer directory only when told, lest what was revoked opens again', async () => {
    await backUpStore(path, file, never);
    await change(path, 'UPDATE directory_changes SET total = total + 1');
    await expect(restore()).rejects.toThrow(
      /has later changes of its directory than the backup; --replace-newer/,
    );
    await restore({ replaceNewer: true });
  });

  it('[K3] replaces a store of a newer schema only when told', async () => {
    await backUpStore(path, file, never);
    await change(path, `INSERT INTO migrations (timestamp, name) VALUES (1, 'Future1')`);
    await expect(restore()).rejects.toThrow(/has a newer schema than the backup; --replace-newer/);
  });

  it('[K3] replaces a store that cannot be read only when told, and keeps it with its log', async () => {
    await backUpStore(path, file, never);
    writeFileSync(path, 'A letter where the database was');
    writeFileSync(`${path}-wal`, 'its log');
    await expect(restore()).rejects.toThrow(/cannot be compared with the backup/);
    const { keptAs = '' } = await restore({ replaceNewer: true });
    expect(await tasksIn(path)).toEqual(['first']);
    expect(readdirSync(dirname(path)).sort()).toEqual([
      'a2a.sqlite',
      'a2a.sqlite-lock',
      basename(keptAs),
      `${basename(keptAs)}-wal`,
    ]);
  });

  it('[K3] refuses a backup that is damaged, of a newer version or none, and touches nothing', async () => {
    await backUpStore(path, file, never);
    await expect(restore({ file: beside('none') })).rejects.toThrow(/there is no file/);
    await expect(restore({ file: path })).rejects.toThrow(/is the store itself/);
    await change(file, `INSERT INTO migrations (timestamp, name) VALUES (1, 'Future1')`);
    await expect(restore()).rejects.toThrow(/cannot restore .*newer version.*Future1/);
    damage(file);
    await expect(restore()).rejects.toThrow(/cannot restore /);
    writeFileSync(file, 'A letter');
    await expect(restore()).rejects.toThrow(/not an SQLite database/);
    expect(readdirSync(dirname(path)).sort()).toEqual(['a2a.sqlite', 'a2a.sqlite-lock']);
    expect(await tasksIn(path)).toEqual(['first']);
  });

  it('[K3] refuses a store that is in use, until it is not', async () => {
    await backUpStore(path, file, never);
    const service = await openStoreFile(path);
    await expect(restore()).rejects.toThrow(/the service, a backup or another restore uses it/);
    await service.close();
    await restore();
  });
});
