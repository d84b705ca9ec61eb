import { EXECUTORS, type Script } from '../support/executors.js';
import { ADDRESSES, TestApi, newMessage, until } from '../support/test-api.js';
import { readMetrics, valueOf, type MetricFamily } from '../support/prometheus-text.js';

const environment = { A2A_RECONCILE_SECONDS: '1', A2A_WAIT_BUDGET_MS: '50' };

async function scrape(api: TestApi): Promise<{ text: string; families: Map<string, MetricFamily> }> {
  const { text } = await api.request('GET', '/metrics');
  return { text, families: readMetrics(text) };
}

describe.each(EXECUTORS)('/metrics of the whole service, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;
  beforeAll(async () => {
    ({ api, daemon } = await start({ environment }));
  });
  afterAll(() => api.close());

  it('[O2] is well-formed before anything has happened', async () => {
    const { families } = await scrape(api);
    expect(valueOf(families, 'hello_tasks', { state: 'submitted' })).toBe(0);
    // The daemon has just connected, which is written as well.
    await until('nothing waits to be written', async () => {
      return valueOf((await scrape(api)).families, 'hello_write_queue_length') === 0;
    });
  });

  it('[O2] [H2] counts calls, waits, tasks, links, commits and rounds, and names nobody', async () => {
    const task = await api.send();
    await daemon.complete(task.id, 'a reply that no metric holds');
    const waiting = await api.rpc(ADDRESSES.helper, 'SendMessage', { message: newMessage() });
    expect(waiting.status).toBe(504);
    await api.rpc(ADDRESSES.helper, 'GetTask', { id: 'no-such-task' });
    await api.rpc(ADDRESSES.helper, 'GetTask', {});
    await api.rpc(ADDRESSES.helper, 'NoSuchMethod-secret', {});
    await api.rpc(ADDRESSES.tower, 'SendMessage', { message: newMessage() });
    await until('a round of reconciliation', async () => {
      const { families } = await scrape(api);
      return valueOf(families, 'hello_maintenance_rounds_total', { round: 'reconcile', outcome: 'ok' }) > 0;
    });
    const { text, families } = await scrape(api);
    const calls = (method: string, outcome: string) =>
      valueOf(families, 'hello_rpc_requests_total', { version: '1.0', method, outcome });
    expect(calls('SendMessage', 'ok')).toBe(1);
    expect(calls('SendMessage', 'timeout')).toBe(1);
    expect(calls('SendMessage', 'unavailable')).toBe(1);
    expect(calls('GetTask', 'refused')).toBe(1);
    expect(calls('GetTask', 'invalid')).toBe(1);
    expect(calls('other', 'invalid')).toBe(1);
    expect(valueOf(families, 'hello_rpc_duration_seconds_count', { version: '1.0', method: 'GetTask' })).toBe(
      2,
    );
    expect(valueOf(families, 'hello_waits_ended_total', { end: 'timeout' })).toBe(1);
    expect(valueOf(families, 'hello_commit_group_size_sum')).toBeGreaterThanOrEqual(3);
    expect(text).not.toMatch(/secret|no metric holds|alice|acct-|helper/);
    expect(text).not.toContain(task.id);
  });
});

describe('/metrics of links', () => {
  it('[O2] count those that live, their acknowledgements and their ends', async () => {
    const api = await TestApi.start(environment);
    expect(valueOf((await scrape(api)).families, 'hello_relay_sessions', { state: 'live' })).toBe(0);
    const first = await api.daemon();
    const task = await api.send();
    await first.complete(task.id);
    const { families: during } = await scrape(api);
    expect(valueOf(during, 'hello_relay_calls_total', { method: 'job.submit', outcome: 'ok' })).toBe(1);
    expect(valueOf(during, 'hello_relay_acknowledge_duration_seconds_count')).toBe(1);
    expect(valueOf(during, 'hello_relay_sessions', { state: 'live' })).toBe(1);
    const daemon = await api.daemon();
    await daemon.close();
    await until('both links are gone, and states are counted anew', async () => {
      const { families } = await scrape(api);
      return (
        valueOf(families, 'hello_tasks', { state: 'completed' }) === 1 &&
        valueOf(families, 'hello_relay_sessions', { state: 'open' }) === 0
      );
    });
    const { families } = await scrape(api);
    expect(valueOf(families, 'hello_relay_sessions_opened_total')).toBe(2);
    expect(valueOf(families, 'hello_relay_sessions_ended_total', { reason: 'replaced' })).toBe(1);
    await api.close();
  });
});
