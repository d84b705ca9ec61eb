import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS } from '../../src/database/index.js';
import { HelloProcess } from '../support/hello-process.js';
import { damageOf, query } from './faults/database-file.js';

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'hello-starts-'));
const processes: HelloProcess[] = [];
afterEach(async () => {
  for (const each of processes) await each.kill();
  rmSync(folder, { recursive: true, force: true });
});

describe('four processes that start at once on an empty store', () => {
  it('[K1] all start, one after another makes sure of the schema, and each migration ran once', async () => {
    const path = join(folder, 'data', 'a2a.sqlite');
    const env = {
      HOST: '127.0.0.1',
      PORT: '0',
      A2A_STORE_PATH: path,
      ACCOUNT_JWT_SECRET: 'a-secret-of-at-least-32-characters-for-starts',
    };
    for (let n = 0; n < 4; n += 1) processes.push(new HelloProcess(['serve'], { cwd: folder, env }));
    await Promise.all(processes.map((each) => each.printed(/hello-api listens on/)));

    const rows = await query<{ name: string }>(path, 'SELECT name FROM migrations ORDER BY id');
    expect(rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(await damageOf(path)).toEqual([]);
    expect(await Promise.all(processes.map((each) => each.stop()))).toEqual([0, 0, 0, 0]);
  });
});
