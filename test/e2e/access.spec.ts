import {
  ADDRESSES,
  LINK_KEY,
  RELAY_TOKEN,
  SECRET,
  newMessage,
  type Answer,
  type TestApi,
} from '../support/test-api.js';
import { begun, EXECUTORS, type Script } from '../support/executors.js';
import { signAccountToken } from '../../src/accounts/index.js';

/** What a client can see of an answer, without what differs between any two answers. */
function visible({ status, headers, text }: Answer) {
  const { date, 'x-request-id': requestId, ...rest } = headers;
  expect(date).toBeDefined();
  expect(requestId).toBeDefined();
  return { status, headers: rest, text };
}

describe.each(EXECUTORS)('access, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;
  const key = `?k=${encodeURIComponent(LINK_KEY)}`;
  const cardOf = (address: string) => `${address}/.well-known/agent-card.json`;
  const bearer = async (account: string) => ({ Authorization: `Bearer ${await api.token(account)}` });

  beforeAll(async () => {
    ({ api, daemon } = await start({ environment: { A2A_RPC_PER_MINUTE: '1000' } }));
  });
  afterAll(() => api.close());

  it.each([
    ['no token', undefined],
    ['an empty one', 'Bearer'],
    ['another scheme', 'Basic YWxpY2U6eA=='],
    ['garbage', 'Bearer not.a.token'],
    ['a relay token', `Bearer ${RELAY_TOKEN}`],
    ['an API key', 'Bearer hi_0123456789'],
    ['alg none', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhY2N0LWJvYiIsImV4cCI6OTk5OTk5OTk5OX0.'],
  ])('[H1] [H2] [B57] refuses %s with 401, a challenge and JSON', async (_, authorization) => {
    const answer = await api.rpc(
      ADDRESSES.helper,
      'ListTasks',
      {},
      { headers: { Authorization: authorization } },
    );
    expect(answer).toMatchObject({ status: 401, body: { error: expect.any(String) } });
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('[H1] [B57] refuses an expired token and one in the query', async () => {
    const expired = await signAccountToken({ secret: SECRET, accountId: 'acct-bob', ttlSeconds: -3600 });
    const old = await api.rpc(
      ADDRESSES.helper,
      'ListTasks',
      {},
      { headers: { Authorization: `Bearer ${expired}` } },
    );
    expect(old.status).toBe(401);
    const query = `?access_token=${await api.token('acct-bob')}`;
    const inQuery = await api.rpc(
      ADDRESSES.helper,
      'ListTasks',
      {},
      { headers: { Authorization: undefined }, query },
    );
    expect(inQuery.status).toBe(401);
  });

  it('[H1] refuses without a token in the same way whether or not the address exists', async () => {
    const none = { headers: { Authorization: undefined } };
    const hidden = await api.rpc(ADDRESSES.hidden, 'ListTasks', {}, none);
    const absent = await api.rpc(ADDRESSES.absent, 'ListTasks', {}, none);
    expect(hidden.status).toBe(401);
    expect(visible(hidden)).toEqual(visible(absent));
  });

  it('[C4] answers a private address, for anybody but its owner, as one that does not exist: RPC', async () => {
    const absent = visible(await api.rpc(ADDRESSES.absent, 'ListTasks', {}));
    expect(absent).toMatchObject({ status: 404 });
    expect(visible(await api.rpc(ADDRESSES.hidden, 'ListTasks', {}))).toEqual(absent);
    expect(visible(await api.rpc('/a2a/@nobody/helper', 'ListTasks', {}))).toEqual(absent);
    const owner = await api.rpc(ADDRESSES.hidden, 'ListTasks', {}, { account: 'acct-alice' });
    expect(owner.status).toBe(200);
  });

  it('[C4] answers a private address, for anybody but its owner, as one that does not exist: card', async () => {
    const absent = visible(await api.request('GET', cardOf(ADDRESSES.absent)));
    expect(absent).toMatchObject({ status: 404 });
    const headers = await bearer('acct-bob');
    expect(visible(await api.request('GET', cardOf(ADDRESSES.hidden)))).toEqual(absent);
    expect(visible(await api.request('GET', cardOf(ADDRESSES.hidden), { headers }))).toEqual(absent);
    const owner = await api.request('GET', cardOf(ADDRESSES.hidden), { headers: await bearer('acct-alice') });
    expect(owner.status).toBe(200);
    expect(owner.headers['cache-control']).toBe('private, no-store');
  });

  it.each([
    '',
    '?k=',
    '?k=wrong',
    '?k=x',
    `?k=${'a'.repeat(10_000)}`,
    '?k=%00',
    '?k=link%2Bkey%2Fwith%3Dsign%C3%A9',
    `?k=${encodeURIComponent(LINK_KEY)}&k=${encodeURIComponent(LINK_KEY)}`,
    `?k=${encodeURIComponent(LINK_KEY)}&k=b`,
    `?k[]=${encodeURIComponent(LINK_KEY)}`,
    `?k[x]=${encodeURIComponent(LINK_KEY)}`,
  ])('[C5] [B53] answers the key %.60s as an address that does not exist', async (query) => {
    const absentRpc = visible(await api.rpc(ADDRESSES.absent, 'ListTasks', {}, { query }));
    expect(visible(await api.rpc(ADDRESSES.linked, 'ListTasks', {}, { query }))).toEqual(absentRpc);
    const absentCard = visible(await api.request('GET', cardOf(ADDRESSES.absent) + query));
    expect(visible(await api.request('GET', cardOf(ADDRESSES.linked) + query))).toEqual(absentCard);
    expect([absentRpc.status, absentCard.status]).toEqual([404, 404]);
  });

  it('[C5] serves a link-only address under its key, which its card keeps, and to its owner without', async () => {
    const card = await api.request('GET', cardOf(ADDRESSES.linked) + key);
    expect(card.status).toBe(200);
    expect(card.headers['cache-control']).toBe('private, no-store');
    const { url } = card.body.supportedInterfaces[0];
    expect(url.endsWith(`${ADDRESSES.linked}${key}`)).toBe(true);
    expect((await api.rpc(ADDRESSES.linked, 'ListTasks', {}, { query: key })).status).toBe(200);
    const owner = await api.request('GET', cardOf(ADDRESSES.linked), { headers: await bearer('acct-alice') });
    expect(owner.body.supportedInterfaces[0].url.endsWith(ADDRESSES.linked)).toBe(true);
  });

  it.each(['SendMessage', 'GetTask', 'ListTasks', 'CancelTask'])(
    '[H3] %s checks visibility again',
    async (method) => {
      const sent = await api.rpc(
        ADDRESSES.linked,
        'SendMessage',
        { message: newMessage(), configuration: { returnImmediately: true } },
        { query: key },
      );
      const params = { id: sent.body.result.task.id, message: newMessage() };
      expect((await api.rpc(ADDRESSES.linked, method, params)).status).toBe(404);
    },
  );

  describe('other accounts', () => {
    it.each(['GetTask', 'CancelTask'])(
      '[H4] [B103] %s tells nothing of a task of another account or destination',
      async (method) => {
        const task = await api.send({}, { account: 'acct-bob' });
        const unknown = visible(await api.rpc(ADDRESSES.helper, method, { id: 'x'.repeat(36) }));
        expect(unknown.text).toContain('-32001');
        const theirs = await api.rpc(ADDRESSES.helper, method, { id: task.id }, { account: 'acct-alice' });
        expect(visible(theirs)).toEqual(unknown);
        const elsewhere = await api.rpc(ADDRESSES.tower, method, { id: task.id }, { account: 'acct-bob' });
        expect(visible(elsewhere)).toEqual(unknown);
      },
    );

    it('[H4] [S6] [S7] [B82] [B103] contexts and tasks of others are as good as invented ones', async () => {
      const task = await api.send({}, { account: 'acct-bob' });
      const send = async (message: object) =>
        visible(
          await api.rpc(
            ADDRESSES.helper,
            'SendMessage',
            { message: newMessage(message) },
            { account: 'acct-alice' },
          ),
        );
      const strangers = await send({ contextId: task.contextId });
      expect(strangers).toEqual(await send({ contextId: 'never-there' }));
      expect(strangers.text).toContain('-32602');
      const theirTask = await send({ taskId: task.id });
      expect(theirTask).toEqual(await send({ taskId: 'never-there' }));
      expect(theirTask.text).toContain('-32001');
      const list = async (contextId: string) =>
        visible(await api.rpc(ADDRESSES.helper, 'ListTasks', { contextId }, { account: 'acct-alice' }));
      expect(await list(task.contextId)).toEqual(await list('never-there'));
    });

    it('[S5] [B66] the same messageId of two accounts makes two tasks', async () => {
      const message = newMessage();
      const bobs = await api.send(message, { account: 'acct-bob' });
      const alices = await api.send(
        { ...message, parts: [{ text: 'something else' }] },
        { account: 'acct-alice' },
      );
      expect(alices.id).not.toBe(bobs.id);
      expect(alices.contextId).not.toBe(bobs.contextId);
    });
  });

  it('[H5] hands over the owner as an external caller like anybody else', async () => {
    const { id } = await api.send({}, { account: 'acct-alice' });
    await begun(daemon, id);
    const job = daemon.jobs.get(id)?.params;
    expect(job).toMatchObject({ caller: { accountId: 'acct-alice' }, interactive: false });
    expect(Object.keys(job?.caller ?? {})).toEqual(['accountId']);
  });

  describe('calls a minute', () => {
    it('[S9] [B61] [B62] [B39] counts by account, whatever the spelling, and answers 429 with Retry-After', async () => {
      const { api: limited } = await start({ environment: { A2A_RPC_PER_MINUTE: '5' } });
      const token = await limited.token('acct-bob');
      const spellings = [
        { headers: { Authorization: `bearer ${token}`, 'X-Forwarded-For': '10.0.0.1' } },
        { headers: { Authorization: `Bearer  ${token}`, 'X-Forwarded-For': '10.0.0.2' } },
        {},
      ];
      const statuses: number[] = [];
      for (const options of spellings)
        statuses.push((await limited.rpc(ADDRESSES.helper, 'ListTasks', {}, options)).status);
      statuses.push((await limited.rpc('/a2a/%40alice/tower', 'ListTasks', {})).status);
      statuses.push((await limited.post(ADDRESSES.helper, '[{},{},{}]')).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200]);
      const refused = await limited.rpc(ADDRESSES.tower, 'ListTasks', {});
      expect(refused).toMatchObject({ status: 429, body: { error: expect.any(String) } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await limited.rpc(ADDRESSES.helper, 'ListTasks', {}, { account: 'acct-alice' })).status).toBe(
        200,
      );
      await limited.close();
    });
  });
});
