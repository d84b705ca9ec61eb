import { join } from 'node:path';
import { main } from '../../src/cli/main.js';
import { capturedTerminal } from '../support/captured-terminal.js';
import { TestApi, until } from '../support/test-api.js';

describe('presence', () => {
  it('[R5] keeps when a daemon was last heard of and shows it, while the service runs', async () => {
    const api = await TestApi.start();
    const list = async (): Promise<Record<string, string>[]> => {
      const terminal = capturedTerminal({ A2A_STORE_PATH: join(api.folder, 'data', 'a2a.sqlite') });
      expect(await main(['node', 'hello', 'computer', 'list', '--json'], terminal)).toBe(0);
      return JSON.parse(terminal.stdout.join('\n'));
    };
    const before = new Date().toISOString();
    await api.daemon();
    await until('the computer to be noted', async () => 'lastSeenAt' in ((await list())[0] ?? {}));
    const [laptop, tower] = await list();
    expect(laptop).toMatchObject({ id: 'alice-laptop', account: 'acct-alice', source: 'file' });
    expect((laptop?.lastSeenAt ?? '') >= before).toBe(true);
    expect(tower).toMatchObject({ id: 'alice-tower', account: 'acct-alice', state: 'active' });
    expect(tower).not.toHaveProperty('lastSeenAt');
    await api.close();
  });

  it('[O1] says which setting is wrong when there is no database', async () => {
    const terminal = capturedTerminal({ A2A_STORE_PATH: '/nowhere/a2a.sqlite' });
    expect(await main(['node', 'hello', 'computer', 'list'], terminal)).not.toBe(0);
    expect(terminal.stderr.join()).toContain('A2A_STORE_PATH');
  });
});
