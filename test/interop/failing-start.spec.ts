import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { driver } from '../../ormconfig.js';
import { HelloProcess } from '../support/hello-process.js';

const cwd = mkdtempSync(join(tmpdir(), 'hello-start-'));
const port = createServer();
const file = (name: string) => join(cwd, name);

beforeAll(async () => {
  writeFileSync(file('junk'), 'A letter and no database');
  writeFileSync(file('bad.yaml'), 'accounts: [{ id: a, username: A }, { id: b, username: B }]');
  const newer = await new DataSource({ ...driver, database: file('newer') }).initialize();
  await newer.query('CREATE TABLE migrations (id INTEGER PRIMARY KEY, timestamp INTEGER, name TEXT)');
  await newer.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'Future1')`);
  await newer.destroy();
  await new Promise<void>((done) => port.listen(0, '127.0.0.1', done));
});

afterAll(async () => {
  await new Promise((done) => port.close(done));
  rmSync(cwd, { recursive: true, force: true });
});

async function failedStart(settings: Record<string, string>) {
  const env = {
    ACCOUNT_JWT_SECRET: 'a-secret-of-at-least-32-characters-for-tests',
    A2A_STORE_PATH: file('a2a.sqlite'),
    PORT: '0',
    ...settings,
  };
  const program = new HelloProcess(['serve'], { cwd, env });
  const code = await program.ended;
  const lines = program.output.trimEnd().split('\n');
  return {
    code,
    logs: lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object),
    others: lines.filter((line) => !line.startsWith('{')),
  };
}

describe('a start that a setting does not allow', () => {
  it.each([
    ['a taken port', () => ({ PORT: String((port.address() as AddressInfo).port) }), 'PORT: '],
    ['an address of another computer', () => ({ HOST: '192.0.2.1' }), 'HOST: '],
    ['an unknown host name', () => ({ HOST: 'no-such-host.invalid' }), 'HOST: '],
    ['a file that is no database', () => ({ A2A_STORE_PATH: file('junk') }), 'A2A_STORE_PATH: '],
    ['a file as folder', () => ({ A2A_STORE_PATH: file('junk/a2a.sqlite') }), 'A2A_STORE_PATH: '],
    ['folders below /proc', () => ({ A2A_STORE_PATH: '/proc/none/a2a.sqlite' }), 'A2A_STORE_PATH: '],
    ['a database of a newer version', () => ({ A2A_STORE_PATH: file('newer') }), 'A2A_STORE_PATH: '],
    ['a faulty directory', () => ({ DIRECTORY_FILE: file('bad.yaml') }), 'DIRECTORY_FILE '],
  ])(
    '[O1] [K1] ends with code 2 and one line beside logs without a stack: %s',
    async (_, settings, beginning) => {
      const { code, logs, others } = await failedStart(settings());
      expect(others).toEqual([expect.stringMatching(`^hello: ${beginning}`)]);
      expect(code).toBe(2);
      expect(logs.filter((line) => JSON.stringify(line).includes('\\n    at '))).toEqual([]);
    },
  );
});
