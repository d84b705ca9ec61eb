import { addBob, openAdmin } from './admin-fixture.js';
import { sample } from './directory-fixture.js';

describe('DirectoryWatch', () => {
  let admin: Awaited<ReturnType<typeof openAdmin>>;
  let announced: number;
  beforeEach(async () => {
    admin = await openAdmin();
    await addBob(admin);
    await admin.watch.runOnce();
    announced = 0;
    admin.service.events.onReloaded(() => (announced += 1));
  });
  afterEach(() => admin.close());

  const changes: [string, () => Promise<unknown>][] = [
    ['an account', () => admin.accounts.add({ id: 'new', username: 'new' })],
    ['a username', () => admin.accounts.rename('@bobby', 'robert')],
    ['a computer', () => admin.computers.add({ id: 'new', account: '@bobby' })],
    ['a relay token', () => admin.computers.rotate('bob-box')],
    ['a revoked computer', () => admin.computers.revoke('bob-box')],
    ['an assistant', () => admin.agents.add({ address: '@bobby/new', computer: 'bob-box' })],
    ['a visibility', () => admin.agents.set('@bobby/desk', { visibility: 'private' })],
    ['an API key', () => admin.apiKeys.add({ account: '@bobby' })],
    ['a row that somebody deleted', () => admin.service.writer.query('DELETE FROM agents')],
  ];
  it.each(changes)('[H3] [R1] announces %s of another process, once', async (_, change) => {
    await change();
    await admin.watch.runOnce();
    await admin.watch.runOnce();
    expect(announced).toBe(1);
  });

  it('announces nothing when a computer was only heard of, or nothing changed', async () => {
    await admin.directory.recordSeen('bob-box', 5000);
    await admin.agents.set('@bobby/desk', { visibility: 'public' });
    await admin.watch.runOnce();
    expect(announced).toBe(0);
  });

  it('[H3] what another process changed is true at once, also of what was looked up just before', async () => {
    await admin.service.load(sample());
    expect(await admin.directory.findByAddress('bobby', 'desk')).toMatchObject({ visibility: 'public' });
    await admin.agents.set('@bobby/desk', { visibility: 'private' });
    expect(await admin.directory.findByAddress('bobby', 'desk')).toMatchObject({ visibility: 'private' });
  });
});
