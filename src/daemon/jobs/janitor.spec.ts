import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SubmitParams } from '../../relay-protocol/index.js';
import {
  ConversationStore,
  JobStore,
  conversationKey,
  openJobDatabase,
  type UnitQueue,
} from '../storage/index.js';
import { Janitor } from './janitor.js';
import { Workspaces } from './workspaces.js';

describe('Janitor', () => {
  const clock = { ms: Date.parse('2026-01-01T00:00:00Z'), now: () => clock.ms };
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  let dir: string;
  let queue: UnitQueue;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hello-janitor-'));
    queue = await openJobDatabase(dir);
  });
  afterEach(async () => {
    await queue.close();
    rmSync(dir, { recursive: true });
  });

  const order = (jobId: string, expiresAtMs: number): SubmitParams => ({
    jobId,
    agent: 'a',
    contextId: jobId,
    caller: { accountId: 'u' },
    origin: 'a2a',
    interactive: false,
    message: { messageId: 'm', text: 't' },
    createdAt: new Date(clock.ms).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
  });
  const count = (table: string) =>
    queue.run(
      async (statements) => (await statements.all<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n,
    );

  it('[K2] deletes what has expired: jobs, their turns and their folders, but nothing that is at work', async () => {
    const store = new JobStore(queue, clock);
    const conversations = new ConversationStore(queue, clock);
    const workspaces = new Workspaces(dir, queue, clock);
    const janitor = new Janitor({ store, conversations, workspaces, logger, intervalMs: 1000 });
    const soon = clock.ms + 1000;
    const orders = [order('old', soon), order('new', soon + 1_000_000), order('at-work', soon)];
    const paths: string[] = [];
    for (const each of orders) {
      await store.submit(each, each.jobId, () => 10);
      await store.takeNext(() => true);
      paths.push(await workspaces.acquire(conversationKey(each), Date.parse(each.expiresAt)));
      if (each.jobId === 'at-work') continue;
      workspaces.release(conversationKey(each));
      const remember = [{ role: 'user' as const, content: 'said' }];
      await store.finishRun(each, { state: 'succeeded', reply: 'r', deltas: 0, remember });
    }
    await janitor.runOnce();
    expect([await count('jobs'), await count('turns'), await count('workspaces')]).toEqual([3, 2, 3]);
    clock.ms = soon;
    await janitor.runOnce();
    expect([await count('jobs'), await count('turns'), await count('workspaces')]).toEqual([2, 1, 2]);
    expect(paths.map((path) => existsSync(path))).toEqual([false, true, true]);
  });
});
