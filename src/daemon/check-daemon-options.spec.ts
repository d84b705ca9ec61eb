import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDaemon, type DaemonOptions } from './index.js';

const start = startDaemon as (options?: unknown) => ReturnType<typeof startDaemon>;
const config = { concurrency: 1, queueLimit: 1, agents: { '*': { runtime: 'echo', timeoutSeconds: 1 } } };

describe('the options of startDaemon', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hello-daemon-options-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
  const good = { url: 'ws://127.0.0.1:9/relay', token: 'rt_test', dataDir, config };
  const without = (name: keyof DaemonOptions) => ({ ...good, [name]: undefined });

  it.each<[string, unknown, string]>([
    ['none', undefined, 'options: are missing'],
    ['no address', without('url'), 'url: must be text'],
    ['no token', without('token'), 'token: must be text'],
    ['no folder', without('dataDir'), 'dataDir: must be text'],
    ['no configuration', without('config'), 'config: is missing'],
    ['a configuration that is none', { ...good, config: 1 }, 'config: '],
    ['a wrong number', { ...good, config: { ...config, concurrency: 0 } }, 'config.concurrency: '],
    ['no agents', { ...good, config: { concurrency: 1 } }, 'config.agents: '],
    ['a runtime that cannot run', { ...good, runtimes: { ok: {} } }, 'runtimes.ok: has no method run'],
    ['no runtime', { ...good, runtimes: { ok: undefined } }, 'runtimes.ok: has no method run'],
    ['half a logger', { ...good, logger: { info: () => undefined } }, 'logger: has no method warn'],
  ])('[O1] are refused with their name: %s', async (_, options, message) => {
    const error: unknown = await start(options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'DaemonConfigError', message: expect.stringContaining(message) });
    expect((error as Error).message).not.toContain('\n');
  });

  it('need no logger: the console is one', async () => {
    const lines: unknown[] = [];
    const spies = (['info', 'warn', 'error'] as const).map((level) =>
      jest.spyOn(console, level).mockImplementation((...line: unknown[]) => void lines.push(line[0])),
    );
    const daemon = await start(good);
    await daemon.stop({ drainMs: 0 });
    spies.forEach((spy) => spy.mockRestore());
    expect(lines).toContain('The daemon stops');
  });
});
