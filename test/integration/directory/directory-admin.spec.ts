import { readFileSync } from 'node:fs';
import { addBob, openAdmin } from './admin-fixture.js';

describe('the directory by command', () => {
  let admin: Awaited<ReturnType<typeof openAdmin>>;
  let bob: Awaited<ReturnType<typeof addBob>>;
  beforeEach(async () => {
    admin = await openAdmin();
    bob = await addBob(admin);
  });
  afterEach(() => admin.close());

  const desk = () => admin.directory.findByAddress('bobby', 'desk');
  const noticed = () => admin.watch.runOnce();

  it('makes what it adds callable', async () => {
    expect(await desk()).toMatchObject({ accountId: 'acct-bob-2', computerId: 'bob-box', revision: 1 });
    expect(await admin.directory.findById(bob.agentId)).toMatchObject({ published: true });
    expect(await admin.listing.agent('@bobby/desk')).toMatchObject({
      id: bob.agentId,
      source: 'command',
      state: 'active',
      createdAt: new Date(1000),
    });
  });

  it('[R1] gives a computer one token at a time, and none after it was revoked', async () => {
    const opens = (token: string) => admin.directory.findComputerByRelayToken(token);
    expect(await opens(bob.relayToken)).toMatchObject({ id: 'bob-box' });
    const { relayToken: second } = await admin.computers.rotate('bob-box');
    expect([await opens(bob.relayToken), await opens(second)]).toEqual([
      undefined,
      expect.objectContaining({ id: 'bob-box' }),
    ]);
    await admin.computers.revoke('bob-box');
    expect(await opens(second)).toBeUndefined();
    const { relayToken: third, computer } = await admin.computers.rotate('bob-box');
    expect([await opens(second), await opens(third)]).toEqual([
      undefined,
      expect.objectContaining({ id: 'bob-box' }),
    ]);
    expect(computer).not.toHaveProperty('disabledAt');
  });

  it('[R1] [P2] [C5] keeps no secret in the database file or in a list', async () => {
    const { key } = await admin.apiKeys.add({ account: '@bobby', label: 'ci' });
    const { linkKey } = await admin.agents.set('@bobby/desk', { visibility: 'link' });
    if (linkKey === undefined) throw new Error('No link key was made');
    await admin.service.writer.query('PRAGMA wal_checkpoint(TRUNCATE)');
    const bytes = readFileSync(admin.service.writer.options.database as string, 'latin1');
    const lists = JSON.stringify([
      await admin.listing.agents(),
      await admin.listing.computers(),
      await admin.listing.apiKeys(),
    ]);
    expect(bytes).toContain('bob-box');
    for (const secret of [key, linkKey, bob.relayToken]) {
      expect(bytes).not.toContain(secret);
      expect(lists).not.toContain(secret);
    }
    expect(lists).not.toContain('sha256:');
  });

  it('[P1] publishes what becomes public and no longer what was, unless told otherwise', async () => {
    const published = async (settings: { visibility?: string; published?: boolean }) =>
      (await admin.agents.set('@bobby/desk', settings)).agent.published;
    expect(await published({ visibility: 'private' })).toBe(false);
    expect(await published({ published: true })).toBe(true);
    expect(await published({ visibility: 'link' })).toBe(true);
    expect(await published({ visibility: 'public', published: false })).toBe(false);
    expect(await published({ visibility: 'public' })).toBe(false);
    expect(await published({ visibility: 'link', published: true })).toBe(true);
    expect((await admin.agents.revokeLink('@bobby/desk')).published).toBe(true);
    expect(await published({ visibility: 'public' })).toBe(true);
  });

  it('[P2] makes API keys that work until they are revoked by their id', async () => {
    const { key, apiKey } = await admin.apiKeys.add({ account: 'acct-bob-2', label: 'ci' });
    expect(await admin.directory.findAccountByApiKey(key)).toBe('acct-bob-2');
    admin.clock.nowMs = 9000;
    await admin.apiKeys.revoke(apiKey.id);
    await noticed();
    expect(await admin.directory.findAccountByApiKey(key)).toBeUndefined();
    expect(await admin.listing.apiKeys()).toEqual([]);
    expect(await admin.listing.apiKeys({ all: true })).toEqual([
      {
        id: apiKey.id,
        account: 'acct-bob-2',
        label: 'ci',
        state: 'disabled',
        source: 'command',
        createdAt: new Date(1000),
        disabledAt: new Date(9000),
      },
    ]);
    await expect(admin.apiKeys.revoke(key)).rejects.toThrow(
      'name the key by its id (key_…), never by the key itself',
    );
  });

  it('[H3] hides an assistant while it is disabled', async () => {
    await admin.agents.disable('@bobby/desk');
    await noticed();
    expect([await desk(), await admin.directory.findById(bob.agentId)]).toEqual([undefined, undefined]);
    await admin.agents.enable('@bobby/desk');
    expect(await desk()).toMatchObject({ id: bob.agentId });
  });

  it('[H3] [P2] [R1] makes all of a disabled account as good as absent, and back', async () => {
    const { key } = await admin.apiKeys.add({ account: '@bobby' });
    const found = async () => {
      await noticed();
      return [
        await desk(),
        await admin.directory.findById(bob.agentId),
        await admin.directory.findComputer('bob-box'),
        await admin.directory.findComputerByRelayToken(bob.relayToken),
        await admin.directory.findAccountByApiKey(key),
      ].map((entry) => entry !== undefined);
    };
    expect(await found()).toEqual([true, true, true, true, true]);
    await admin.accounts.disable('@bobby');
    expect(await found()).toEqual([false, false, false, false, false]);
    expect(await admin.listing.agent(bob.agentId)).toMatchObject({ state: 'account disabled' });
    await admin.accounts.enable('@bobby');
    expect(await found()).toEqual([true, true, true, true, true]);
  });

  it('[C5] makes a key with the visibility link, which goes with it and never comes back', async () => {
    const hash = async () => (await noticed(), await desk())?.linkKeyHash;
    const { linkKey: first } = await admin.agents.set('@bobby/desk', { visibility: 'link' });
    const firstHash = await hash();
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(await admin.agents.set('@bobby/desk', { visibility: 'link' })).not.toHaveProperty('linkKey');
    expect(await hash()).toBe(firstHash);
    const { linkKey: second } = await admin.agents.rotateLink('@bobby/desk');
    expect(second).not.toBe(first);
    expect(await hash()).not.toBe(firstHash);
    expect(await admin.agents.revokeLink('@bobby/desk')).toMatchObject({ visibility: 'private' });
    expect(await hash()).toBeUndefined();
    await admin.agents.addLink('@bobby/desk');
    expect([firstHash, undefined]).not.toContain(await hash());
  });

  it('[B50] raises revision and time of an assistant only when something of it changed', async () => {
    admin.clock.nowMs = 2000;
    await admin.agents.set('@bobby/desk', { name: 'Desk', skills: [{ id: 'chat', name: 'Chat' }] });
    admin.clock.nowMs = 3000;
    await admin.agents.set('@bobby/desk', { name: 'Desk' });
    expect(await desk()).toMatchObject({
      revision: 2,
      updatedAtMs: 2000,
      skills: [{ id: 'chat', name: 'Chat', description: 'Chat', tags: ['chat'] }],
    });
    await admin.accounts.rename('@bobby', 'robert');
    expect(await admin.directory.findByAddress('robert', 'desk')).toMatchObject({
      revision: 3,
      updatedAtMs: 3000,
      name: 'Desk',
    });
    await admin.agents.set('@robert/desk', { name: '' });
    await noticed();
    expect(await admin.directory.findByAddress('robert', 'desk')).not.toHaveProperty('name');
  });

  it.each<[string, () => Promise<unknown>, string, string]>([
    ['an unknown account', () => admin.accounts.disable('@none'), 'unknown', 'there is no account "@none"'],
    ['another case', () => admin.agents.disable('@Bobby/Desk'), 'unknown', 'did you mean @bobby/desk?'],
    [
      'a taken id',
      () => admin.accounts.add({ id: 'acct-bob-2', username: 'b' }),
      'refused',
      'account acct-bob-2 exists already',
    ],
    [
      'a taken username',
      () => admin.accounts.add({ id: 'x', username: 'bobby' }),
      'refused',
      'account acct-bob-2 has the username bobby already',
    ],
    [
      'an upper-case username',
      () => admin.accounts.add({ id: 'x', username: 'X' }),
      'invalid',
      'username: must be 1 to 64 lower-case letters',
    ],
    [
      'a taken address',
      () => admin.agents.add({ address: '@bobby/desk', computer: 'bob-box' }),
      'refused',
      'has the address @bobby/desk already',
    ],
    [
      'an address of another form',
      () => admin.agents.add({ address: 'bobby/desk', computer: 'bob-box' }),
      'invalid',
      'the address must be @username/handle',
    ],
    [
      'an unknown computer',
      () => admin.agents.add({ address: '@bobby/two', computer: 'none' }),
      'unknown',
      'there is no computer "none"',
    ],
    [
      'an id that cannot be an address',
      () => admin.agents.add({ address: '@bobby/two', computer: 'bob-box', id: 'a/b' }),
      'invalid',
      'id: must not be a path',
    ],
    [
      'a computer of the name that assistants in code run on',
      () => admin.computers.add({ id: 'in-process', account: '@bobby' }),
      'invalid',
      'id: must not be in-process',
    ],
    [
      'an unknown visibility',
      () => admin.agents.set('@bobby/desk', { visibility: 'open' }),
      'invalid',
      'visibility: must be public, link or private',
    ],
    [
      'skills of another form',
      () => admin.agents.set('@bobby/desk', { skills: [{ id: 'x' }] }),
      'invalid',
      'skills[0].name: is missing',
    ],
    [
      'nothing to change',
      () => admin.agents.set('@bobby/desk', {}),
      'invalid',
      'nothing to change was given',
    ],
    ['a link where all may call', () => admin.agents.addLink('@bobby/desk'), 'refused', 'it is public'],
    ['no link to replace', () => admin.agents.rotateLink('@bobby/desk'), 'refused', 'it has no link'],
    ['a key that is none', () => admin.apiKeys.revoke('key_%'), 'unknown', 'there is no key "key_%"'],
  ])('refuses %s, and says why', async (_, change, problem, message) => {
    const before = await admin.service.writer.query('SELECT * FROM directory_changes');
    await expect(change()).rejects.toMatchObject({ problem, message: expect.stringContaining(message) });
    expect(await admin.service.writer.query('SELECT * FROM directory_changes')).toEqual(before);
  });

  it('[R7] lets no assistant run on, or take an id of, what belongs to another account', async () => {
    await admin.accounts.add({ id: 'acct-eve', username: 'eve' });
    await admin.computers.add({ id: 'eve-box', account: '@eve' });
    await expect(admin.agents.set('@bobby/desk', { computer: 'eve-box' })).rejects.toThrow(
      'computer eve-box belongs to another account',
    );
    await expect(admin.agents.add({ address: '@eve/desk', computer: 'bob-box' })).rejects.toThrow(
      'computer bob-box belongs to another account',
    );
    const taken = { address: '@eve/desk', computer: 'eve-box', id: bob.agentId };
    await expect(admin.agents.add(taken)).rejects.toThrow('exists already');
    await admin.agents.disable(bob.agentId);
    await expect(admin.agents.add(taken)).rejects.toThrow('is disabled');
  });

  it('gives the address of a disabled assistant to another one only on purpose', async () => {
    await admin.agents.disable('@bobby/desk');
    const again = { address: '@bobby/desk', computer: 'bob-box' };
    await expect(admin.agents.add(again)).rejects.toThrow('`hello agent enable` brings it back');
    await admin.agents.add({ ...again, id: 'another' });
    await expect(admin.agents.enable(bob.agentId)).rejects.toThrow('agent another has its address by now');
  });

  it('does one of two same changes that come at once from two processes', async () => {
    const twice = await Promise.allSettled([
      admin.accounts.add({ id: 'acct-1', username: 'same' }),
      admin.accounts.add({ id: 'acct-2', username: 'same' }),
    ]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await admin.listing.accounts()).map(({ username }) => username)).toEqual(['bobby', 'same']);
  });
});
