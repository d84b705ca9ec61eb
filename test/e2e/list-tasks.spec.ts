import { EXECUTORS, atWork, type Script } from '../support/executors.js';
import { ADDRESSES, type TestApi } from '../support/test-api.js';

describe.each(EXECUTORS)('ListTasks, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;
  /** One of its own for each case, which sees no task of another. */
  let account: string;
  let accounts = 0;
  const list = async (params: object = {}, options: object = {}) =>
    (await api.rpc(ADDRESSES.helper, 'ListTasks', params, { account, ...options })).body;
  const send = () => api.send({}, { account });
  const ids = (page: { result: { tasks: { id: string }[] } }) => page.result.tasks.map(({ id }) => id);

  beforeAll(async () => {
    ({ api, daemon } = await start());
  });
  beforeEach(() => {
    accounts += 1;
    account = `acct-${accounts}`;
  });
  afterAll(() => api.close());

  it('[G3] [B02] has all four members on an empty list', async () => {
    expect(await list()).toEqual({
      jsonrpc: '2.0',
      id: 'rpc-1',
      result: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 },
    });
  });

  it('[G3] [B01] [B04] filters by state and context; unset and unspecified mean all', async () => {
    const [working, completed, canceled] = [await send(), await send(), await send()];
    await daemon.complete(completed.id);
    await api.rpc(ADDRESSES.helper, 'CancelTask', { id: canceled.id }, { account });
    await atWork(api, working.id, { account });
    for (const params of [{}, { status: 'TASK_STATE_UNSPECIFIED' }, { status: 0 }, { status: null }]) {
      expect(ids(await list(params)).sort()).toEqual([working.id, completed.id, canceled.id].sort());
    }
    expect(ids(await list({ status: 'TASK_STATE_WORKING' }))).toEqual([working.id]);
    expect((await list({ status: 3 })).result).toMatchObject({ totalSize: 1, tasks: [{ id: completed.id }] });
    expect(ids(await list({ contextId: canceled.contextId }))).toEqual([canceled.id]);
    expect((await list({ status: 'TASK_STATE_AUTH_REQUIRED' })).result).toMatchObject({
      totalSize: 0,
      tasks: [],
    });
  });

  it('[G3] [B08] statusTimestampAfter is inclusive to the millisecond', async () => {
    const task = await send();
    await atWork(api, task.id, { account });
    const { timestamp } = (await api.getTask(task.id, { account })).status;
    const at = (ms: number) => new Date(Date.parse(timestamp) + ms).toISOString();
    expect(ids(await list({ statusTimestampAfter: `${timestamp.slice(0, 10)}T00:00:00Z` }))).toEqual([
      task.id,
    ]);
    expect(ids(await list({ statusTimestampAfter: at(0) }))).toEqual([task.id]);
    expect(await list({ statusTimestampAfter: at(1) })).toMatchObject({
      result: { tasks: [], totalSize: 0 },
    });
  });

  it('[G3] shows newest status first, artifacts only when asked', async () => {
    const [older, newer] = [await send(), await send()];
    await atWork(api, newer.id, { account });
    await daemon.complete(older.id, 'reply');
    expect(ids(await list())).toEqual([older.id, newer.id]);
    expect((await list()).result.tasks[0]).not.toHaveProperty('artifacts');
    expect((await list({ includeArtifacts: true })).result.tasks[0].artifacts).toHaveLength(1);
  });

  it('[G3] [G4] [B99] walks every task once, with the total on every page and an empty last token', async () => {
    const sent = await Promise.all(Array.from({ length: 5 }, () => send()));
    for (const { id } of sent) await atWork(api, id, { account });
    const seen: string[] = [];
    let pageToken = '';
    do {
      const { result } = await list({ pageSize: 2, pageToken });
      expect(result).toMatchObject({ totalSize: 5, pageSize: 2 });
      seen.push(...result.tasks.map(({ id }: { id: string }) => id));
      pageToken = result.nextPageToken;
    } while (pageToken !== '');
    expect(seen.sort()).toEqual(sent.map(({ id }) => id).sort());
  });

  it('[G3] refuses a page token that was altered, or is used with another filter or by another caller', async () => {
    for (const { id } of await Promise.all([send(), send(), send()])) await atWork(api, id, { account });
    const { nextPageToken } = (await list({ pageSize: 1 })).result;
    const altered = `${nextPageToken.slice(0, -2)}${nextPageToken.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const answer of [
      await list({ pageSize: 1, pageToken: altered }),
      await list({ pageSize: 1, pageToken: 'nonsense' }),
      await list({ pageSize: 1, pageToken: nextPageToken, status: 'TASK_STATE_WORKING' }),
      await list({ pageSize: 1, pageToken: nextPageToken }, { account: 'acct-alice' }),
    ]) {
      expect(answer.error).toMatchObject({
        code: -32602,
        data: [{ fieldViolations: [{ field: 'pageToken' }] }],
      });
    }
    expect((await list({ pageSize: 1, pageToken: nextPageToken })).result.tasks).toHaveLength(1);
  });

  it.each([
    ['pageSize', 0, 101],
    ['historyLength', -1, 101],
    ['status', 'working', ''],
    ['statusTimestampAfter', '2026-02-30T00:00:00Z', ''],
  ])('[G3] [B07] [B102] refuses %s out of range', async (field, ...values) => {
    for (const value of values) {
      expect((await list({ [field]: value })).error).toMatchObject({
        code: -32602,
        data: [{ fieldViolations: [{ field }] }],
      });
    }
  });
});
