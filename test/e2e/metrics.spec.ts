import { ADDRESSES, TestApi, newMessage, until } from '../support/test-api.js';
import { readMetrics, valueOf, type MetricFamily } from '../support/prometheus-text.js';

describe('/metrics of the whole service', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await TestApi.start({ A2A_RECONCILE_SECONDS: '1', A2A_WAIT_BUDGET_MS: '50' });
  });
  afterAll(() => api.close());

  const scrape = async (): Promise<{ text: string; families: Map<string, MetricFamily> }> => {
    const { text } = await api.request('GET', '/metrics');
    return { text, families: readMetrics(text) };
  };

  it('[O2] is well-formed before anything has happened', async () => {
    const { families } = await scrape();
    expect(valueOf(families, 'hello_tasks', { state: 'submitted' })).toBe(0);
    expect(valueOf(families, 'hello_relay_sessions', { state: 'live' })).toBe(0);
    expect(valueOf(families, 'hello_write_queue_length')).toBe(0);
  });

  it('[O2] [H2] counts calls, waits, tasks, links, commits and rounds, and names nobody', async () => {
    const daemon = await api.daemon();
    const task = await api.send();
    await daemon.complete(task.id, 'a reply that no metric holds');
    const waiting = await api.rpc(ADDRESSES.helper, 'SendMessage', { message: newMessage() });
    expect(waiting.status).toBe(504);
    await api.rpc(ADDRESSES.helper, 'GetTask', { id: 'no-such-task' });
    await api.rpc(ADDRESSES.helper, 'GetTask', {});
    await api.rpc(ADDRESSES.helper, 'NoSuchMethod-secret', {});
    await api.rpc(ADDRESSES.tower, 'SendMessage', { message: newMessage() });
    await until('a round of reconciliation', async () => {
      const { families } = await scrape();
      return valueOf(families, 'hello_maintenance_rounds_total', { round: 'reconcile', outcome: 'ok' }) > 0;
    });
    const { text, families } = await scrape();
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
    expect(valueOf(families, 'hello_relay_calls_total', { method: 'job.submit', outcome: 'ok' })).toBe(2);
    expect(valueOf(families, 'hello_relay_acknowledge_duration_seconds_count')).toBe(1);
    expect(valueOf(families, 'hello_relay_sessions', { state: 'live' })).toBe(1);
    expect(valueOf(families, 'hello_commit_group_size_sum')).toBeGreaterThanOrEqual(3);
    expect(text).not.toMatch(/secret|no metric holds|alice|acct-|helper/);
    expect(text).not.toContain(task.id);
  });

  it('[O2] counts tasks by state and the ends of links', async () => {
    const daemon = await api.daemon();
    await daemon.close();
    await until('both links are gone, and states are counted anew', async () => {
      const { families } = await scrape();
      return (
        valueOf(families, 'hello_tasks', { state: 'completed' }) === 1 &&
        valueOf(families, 'hello_relay_sessions', { state: 'open' }) === 0
      );
    });
    const { families } = await scrape();
    expect(valueOf(families, 'hello_relay_sessions_opened_total')).toBe(2);
    expect(valueOf(families, 'hello_relay_sessions_ended_total', { reason: 'replaced' })).toBe(1);
  });
});
