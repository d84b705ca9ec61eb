import { InvalidParamsError } from '../../../src/a2a/index.js';
import type { ListRequest, TaskPage } from '../../../src/tasks/index.js';
import { report } from '../../support/scripted-executor.js';
import { COMPUTER, SCOPE, sending, startTaskSystem, type TaskSystem } from '../../support/task-system.js';

const listing = (change: Partial<ListRequest> = {}): ListRequest => ({
  scope: SCOPE,
  filter: {},
  pageSize: 2,
  ...change,
});

describe('ListTasks', () => {
  let system: TaskSystem;
  beforeEach(async () => {
    system = await startTaskSystem();
  });
  afterEach(async () => {
    await system.stop();
    system.remove();
  });

  const send = (count: number) =>
    Promise.all(Array.from({ length: count }, () => system.send.execute(sending())));

  it('[G3] [B02] has all its members when there are no tasks', async () => {
    expect(await system.list.execute(listing({ pageSize: 50 }))).toEqual({
      tasks: [],
      nextPageToken: '',
      pageSize: 50,
      totalSize: 0,
    });
  });

  it('[G3] [B99] gives each task once, the total on each page, and no token on the last', async () => {
    const sent = await send(4);
    const first = await system.list.execute(listing());
    const last = await system.list.execute(listing({ pageToken: first.nextPageToken }));
    const ids = [...first.tasks, ...last.tasks].map((task) => task.id);
    expect(ids.sort()).toEqual(sent.map((task) => task.id).sort());
    expect([first.totalSize, last.totalSize, last.nextPageToken]).toEqual([4, 4, '']);
  });

  it('[G3] [H4] reads once for those who ask for the same list in one turn, and apart for all others', async () => {
    const [first] = await send(4);
    const { contextId = '', id = '' } = first ?? {};
    await system.reports.take(COMPUTER, report(id, 'completed', 2, { reply: 'Hi' }));
    const { nextPageToken } = await system.list.execute(listing());
    const others: Partial<ListRequest>[] = [
      { scope: { ...SCOPE, accountId: 'bob' } },
      { scope: { ...SCOPE, agentId: 'agent-2' } },
      { filter: { contextId } },
      { filter: { state: 'submitted' } },
      { filter: { statusSinceMs: 9e15 } },
      { pageSize: 3 },
      { pageToken: nextPageToken },
      { historyLength: 1 },
      { includeArtifacts: false },
    ];
    const asked = [{}, ...others].map(listing);
    const alone: TaskPage[] = [];
    for (const request of asked) alone.push(await system.list.execute(request));
    const reads = jest.spyOn(system.store, 'list');
    const together = await Promise.all([...asked, ...asked].map((request) => system.list.execute(request)));
    expect(together).toEqual([...alone, ...alone]);
    // Three of them are empty; a mix-up of any two others would show.
    expect(new Set(together.map((page) => JSON.stringify(page))).size).toBe(asked.length - 2);
    expect(reads).toHaveBeenCalledTimes(asked.length);
  });

  it('[G3] [K1] shows what was accepted before it was asked for, also while an earlier list is being read', async () => {
    const { store } = system;
    const read = store.list.bind(store);
    let later: Promise<TaskPage>[] = [];
    const reads = jest.spyOn(store, 'list').mockImplementationOnce(async (query) => {
      const found = await read(query);
      await system.send.execute(sending());
      later = [system.list.execute(listing()), system.list.execute(listing())];
      return found;
    });
    expect((await system.list.execute(listing())).tasks).toEqual([]);
    expect((await Promise.all(later)).map(({ tasks }) => tasks.length)).toEqual([1, 1]);
    expect(reads).toHaveBeenCalledTimes(2);
  });

  it('[G3] refuses tokens that were made up, changed, or made for another caller or other filters', async () => {
    await send(4);
    const { nextPageToken } = await system.list.execute(listing());
    const [place = '', signature = ''] = nextPageToken.split('.');
    const forged = Buffer.from('[1,"x"]').toString('base64url');
    const wrong: Partial<ListRequest>[] = [
      ...['nonsense', '.', `${place}.`, `.${signature}`, `${forged}.${signature}`].map((pageToken) => ({
        pageToken,
      })),
      { pageToken: `${nextPageToken}A` },
      { pageToken: `${nextPageToken}.x` },
      { pageToken: `${place}.${signature.toUpperCase()}` },
      { pageToken: 'x'.repeat(100_000) },
      { pageToken: nextPageToken, filter: { state: 'submitted' } },
      { pageToken: nextPageToken, filter: { statusSinceMs: 0 } },
      { pageToken: nextPageToken, filter: { contextId: 'c' } },
      { pageToken: nextPageToken, scope: { ...SCOPE, accountId: 'bob' } },
      { pageToken: nextPageToken, scope: { ...SCOPE, agentId: 'lab' } },
    ];
    for (const change of wrong) {
      const page = system.list.execute(listing(change));
      await expect(page).rejects.toBeInstanceOf(InvalidParamsError);
      await expect(page).rejects.toMatchObject({ violations: [{ field: 'pageToken' }] });
    }
    const other = await system.list.execute(listing({ pageToken: nextPageToken, pageSize: 100 }));
    expect(other.tasks).toHaveLength(2);
  });

  it('[G3] keeps its tokens valid over a restart', async () => {
    await send(3);
    const { nextPageToken } = await system.list.execute(listing());
    const { path, remove } = system;
    await system.stop();
    system = { ...(await startTaskSystem({ path })), remove };
    expect((await system.list.execute(listing({ pageToken: nextPageToken }))).tasks).toHaveLength(1);
  });

  it('[G3] leaves out replies when they are declined, and history unless it is asked for', async () => {
    const task = (await send(1))[0];
    await system.reports.take(COMPUTER, report(task?.id ?? '', 'completed', 2, { reply: 'Hi' }));
    const [bare] = (await system.list.execute(listing({ includeArtifacts: false }))).tasks;
    expect([bare?.reply, bare?.history]).toEqual([undefined, []]);
    const [whole] = (await system.list.execute(listing({ includeArtifacts: true, historyLength: 1 }))).tasks;
    expect([whole?.reply, whole?.history.length]).toEqual(['Hi', 1]);
  });

  it('[G4] walks 2,000 tasks by sevens while others come and end, and neither repeats nor misses one', async () => {
    const sent = await send(2000);
    const changing = sent.filter((_, n) => n % 10 === 0);
    const changed = new Set<string>();
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await system.list.execute(listing({ pageSize: 7, pageToken }));
      seen.push(...page.tasks.map((task) => task.id));
      pageToken = page.nextPageToken;
      const next = changing.pop();
      if (next) {
        changed.add(next.id);
        await Promise.all([
          system.reports.take(COMPUTER, report(next.id, 'completed', 2)),
          system.send.execute(sending()),
        ]);
      }
    } while (pageToken !== '');
    expect(new Set(seen).size).toBe(seen.length);
    const known = new Set(seen);
    expect(sent.filter((task) => !changed.has(task.id) && !known.has(task.id))).toEqual([]);
    expect(changed.size).toBe(200);
  }, 180_000);
});
