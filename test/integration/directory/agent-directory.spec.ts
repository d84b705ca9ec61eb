import { StorageUnavailableError, hashSecret } from '../../../src/common/index.js';
import { openDirectory, sample } from './directory-fixture.js';

describe('TypeOrmAgentDirectory', () => {
  let fixture: Awaited<ReturnType<typeof openDirectory>>;
  let directory: (typeof fixture)['directory'];
  beforeAll(async () => {
    fixture = await openDirectory();
    directory = fixture.directory;
    await fixture.load(sample());
  });
  afterAll(() => fixture.close());

  it('finds an assistant by its address and by its id, with everything that the file says', async () => {
    const expected = {
      id: 'agent-helper',
      accountId: 'acct-alice',
      username: 'alice',
      handle: 'helper',
      computerId: 'alice-laptop',
      visibility: 'link',
      linkKeyHash: hashSecret('link-secret'),
      published: false,
      name: 'Helper',
      version: '1.0.0',
      skills: [{ id: 'chat', name: 'Chat', description: 'Talks', tags: ['talk'] }],
      updatedAtMs: 1000,
      revision: 1,
    };
    expect(await directory.findByAddress('alice', 'helper')).toEqual(expected);
    expect(await directory.findById('agent-helper')).toEqual(expected);
  });

  it('[B55] finds one without name, description, version and skills beside the others', async () => {
    expect(await directory.findById('agent-bare')).toEqual({
      id: 'agent-bare',
      accountId: 'acct-alice',
      username: 'alice',
      handle: 'bare',
      computerId: 'alice-laptop',
      visibility: 'private',
      published: false,
      skills: [],
      updatedAtMs: 1000,
      revision: 1,
    });
  });

  it.each([
    ['Alice', 'helper'],
    ['alice', 'Helper'],
    ['alice ', 'helper'],
    ['bob', 'helper'],
    ['', ''],
    ['__proto__', 'constructor'],
    ["alice' OR '1'='1", 'helper'],
    ['alice\0', 'helper'],
    ['é', '%'],
    ['a'.repeat(10_000), 'helper'],
  ])('[B54] [B21] finds nothing at another address: %j', async (username, handle) => {
    expect(await directory.findByAddress(username, handle)).toBeUndefined();
  });

  it('[B21] finds nothing by an id that is none, also when it looks like an address', async () => {
    for (const id of ['__proto__', 'toString', '', 'AGENT-HELPER', '@["alice","helper"]', '@alice/helper']) {
      expect(await directory.findById(id)).toBeUndefined();
    }
  });

  it('[R1] finds a computer by its relay token alone, and by its id with the hash', async () => {
    expect(await directory.findComputerByRelayToken('rt_laptop-secret')).toEqual({
      id: 'alice-laptop',
      accountId: 'acct-alice',
    });
    expect(await directory.findComputer('alice-laptop')).toEqual({
      id: 'alice-laptop',
      accountId: 'acct-alice',
      relayTokenHash: hashSecret('rt_laptop-secret'),
    });
    for (const token of ['rt_wrong', '', 'hi_bob-secret', hashSecret('rt_laptop-secret')]) {
      expect(await directory.findComputerByRelayToken(token)).toBeUndefined();
    }
  });

  it('[P2] finds the account of an API key', async () => {
    expect(await directory.findAccountByApiKey('hi_bob-secret')).toBe('acct-bob');
    for (const key of ['hi_wrong', '', 'rt_laptop-secret', hashSecret('hi_bob-secret')]) {
      expect(await directory.findAccountByApiKey(key)).toBeUndefined();
    }
  });

  it('[R3] remembers the latest time at which a computer was heard of', async () => {
    await directory.recordSeen('alice-laptop', 7000);
    await directory.recordSeen('alice-laptop', 6000);
    expect(await directory.findComputer('alice-laptop')).toMatchObject({ lastSeenAtMs: 7000 });
    await directory.recordSeen('unknown', 7000);
    expect(await directory.findComputer('unknown')).toBeUndefined();
  });

  it('[H3] [P2] shows a change at once, also of what was looked up just before', async () => {
    await directory.findByAddress('alice', 'bare');
    await directory.findAccountByApiKey('hi_bob-secret');
    const changed = sample();
    Object.assign(changed.agents[1] ?? {}, { visibility: 'public' });
    await fixture.load({ ...changed, apiKeys: [] });
    expect(await directory.findByAddress('alice', 'bare')).toMatchObject({ visibility: 'public' });
    expect(await directory.findAccountByApiKey('hi_bob-secret')).toBeUndefined();
  });

  it('hands out entries that nobody can change for others', async () => {
    for (const find of [
      () => directory.findByAddress('alice', 'helper'),
      () => directory.findById('agent-helper'),
    ]) {
      const agent = await find();
      const before = structuredClone(agent);
      expect(() => Object.assign(agent ?? {}, { accountId: 'acct-bob' })).toThrow(TypeError);
      expect(() => agent?.skills.push({ id: 's', name: 'S', description: 'S', tags: [] })).toThrow(TypeError);
      expect(() => agent?.skills[0]?.tags.push('more')).toThrow(TypeError);
      expect(() => Object.assign(agent?.skills[0] ?? {}, { name: 'Other' })).toThrow(TypeError);
      expect(await find()).toEqual(before);
    }
  });

  it('[H3] finds nothing of an account that is deactivated, whatever stands beside it', async () => {
    const own = await openDirectory();
    const { directory: found } = own;
    await own.load(sample());
    const look = async () => ({
      byAddress: await found.findByAddress('alice', 'helper'),
      byId: await found.findById('agent-helper'),
      computer: await found.findComputer('alice-laptop'),
      byToken: await found.findComputerByRelayToken('rt_laptop-secret'),
      handles: await found.handlesOf('alice-laptop'),
      key: await found.findAccountByApiKey('hi_bob-secret'),
    });
    expect(Object.values(await look())).not.toContain(undefined);
    await own.queue.write((manager) => manager.query('UPDATE accounts SET active = 0'));
    expect(await look()).toEqual({ handles: [] });
    await own.close();
  });

  it('[W5] reports a database that cannot be read as such', async () => {
    const broken = await openDirectory();
    await broken.load(sample());
    await broken.reader.destroy();
    await expect(broken.directory.findById('agent-helper')).rejects.toThrow(StorageUnavailableError);
    await broken.reader.initialize();
    await broken.close();
  });
});
