import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HelloProcess } from '../support/hello-process.js';
import { Deployment } from '../support/processes.js';
import { until } from '../support/test-api.js';

/** Longer than the test: what closes a link is the notice of the change, and not the next heartbeat. */
const NO_HEARTBEAT = { RELAY_HEARTBEAT_MS: '3600000' };

// Every command is a process of its own, and a busy machine starts them slowly.
jest.setTimeout(120_000);

describe('directory commands beside the running service', () => {
  let deployment: Deployment;
  const started: HelloProcess[] = [];
  beforeAll(async () => {
    deployment = await Deployment.create({ settings: NO_HEARTBEAT });
    await deployment.startApi();
    await hello('account', 'add', 'acct-dora', '--username', 'dora');
    await hello('computer', 'add', 'dora-box', '--account', 'acct-dora');
  });
  afterAll(async () => {
    await Promise.all(started.map((program) => program.kill()));
    await deployment.close();
  });

  async function hello(...args: string[]) {
    const program = new HelloProcess([...args, '--json'], {
      cwd: deployment.dir,
      env: { A2A_STORE_PATH: join(deployment.dir, 'a2a.sqlite'), PUBLIC_BASE_URL: deployment.base },
    });
    const code = await program.ended;
    if (code !== 0) throw new Error(`hello ${args.join(' ')} ended with ${code}: ${program.output}`);
    return JSON.parse(program.output);
  }
  function daemon(relayToken: string): HelloProcess {
    const url = `${deployment.base.replace('http', 'ws')}/relay`;
    const program = new HelloProcess(['daemon', '--url', url, '--data', join(deployment.dir, 'box')], {
      cwd: deployment.dir,
      env: { HELLO_RELAY_TOKEN: relayToken },
    });
    started.push(program);
    return program;
  }
  async function ask(url: string): Promise<string> {
    const program = new HelloProcess(['send', url, 'Are you there?'], {
      cwd: deployment.dir,
      env: { HELLO_ACCESS_TOKEN: await deployment.token('account-caller') },
    });
    await program.ended;
    return program.output;
  }
  function expectNoneInLog(...secrets: string[]): void {
    const log = deployment.api?.output ?? '';
    expect(log).toContain('hello-api listens on');
    for (const secret of secrets) expect(log).not.toContain(secret);
  }
  const status = async (url: string) => (await fetch(url)).status;

  it('[R1] makes an assistant callable, and closes the link of a token that was replaced', async () => {
    await hello('account', 'add', 'acct-bob', '--username', 'bob');
    const { relayToken: first } = await hello('computer', 'add', 'box', '--account', '@bob');
    const { urls } = await hello('agent', 'add', '@bob/desk', '--computer', 'box', '--visibility', 'public');
    const before = daemon(first);
    await before.printed(/hello daemon is connected/);
    expect(await ask(urls['1.0'].endpoint)).toContain('Are you there?');

    const { relayToken: second } = await hello('computer', 'rotate', 'box');
    expect(await before.ended).toBe(10);
    const after = daemon(second);
    await after.printed(/hello daemon is connected/);
    expect(await ask(urls['1.0'].endpoint)).toContain('Are you there?');
    await hello('account', 'disable', '@bob');
    expect(await after.ended).toBe(10);
    expect(await status(urls['1.0'].card)).toBe(404);
    expectNoneInLog(first, second);
  });

  it('[C5] [H3] hides an assistant, and opens and closes links to it', async () => {
    await hello('agent', 'add', '@dora/desk', '--computer', 'dora-box', '--visibility', 'public');
    const card = `${deployment.base}/a2a/@dora/desk/.well-known/agent-card.json`;
    await until('the card to be there', async () => (await status(card)) === 200);
    await hello('agent', 'set', '@dora/desk', '--visibility', 'private');
    await until('the card to be hidden', async () => (await status(card)) === 404);
    const link = await hello('link', 'add', '@dora/desk');
    await until('the link to open', async () => (await status(link.urls['1.0'].card)) === 200);
    const renewed = await hello('link', 'rotate', '@dora/desk');
    await until('the old link to be closed', async () => (await status(link.urls['1.0'].card)) === 404);
    expect(await status(renewed.urls['1.0'].card)).toBe(200);
    expectNoneInLog(link.linkKey, renewed.linkKey);
  });

  it('[P2] [H3] lets an API key call the 0.3 address until it is revoked', async () => {
    await hello(
      'agent',
      'add',
      '@dora/keyed',
      '--computer',
      'dora-box',
      '--id',
      'dora-keyed',
      '--published',
      'yes',
    );
    const { id, key } = await hello('key', 'add', '@dora');
    const answered = async () => {
      const response = await fetch(`${deployment.base}/a2a/dora-keyed`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'none' } }),
      });
      return response.status;
    };
    await until('the key to open', async () => (await answered()) === 200);
    await hello('key', 'revoke', id);
    await until('the key to open nothing', async () => (await answered()) === 401);
    expectNoneInLog(key);
  });

  it('says which entry of the file belongs to a command, and serves on as before', async () => {
    const { api } = deployment;
    if (api?.pid === undefined) throw new Error('The service does not run');
    await hello('account', 'add', 'acct-carol', '--username', 'carol');
    const from = api.output.length;
    writeFileSync(join(deployment.dir, 'directory.yaml'), 'accounts: [{ id: other, username: carol }]');
    process.kill(api.pid, 'SIGHUP');
    await api.printed(/accounts\[0\]\.username: belongs to an entry made by command/, from);
    expect(await status(`${deployment.endpoint('echo')}/.well-known/agent-card.json`)).toBe(200);
  });
});
