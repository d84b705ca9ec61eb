import { addBob, openAdmin } from './admin-fixture.js';
import { sample } from './directory-fixture.js';

describe('the directory file beside commands', () => {
  let admin: Awaited<ReturnType<typeof openAdmin>>;
  let bob: Awaited<ReturnType<typeof addBob>>;
  beforeEach(async () => {
    admin = await openAdmin();
    await admin.service.load(sample());
    bob = await addBob(admin);
  });
  afterEach(() => admin.close());

  it('leaves alone what was made by command, also on what it owns', async () => {
    const { agent } = await admin.agents.add({ address: '@alice/extra', computer: 'alice-laptop' });
    expect(await admin.service.load(sample())).toEqual({ changed: 0, deactivated: 0 });
    expect(await admin.directory.findByAddress('bobby', 'desk')).toMatchObject({ id: bob.agentId });
    expect(await admin.directory.findById(agent.id)).toMatchObject({ revision: 1 });

    admin.clock.nowMs = 2000;
    const renamed = sample();
    renamed.accounts[0] = { id: 'acct-alice', username: 'alicia' };
    await admin.service.load(renamed);
    expect(await admin.directory.findByAddress('alicia', 'extra')).toMatchObject({
      id: agent.id,
      revision: 2,
      updatedAtMs: 2000,
    });
    await admin.service.load({ accounts: [] });
    expect(await admin.directory.findById(agent.id)).toBeUndefined();
    expect(await admin.listing.agent(agent.id)).toMatchObject({
      state: 'account disabled',
      source: 'command',
    });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['account acct-alice', () => admin.accounts.disable('@alice')],
    ['account acct-alice', () => admin.accounts.rename('@alice', 'eve')],
    ['computer alice-laptop', () => admin.computers.rotate('alice-laptop')],
    ['computer alice-laptop', () => admin.computers.revoke('alice-laptop')],
    ['agent agent-helper', () => admin.agents.set('@alice/helper', { name: 'X' })],
    ['agent agent-helper', () => admin.agents.disable('agent-helper')],
    ['agent agent-helper', () => admin.agents.rotateLink('agent-helper')],
    ['key key_', async () => admin.apiKeys.revoke((await admin.listing.apiKeys())[0]?.id ?? '')],
  ])('keeps commands from changing what the file says: %s', async (what, change) => {
    await expect(change()).rejects.toMatchObject({
      problem: 'refused',
      message: expect.stringMatching(
        `^${what}.* comes from the directory file; change it there and send SIGHUP`,
      ),
    });
  });

  it.each<[string, (file: ReturnType<typeof sample>) => unknown]>([
    ['accounts[2].id', (file) => file.accounts.push({ id: 'acct-bob-2', username: 'other' })],
    ['accounts[2].username', (file) => file.accounts.push({ id: 'other', username: 'bobby' })],
    [
      'computers[1].id',
      (file) => file.computers.push({ id: 'bob-box', account: 'acct-bob', relayToken: 'rt_other' }),
    ],
    [
      'computers[1].relayToken',
      (file) => file.computers.push({ id: 'other', account: 'acct-bob', relayToken: bob.relayToken }),
    ],
    [
      'agents[2].id',
      (file) =>
        file.agents.push({
          id: bob.agentId,
          account: 'acct-alice',
          handle: 'other',
          computer: 'alice-laptop',
        }),
    ],
  ])('refuses a file that names what was made by command: %s', async (place, edit) => {
    const file = sample();
    edit(file);
    await expect(admin.service.load(file)).rejects.toThrow(
      `DIRECTORY_FILE cannot be used: ${place}: belongs to an entry made by command; disable that one, or leave it out here`,
    );
    expect(await admin.directory.findByAddress('bobby', 'desk')).toMatchObject({ id: bob.agentId });
  });

  it('refuses a file with the address or key of one made by command, and a computer taken from one', async () => {
    await admin.agents.add({ address: '@alice/extra', computer: 'alice-laptop' });
    const { key } = await admin.apiKeys.add({ account: '@alice' });
    const file = sample();
    file.agents.push({ id: 'x', account: 'acct-alice', handle: 'extra', computer: 'alice-laptop' });
    file.apiKeys.push({ account: 'acct-alice', key });
    await expect(admin.service.load(file)).rejects.toThrow(/agents\[2\]\.handle: .*; apiKeys\[1\]\.key: /);

    const moved = { ...sample(), agents: [] };
    moved.computers = [{ id: 'alice-laptop', account: 'acct-bob', relayToken: 'rt_laptop-secret' }];
    await expect(admin.service.load(moved)).rejects.toThrow(
      'computers[0].account: an assistant made by command for another account runs on it',
    );
  });

  it('hands an entry over to the other side once its own has given it up', async () => {
    await admin.service.load({ accounts: [{ id: 'acct-alice', username: 'alice' }] });
    await expect(admin.agents.enable('agent-helper')).rejects.toThrow('add it again');
    await expect(admin.computers.add({ id: 'alice-laptop', account: '@bobby' })).rejects.toThrow(
      'computer alice-laptop was one of another account',
    );
    await admin.computers.add({ id: 'alice-laptop', account: '@alice' });
    const { agent } = await admin.agents.add({
      address: '@alice/helper',
      computer: 'alice-laptop',
      id: 'agent-helper',
    });
    // Cards are kept by revision, which therefore never starts again.
    expect(agent).toMatchObject({ source: 'command', revision: 2, createdAt: new Date(1000) });

    await expect(admin.service.load(sample())).rejects.toThrow(
      'computers[0].id: belongs to an entry made by command',
    );
    await admin.agents.disable('agent-helper');
    await admin.computers.revoke('alice-laptop');
    await admin.service.load(sample());
    expect(await admin.listing.agent('agent-helper')).toMatchObject({
      source: 'file',
      state: 'active',
      revision: 3,
    });
    expect(await admin.listing.computer('alice-laptop')).toMatchObject({ source: 'file', state: 'active' });
  });
});
