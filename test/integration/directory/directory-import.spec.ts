import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { MAX_FILE_BYTES } from '../../../src/directory/import/read-bounded-file.js';
import { openDirectory, sample } from './directory-fixture.js';

describe('import of the directory file', () => {
  let fixture: Awaited<ReturnType<typeof openDirectory>>;
  beforeEach(async () => {
    fixture = await openDirectory();
  });
  afterEach(() => fixture.close());

  const helper = () => fixture.directory.findByAddress('alice', 'helper');

  it('the schema of the migration is the one that the entities describe [K1]', async () => {
    const { upQueries } = await fixture.writer.driver.createSchemaBuilder().log();
    const about = upQueries
      .map(({ query }) => query)
      .filter((query) => /"(accounts|computers|agents|api_keys)"/.test(query));
    expect(about).toEqual([]);
  });

  it('brings everything that the file names into the directory', async () => {
    expect(await fixture.load(sample())).toEqual({ changed: 6, deactivated: 0 });
    expect(await helper()).toMatchObject({
      id: 'agent-helper',
      visibility: 'link',
      revision: 1,
      updatedAtMs: 1000,
    });
    expect(await fixture.directory.handlesOf('alice-laptop')).toEqual(['bare', 'helper']);
  });

  it('[C5] [R1] [P2] keeps no secret of the file in the database file', async () => {
    await fixture.load(sample());
    await fixture.writer.query('PRAGMA wal_checkpoint(TRUNCATE)');
    const bytes = readFileSync(fixture.writer.options.database as string, 'latin1');
    expect(bytes).toContain('agent-helper');
    expect(bytes).not.toMatch(/laptop-secret|link-secret|bob-secret/);
  });

  it('[B50] raises revision and time of an assistant only when something of it changed', async () => {
    await fixture.load(sample());
    fixture.clock.nowMs = 2000;
    expect(await fixture.load(sample())).toEqual({ changed: 0, deactivated: 0 });
    expect(await helper()).toMatchObject({ revision: 1, updatedAtMs: 1000 });

    const edited = sample();
    Object.assign(edited.agents[0] ?? {}, { description: 'New' });
    expect(await fixture.load(edited)).toEqual({ changed: 1, deactivated: 0 });
    expect(await helper()).toMatchObject({ description: 'New', revision: 2, updatedAtMs: 2000 });
    expect(await fixture.directory.findById('agent-bare')).toMatchObject({ revision: 1, updatedAtMs: 1000 });
  });

  it('[B50] takes a new username for a change of every assistant of the account, since its address holds it', async () => {
    await fixture.load(sample());
    const renamed = sample();
    renamed.accounts[0] = { id: 'acct-alice', username: 'alicia' };
    fixture.clock.nowMs = 2000;
    await fixture.load(renamed);
    expect(await helper()).toBeUndefined();
    expect(await fixture.directory.findByAddress('alicia', 'helper')).toMatchObject({
      username: 'alicia',
      revision: 2,
      updatedAtMs: 2000,
    });
  });

  it('deactivates what the file no longer names, and takes it back with a new revision', async () => {
    await fixture.load(sample());
    expect(await fixture.load({ accounts: [] })).toEqual({ changed: 0, deactivated: 6 });
    expect(await helper()).toBeUndefined();
    expect(await fixture.directory.findById('agent-helper')).toBeUndefined();
    expect(await fixture.directory.findComputer('alice-laptop')).toBeUndefined();
    expect(await fixture.directory.findComputerByRelayToken('rt_laptop-secret')).toBeUndefined();
    expect(await fixture.directory.handlesOf('alice-laptop')).toEqual([]);
    expect(await fixture.directory.findAccountByApiKey('hi_bob-secret')).toBeUndefined();
    expect(await fixture.load({ accounts: [] })).toEqual({ changed: 0, deactivated: 0 });

    await fixture.load(sample());
    expect(await helper()).toMatchObject({ id: 'agent-helper', revision: 2 });
    expect(await fixture.directory.findAccountByApiKey('hi_bob-secret')).toBe('acct-bob');
  });

  it('lets entries swap what must be unique', async () => {
    const two = sample();
    two.computers.push({ id: 'bob-desk', account: 'acct-bob', relayToken: 'rt_desk-secret' });
    await fixture.load(two);
    const swapped = sample();
    swapped.accounts = [
      { id: 'acct-alice', username: 'bob' },
      { id: 'acct-bob', username: 'alice' },
    ];
    swapped.computers = [
      { id: 'alice-laptop', account: 'acct-alice', relayToken: 'rt_desk-secret' },
      { id: 'bob-desk', account: 'acct-bob', relayToken: 'rt_laptop-secret' },
    ];
    Object.assign(swapped.agents[0] ?? {}, { handle: 'bare' });
    Object.assign(swapped.agents[1] ?? {}, { handle: 'helper' });
    await fixture.load(swapped);
    expect(await fixture.directory.findByAddress('bob', 'helper')).toMatchObject({ id: 'agent-bare' });
    expect(await fixture.directory.findByAddress('bob', 'bare')).toMatchObject({ id: 'agent-helper' });
    expect(await fixture.directory.findComputerByRelayToken('rt_desk-secret')).toMatchObject({
      id: 'alice-laptop',
    });
  });

  it('lets a new entry take over the name of one that is gone', async () => {
    await fixture.load(sample());
    const taken = sample();
    taken.agents = [{ ...taken.agents[0], id: 'agent-successor' }];
    await fixture.load(taken);
    expect(await helper()).toMatchObject({ id: 'agent-successor', revision: 1 });
  });

  it('keeps presence, which is not the file’s to say', async () => {
    await fixture.load(sample());
    await fixture.directory.recordSeen('alice-laptop', 5000);
    const changed = sample();
    changed.computers[0] = { id: 'alice-laptop', account: 'acct-alice', relayToken: 'rt_other-secret' };
    await fixture.load(changed);
    expect(await fixture.directory.findComputer('alice-laptop')).toMatchObject({ lastSeenAtMs: 5000 });
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ['is missing', (path) => rmSync(path), /the file: .*ENOENT/],
    ['is no YAML', (path) => writeFileSync(path, 'accounts: ['), /line 1, column \d+: is not valid YAML/],
    [
      'has a wrong entry',
      (path) =>
        writeFileSync(path, JSON.stringify({ ...sample(), apiKeys: [{ account: 'nobody', key: 'hi_x' }] })),
      /apiKeys\[0\]\.account: is not an id of accounts/,
    ],
    ['is not UTF-8', (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00])), /is not UTF-8 text/],
    ['is too large', (path) => writeFileSync(path, '#'.repeat(MAX_FILE_BYTES + 1)), /is over 8388608 bytes/],
  ])('a file that %s changes nothing and says why', async (_name, write, reason) => {
    await fixture.load(sample());
    const before: unknown = await fixture.reader.query('SELECT * FROM agents');
    let announced = 0;
    fixture.events.onReloaded(() => (announced += 1));
    write(fixture.file);
    await expect(fixture.directoryImport.run()).rejects.toThrow(reason);
    expect(await fixture.reader.query('SELECT * FROM agents')).toEqual(before);
    expect(announced).toBe(0);
  });

  it('announces a new state once it can be read', async () => {
    const seen: Promise<unknown>[] = [];
    const remove = fixture.events.onReloaded(() => seen.push(helper()));
    await fixture.load(sample());
    expect(await Promise.all(seen)).toEqual([expect.objectContaining({ id: 'agent-helper' })]);
    remove();
    await fixture.load(sample());
    expect(seen).toHaveLength(1);
  });

  it('runs imports one after another, and the last state of the file stands', async () => {
    writeFileSync(fixture.file, JSON.stringify(sample()));
    const first = fixture.directoryImport.run();
    const shared = fixture.directoryImport.run();
    await first;
    await fixture.load({ accounts: [] });
    expect(await shared).toEqual({ changed: 6, deactivated: 0 });
    expect(await helper()).toBeUndefined();
  });

  it('[B141] is one unit of work: other writes go on beside it', async () => {
    const many = sample();
    many.agents = Array.from({ length: 1200 }, (_, index) => ({
      ...many.agents[1],
      id: `a-${index}`,
      handle: `h-${index}`,
    }));
    writeFileSync(fixture.file, JSON.stringify(many));
    await fixture.load(sample());
    writeFileSync(fixture.file, JSON.stringify(many));
    await Promise.all([
      fixture.directoryImport.run(),
      ...Array.from({ length: 50 }, (_, index) => fixture.directory.recordSeen('alice-laptop', index + 1)),
    ]);
    expect(await fixture.directory.handlesOf('alice-laptop')).toHaveLength(1200);
    expect(await fixture.directory.findComputer('alice-laptop')).toMatchObject({ lastSeenAtMs: 50 });
  });

  it('[K1] keeps the directory over a restart', async () => {
    await fixture.load(sample());
    const later = await new DataSource({
      type: 'sqlite',
      name: 'later',
      database: fixture.writer.options.database as string,
    }).initialize();
    expect(await later.query('SELECT id FROM agents WHERE active ORDER BY id')).toEqual([
      { id: 'agent-bare' },
      { id: 'agent-helper' },
    ]);
    await later.destroy();
  });
});
