import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capturedTerminal } from '../../test/support/captured-terminal.js';
import { openStoreFile, storeFolder } from '../../test/support/store-file.js';
import { main } from './main.js';

describe('commands on the directory', () => {
  const folder = storeFolder();
  afterAll(() => folder.remove());

  async function hello(...args: string[]) {
    const env = { A2A_STORE_PATH: folder.path, PUBLIC_BASE_URL: 'https://api.example.com' };
    const terminal = capturedTerminal(env);
    return { code: await main(['node', 'hello', ...args], terminal), ...terminal };
  }
  async function json(...args: string[]) {
    const { code, stdout, stderr } = await hello(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    return JSON.parse(stdout.join('\n'));
  }

  it('says that there is no database before one was made, and makes one with the first entry', async () => {
    const before = await hello('account', 'list');
    expect(before).toMatchObject({ code: 2, stdout: [] });
    expect(before.stderr).toEqual([`hello: A2A_STORE_PATH: there is no database at ${folder.path}`]);
    const { code, stdout, stderr } = await hello('account', 'add', 'acct-1', '--username', 'ann');
    expect({ code, stderr }).toEqual({ code: 0, stderr: [`A new database was made at ${folder.path}.`] });
    expect(stdout.slice(0, 4)).toEqual([
      'id        acct-1',
      'username  ann',
      'state     active',
      'source    command',
    ]);
  });

  it('[R1] [P2] prints a new secret alone on stdout', async () => {
    const computer = await hello('computer', 'add', 'box', '--account', '@ann');
    expect(computer.stdout).toEqual([expect.stringMatching(/^rt_[\w-]{43}$/)]);
    expect((await hello('computer', 'rotate', 'box')).stdout).not.toEqual(computer.stdout);
    const key = await hello('key', 'add', 'acct-1', '--label', 'ci');
    expect(key.stdout).toEqual([expect.stringMatching(/^hi_[\w-]{43}$/)]);
    expect(key.stderr.join()).not.toContain(key.stdout[0]);
  });

  it('[C5] prints the addresses of an assistant, and a link with its key once', async () => {
    const base = 'https://api.example.com/a2a';
    const added = await json('agent', 'add', '@ann/desk', '--computer', 'box', '--id', 'desk-1');
    const urls = {
      '1.0': {
        endpoint: `${base}/@ann/desk`,
        card: `${base}/@ann/desk/.well-known/agent-card.json`,
      },
      '0.3': { endpoint: `${base}/desk-1`, card: `${base}/desk-1/.well-known/agent-card.json` },
    };
    const private10 = { address: '@ann/desk', visibility: 'private', published: false };
    expect(added).toMatchObject({ ...private10, urls: { '1.0': urls['1.0'] } });
    expect(added.urls).not.toHaveProperty(['0.3']);
    expect(await json('agent', 'set', '@ann/desk', '--published', 'yes')).toMatchObject({ urls });
    const { linkKey, urls: linked } = await json('link', 'add', '@ann/desk');
    expect(linked['1.0'].card).toBe(`${urls['1.0'].card}?k=${linkKey}`);
    const shown = await json('agent', 'show', 'desk-1');
    expect(shown).toMatchObject({ visibility: 'link', urls });
    expect(JSON.stringify(shown)).not.toContain(linkKey);
    const { stdout } = await hello('link', 'rotate', 'desk-1');
    expect(stdout).toEqual([expect.stringMatching(/agent-card\.json\?k=[\w-]{43}$/)]);
    expect(await json('link', 'revoke', '@ann/desk')).toMatchObject({ visibility: 'private' });
  });

  it('changes what is given of an assistant, with skills from a file', async () => {
    const skills = join(dirname(folder.path), 'skills.yaml');
    writeFileSync(skills, '- { id: chat, name: Chat, tags: [talk] }');
    const args = [
      'agent',
      'set',
      '@ann/desk',
      '--published',
      'no',
      '--agent-version',
      '2.0',
      '--skills',
      skills,
    ];
    const changed = await json(...args);
    expect(changed).toMatchObject({
      published: false,
      version: '2.0',
      skills: [{ id: 'chat', name: 'Chat', description: 'Chat', tags: ['talk'] }],
    });
    expect(changed.urls).not.toHaveProperty(['0.3']);
    const missing = await hello('agent', 'set', '@ann/desk', '--skills', `${skills}.none`);
    expect(missing.code).toBe(2);
    expect(missing.stderr[0]).toContain('--skills: cannot read');
  });

  it('prints each list as a table, or as JSON', async () => {
    for (const group of ['account', 'computer', 'agent', 'key']) {
      const { code, stdout } = await hello(group, 'list');
      expect([code, stdout.length]).toEqual([0, 2]);
      expect(stdout[0]).toMatch(/^(ID|ADDRESS) .*STATE +SOURCE/);
      expect(await json(group, 'list')).toEqual([
        expect.objectContaining({ state: 'active', source: 'command' }),
      ]);
    }
  });

  it('lists what is disabled or revoked only when asked', async () => {
    const [key] = await json('key', 'list', '--account', '@ann');
    await json('key', 'revoke', key.id);
    await json('computer', 'disable', 'box');
    await json('agent', 'disable', '@ann/desk');
    await json('account', 'disable', '@ann');
    for (const group of ['account', 'computer', 'agent', 'key']) {
      expect(await hello(group, 'list')).toMatchObject({ stdout: [], stderr: ['There are none.'] });
      expect(await json(group, 'list', '--all')).toEqual([expect.objectContaining({ state: 'disabled' })]);
    }
    expect(await json('account', 'enable', '@ann')).toMatchObject({ state: 'active' });
    expect(await json('agent', 'enable', '@ann/desk')).toMatchObject({ state: 'active' });
  });

  it('lets no control characters of an entry reach the terminal', async () => {
    await hello('agent', 'set', '@ann/desk', '--description', 'a\u001b[2Jb\nc');
    const { stdout } = await hello('agent', 'show', '@ann/desk');
    expect(stdout).toContain('description   a [2Jb c');
  });

  it.each([
    [2, ['account', 'add', 'x', '--username', 'Ann']],
    [2, ['account', 'add', 'x']],
    [2, ['agent', 'set', '@ann/desk', '--published', 'maybe']],
    [11, ['computer', 'show', 'none']],
    [11, ['agent', 'list', '--account', '@none']],
    [14, ['account', 'add', 'acct-1', '--username', 'other']],
  ])('ends with code %i and one line on stderr: %j', async (code, args) => {
    const ended = await hello(...args);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: [] });
    expect(ended.stderr).toHaveLength(1);
  });

  it('takes the database of --store', async () => {
    const other = join(dirname(folder.path), 'other.sqlite');
    await hello('account', 'add', 'acct-2', '--username', 'bea', '--store', other);
    expect(await json('account', 'list', '--store', other)).toEqual([
      expect.objectContaining({ id: 'acct-2' }),
    ]);
  });

  it('[K1] reads no database of an older version, and leaves it as it is', async () => {
    const old = join(dirname(folder.path), 'old.sqlite');
    const store = await openStoreFile(old);
    await store.writer.query(`DELETE FROM migrations WHERE name LIKE 'DirectorySources%'`);
    await store.close();
    const { code, stderr } = await hello('account', 'list', '--store', old);
    expect(code).toBe(2);
    expect(stderr[0]).toContain('is of an older version; `hello serve` brings it up to date');
  });
});
