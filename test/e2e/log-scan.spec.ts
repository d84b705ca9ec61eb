import { LogWatch } from '../support/log-watch.js';
import { ScriptedDaemon } from '../support/scripted-daemon.js';
import { EXECUTORS } from '../support/executors.js';
import {
  ADDRESSES,
  API_KEY,
  LINK_KEY,
  OTHER_RELAY_TOKEN,
  RELAY_TOKEN,
  newMessage,
  until,
} from '../support/test-api.js';

const TEXT = 'a text that stands in no log line';

describe.each(EXECUTORS)('the log, %s', (_name, start) => {
  it('[H2] [O2] holds neither credentials nor texts, wherever a client puts them', async () => {
    const { api, daemon } = await start({ environment: { A2A_WAIT_BUDGET_MS: '50' } });
    for (const secret of [TEXT, 'a reply that stands in no log line']) api.logs.forbid(secret);
    const task = await api.send({ parts: [{ text: TEXT }], metadata: { note: TEXT } });
    await daemon.complete(task.id, 'a reply that stands in no log line');
    await api.rpc(ADDRESSES.helper, 'SendMessage', { message: newMessage({ parts: [{ text: TEXT }] }) });
    await api.rpc(ADDRESSES.tower, 'SendMessage', { message: newMessage({ parts: [{ text: TEXT }] }) });
    await api.rpc(ADDRESSES.helper, TEXT, { [TEXT]: TEXT });
    await api.rpc(ADDRESSES.helper, 'GetTask', { id: TEXT }, { headers: { 'Idempotency-Key': API_KEY } });
    await api.post(ADDRESSES.helper, `{"jsonrpc": ${TEXT}`);
    for (const credential of [API_KEY, RELAY_TOKEN, LINK_KEY, TEXT]) {
      await api.rpc(
        ADDRESSES.helper,
        'ListTasks',
        {},
        { headers: { Authorization: `Bearer ${credential}` } },
      );
    }
    const key = encodeURIComponent(LINK_KEY);
    for (const path of [
      `?k=${key}`,
      `/${key}`,
      `/k=${key}`,
      `;k=${key}`,
      `%3Fk=${key}`,
      `&k=${key}`,
      `#${key}`,
    ]) {
      await api.request('GET', `${ADDRESSES.linked}${path}`);
      await api.request('GET', `${ADDRESSES.linked}/.well-known/agent-card.json${path}`);
      await api.rpc(ADDRESSES.linked, 'ListTasks', {}, { query: path });
    }
    await api.request('GET', `/${OTHER_RELAY_TOKEN}/${API_KEY}?token=${RELAY_TOKEN}`);
    await expect(api.daemon({ token: 'rt_no-token-of-any-computer-0123456789' })).rejects.toThrow('401');
    const failing = await api.send();
    await daemon.report(failing.id, 'failed', { statusText: TEXT });
    if (daemon instanceof ScriptedDaemon) {
      await daemon
        .sendUpdate({ jobId: TEXT, state: 'failed', revision: 9, statusText: TEXT, updatedAt: TEXT })
        .catch(() => undefined);
    }
    await until('the last request is logged', () =>
      api.logs.lines.some((line) => line.includes('request completed')),
    );
    expect(api.logs.lines.length).toBeGreaterThan(30);
    await api.close();
  });
});

describe('the log', () => {
  it('[O2] is watched: a line with a text or a credential fails the test that led to it', () => {
    const watch = new LogWatch(['a/secret']);
    watch.forbidTextsOf(JSON.stringify({ parts: [{ text: 'a message of\nits own' }] }));
    watch.write('{"msg":"nothing to see"}\n');
    expect(() => watch.check()).not.toThrow();
    for (const line of [
      '{"msg":"a/secret"}',
      '{"path":"/x/a%2Fsecret"}',
      '{"msg":"a message of\\nits own"}',
    ]) {
      const spoiled = new LogWatch(['a/secret']);
      spoiled.forbidTextsOf(JSON.stringify({ parts: [{ text: 'a message of\nits own' }] }));
      spoiled.write(line);
      expect(() => spoiled.check()).toThrow('a log line holds');
    }
  });
});
