import { EXECUTORS } from '../support/executors.js';
import { ADDRESSES, type TestApi } from '../support/test-api.js';

describe.each(EXECUTORS)('HTTP, %s', (_name, start) => {
  let api: TestApi;

  beforeAll(async () => {
    ({ api } = await start());
  });
  afterAll(() => api.close());

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset="UTF-8"',
  ])('[W1] [B41] accepts Content-Type %s', async (type) => {
    const answer = await api.rpc(ADDRESSES.helper, 'ListTasks', {}, { headers: { 'Content-Type': type } });
    expect(answer).toMatchObject({ status: 200, body: { result: { tasks: expect.any(Array) } } });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it.each([
    'text/plain',
    undefined,
    'application/a2a+json',
    'application/json; charset=iso-8859-1',
    'application/jsonx',
  ])('[W1] [B41] answers 415 with -32005 and id null to Content-Type %s', async (type) => {
    const answer = await api.rpc(ADDRESSES.helper, 'ListTasks', {}, { headers: { 'Content-Type': type } });
    expect(answer).toMatchObject({
      status: 415,
      body: { jsonrpc: '2.0', id: null, error: { code: -32005 } },
    });
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('[W1] answers 405 with Allow to %s', async (verb) => {
    const answer = await api.request(verb, ADDRESSES.helper);
    expect(answer).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
      body: { error: expect.any(String) },
    });
  });

  it('[W1] [B47] serves a trailing slash as the same address and never redirects', async () => {
    const answer = await api.rpc(`${ADDRESSES.helper}/`, 'ListTasks', {});
    expect(answer).toMatchObject({ status: 200, body: { result: { tasks: expect.any(Array) } } });
    const card = await api.request('GET', `${ADDRESSES.helper}/.well-known/agent-card.json/`);
    expect(card.status).toBe(200);
    expect((await api.request('POST', `${ADDRESSES.helper}//`)).status).toBe(404);
  });

  it.each([
    ['/a2a/%40alice/helper', 200],
    ['/a2a/@alice/%68elper', 200],
    ['/a2a/@Alice/helper', 404],
    ['/a2a/@alice/Helper', 404],
    ['/A2A/@alice/helper', 404],
    ['/a2a/@alice/a%2Fb', 404],
    ['/a2a/@alice/%zz', 400],
    ['/a2a/alice/helper', 404],
    ['/a2a/@/helper', 404],
    ['/a2a/@__proto__/constructor', 404],
  ])('[B54] [B21] [O2] answers POST %s with %d, in JSON and with its request id', async (path, status) => {
    const answer = await api.rpc(path, 'ListTasks', {});
    expect(answer.status).toBe(status);
    expect(answer.body).toBeInstanceOf(Object);
    expect(answer.headers['x-request-id']).toEqual(expect.any(String));
  });

  it('[B38] answers JSON-RPC errors with 200', async () => {
    expect((await api.rpc(ADDRESSES.helper, 'GetTask', { id: 'nobody' })).status).toBe(200);
    expect((await api.rpc(ADDRESSES.helper, 'GetTask', {})).status).toBe(200);
  });

  it('[W1] [W4] answers an envelope and nothing else, also to Accept: text/html', async () => {
    const answer = await api.rpc(ADDRESSES.helper, 'Nope', {}, { headers: { Accept: 'text/html' } });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      id: 'rpc-1',
      error: { code: -32601, message: 'Method not found' },
    });
  });

  it("[W5] sends the headers of browsers' protection that mean something for an API, and no others", async () => {
    const expected = {
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    };
    const others = /^(x-frame|x-xss|x-dns|x-download|x-permitted|cross-origin|origin-agent|strict|x-powered)/;
    for (const path of ['/healthz', '/nowhere', `${ADDRESSES.helper}/.well-known/agent-card.json`]) {
      const { headers } = await api.request('GET', path);
      expect(headers).toMatchObject(expected);
      expect(Object.keys(headers).filter((name) => others.test(name))).toEqual([]);
    }
  });

  it('[W5] tells browsers to stay with https where the public address is one', async () => {
    const { api: secure } = await start({ environment: { PUBLIC_BASE_URL: 'https://api.example' } });
    const { headers } = await secure.request('GET', '/healthz');
    await secure.close();
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });

  it('[B56] has no CORS unless it is asked for', async () => {
    const answer = await api.request('OPTIONS', ADDRESSES.helper, { headers: preflight });
    expect(answer.status).toBeLessThan(500);
    expect(answer.status).not.toBe(401);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('[B56] allows the headers of A2A to the origins that are named', async () => {
    const { api: open } = await start({ environment: { CORS_ORIGINS: 'https://app.example' } });
    const answer = await open.request('OPTIONS', ADDRESSES.helper, { headers: preflight });
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase();
    for (const name of ['a2a-version', 'authorization', 'idempotency-key', 'content-type'])
      expect(allowed).toContain(name);
    const stranger = await open.request('OPTIONS', ADDRESSES.helper, {
      headers: { ...preflight, Origin: 'https://evil.example' },
    });
    expect(stranger.headers['access-control-allow-origin']).not.toBe('https://evil.example');
    await open.close();
  });
});

const preflight = {
  Origin: 'https://app.example',
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'a2a-version,authorization,idempotency-key,content-type',
};
