import { openStoreFile, storeFolder } from '../../../test/support/store-file.js';
import type { TaskFilter } from '../task-store.js';
import { sentSince } from './message-quota.js';
import { OPEN_TASKS } from './open-tasks.js';
import { countStatement, pageStatement } from './read-tasks.js';
import { IS_OPEN } from './task-row.js';
import { TypeOrmTaskStore } from './typeorm-task.store.js';

const scope = { accountId: 'a', agentId: 'b' };

describe('the hot queries', () => {
  const folder = storeFolder();
  let file: Awaited<ReturnType<typeof openStoreFile>>;
  beforeAll(async () => {
    file = await openStoreFile(folder.path);
  });
  afterAll(async () => {
    await file.close();
    folder.remove();
  });

  async function planOf(sql: string, values: unknown[] = []): Promise<string> {
    const rows = await file.reader.query<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${sql}`, values);
    return rows.map((row) => row.detail).join('\n');
  }

  /** The statement that a method of the store sends. */
  async function sentBy(call: (store: TypeOrmTaskStore) => Promise<unknown>): Promise<string> {
    const query = jest.spyOn(file.reader, 'query');
    await call(new TypeOrmTaskStore(file.reader, file.queue));
    const [sql, values] = query.mock.calls[0] ?? [];
    query.mockRestore();
    return await planOf(String(sql), values as unknown[]);
  }

  it.each<[string, TaskFilter]>([
    ['tasks_list (account_id=? AND agent_id=?', {}],
    ['tasks_list (account_id=? AND agent_id=?', { state: 'working' }],
    ['tasks_list (account_id=? AND agent_id=? AND status_at>?', { statusSinceMs: 1 }],
    ['tasks_context (context_id=? AND account_id=? AND agent_id=?', { contextId: 'c' }],
  ])('[G4] a page is read from %s for %j, without sorting', async (index, filter) => {
    const query = { scope, filter, limit: 50, includeReply: false, nowMs: 1 };
    const first = pageStatement(query);
    const next = pageStatement({ ...query, after: { statusAtMs: 5, id: 'x' } });
    const plans = [await planOf(first.sql, first.values), await planOf(next.sql, next.values)];
    for (const plan of plans) {
      expect(plan).toContain(index);
      expect(plan).not.toContain('TEMP B-TREE');
    }
    expect(plans[1]).toMatch(/status_at/);
  });

  it.each<[string, TaskFilter]>([
    ['COVERING INDEX tasks_context', { contextId: 'c', state: 'working' }],
    ['COVERING INDEX tasks_list', { statusSinceMs: 1, state: 'working' }],
  ])('[G3] a count is taken from %s for %j', async (index, filter) => {
    const { sql, values } = countStatement(scope, filter, 1);
    expect(await planOf(sql, values)).toContain(index);
  });

  it('[G3] a count without filter walks the totals, what is open and what has expired', async () => {
    const { sql, values } = countStatement(scope, {}, 1);
    const plan = await planOf(sql, values);
    expect(plan).toContain('task_totals USING PRIMARY KEY (account_id=? AND agent_id=?)');
    expect(plan).toContain('COVERING INDEX tasks_open_scope (account_id=? AND agent_id=?');
    expect(plan).toContain('COVERING INDEX tasks_expiry (expires_at<?)');
  });

  it('[S5] a retry key, [R5] the open tasks of a computer and a task itself are found by index', async () => {
    expect(await sentBy((store) => store.findByRetryKey(scope, 'k', 1))).toContain('tasks_retry_key');
    expect(await sentBy((store) => store.find(scope, 'x', 1))).toContain('sqlite_autoindex_tasks_1 (id=?)');
    const open = await planOf(OPEN_TASKS, ['c', 1, 5]);
    expect(open).toContain('tasks_open (computer_id=?)');
    expect(open).not.toContain('TEMP B-TREE');
    expect(await sentBy((store) => store.openTasks('c', 5, 1))).toContain('tasks_open (computer_id=?)');
  });

  it('[R4] a task is written once for all reports of it that are written together', async () => {
    const store = new TypeOrmTaskStore(file.reader, file.queue);
    const draft = {
      ...{ id: 'once', scope, computerId: 'c', contextId: 'own', contextIsNew: true, retryKey: 'once' },
      ...{ fingerprint: 'f', interactive: false },
      message: { messageId: 'm', role: 'user' as const, parts: [{ text: 'Hi' }] },
    };
    await store.accept(draft, { limit: 1000, windowMs: 1000 }, { nowMs: 5000, expiresAtMs: 9000 });
    const runner = file.writer.createQueryRunner();
    const query = jest.spyOn(runner, 'query');
    const report = (state: 'working' | 'completed', revision: number) =>
      store.applyReport('c', { taskId: 'once', state, revision }, { nowMs: 6000, checked: false });
    // The first makes a group of its own, which the others wait for.
    const busy = file.queue.write((manager) => manager.query('SELECT 1'));
    const outcomes = await Promise.all([
      report('working', 1),
      report('working', 2),
      report('completed', 3),
      busy,
    ]);
    const updates = query.mock.calls.filter(([sql]) => sql.includes('UPDATE tasks'));
    query.mockRestore();
    expect(updates).toHaveLength(1);
    expect(outcomes.slice(0, 3)).toMatchObject([
      { kind: 'applied', task: { state: 'working', revision: 1 } },
      { kind: 'applied', task: { state: 'working', revision: 2 } },
      { kind: 'applied', task: { state: 'completed', revision: 3 } },
    ]);
    const written = await file.writer.query(`SELECT state, revision FROM tasks WHERE id = 'once'`);
    expect(written).toEqual([{ state: 'completed', revision: 3 }]);
  });

  it('what is written together looks up each task by its index', async () => {
    const statements: [string, unknown[]][] = [];
    const runner = file.writer.createQueryRunner();
    const query = runner.query.bind(runner);
    const spy = jest.spyOn(runner, 'query').mockImplementation((sql: string, values?: unknown[]) => {
      if (values) statements.push([sql, values]);
      return query(sql, values as never);
    });
    const store = new TypeOrmTaskStore(file.reader, file.queue);
    const draft = {
      ...{ id: 'x', scope, computerId: 'c', contextId: 'known', contextIsNew: false, retryKey: 'k' },
      ...{ fingerprint: 'f', interactive: false },
      message: { messageId: 'm', role: 'user' as const, parts: [{ text: 'Hi' }] },
    };
    const quota = { limit: 1, windowMs: 1000 };
    const times = { nowMs: 5000, expiresAtMs: 9000 };
    await store.accept({ ...draft, contextIsNew: true }, quota, times);
    await store.accept({ ...draft, id: 'y', retryKey: 'l' }, quota, times);
    const report = { taskId: 'x', state: 'working' as const, revision: 1 };
    for (const checked of [false, true, true]) await store.applyReport('c', report, { nowMs: 5000, checked });
    await store.applyReport('c', { ...report, taskId: 'z' }, { nowMs: 5000, checked: false });
    spy.mockRestore();

    expect(statements.length).toBeGreaterThan(10);
    for (const [sql, values] of statements) {
      const plan = await planOf(sql, values);
      expect(`${sql}\n${plan}`).not.toMatch(/SCAN (tasks|answers|messages|task_totals)|AUTOMATIC/);
    }
  });

  it('[S9] the quota and [K2] pruning are served by indexes', async () => {
    const sent = await planOf(sentSince('?1', '?2'), ['a', 1]);
    expect(sent).toContain('COVERING INDEX tasks_list (account_id=? AND agent_id=? AND status_at>?)');
    expect(sent).toContain('COVERING INDEX tasks_open_scope (account_id=?)');
    expect(sent).toContain('COVERING INDEX answers_quota');
    const expired = (state: string) =>
      planOf(`SELECT id FROM tasks WHERE ${state} AND expires_at <= ? ORDER BY expires_at LIMIT ?`, [1, 100]);
    const plans = [await expired(`NOT ${IS_OPEN}`), await expired(IS_OPEN)];
    expect(plans[0]).toContain('tasks_expiry (expires_at<?)');
    expect(plans[1]).toContain('tasks_open_expiry (expires_at<?)');
    expect(plans.join()).not.toContain('TEMP B-TREE');
  });
});
