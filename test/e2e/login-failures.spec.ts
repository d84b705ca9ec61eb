import { request as httpRequest } from 'node:http';
import { WebSocket } from 'ws';
import { SUBPROTOCOL } from '../../src/relay-protocol/index.js';
import { readMetrics, valueOf } from '../support/prometheus-text.js';
import { ADDRESSES, TestApi } from '../support/test-api.js';

const LIMIT = 3;

describe('credentials that are not valid', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await TestApi.start({ A2A_LOGIN_FAILURES_PER_MINUTE: String(LIMIT) });
  });
  afterEach(() => api.close());

  const bad = (headers: Record<string, string> = {}) =>
    api.rpc(ADDRESSES.helper, 'ListTasks', {}, { headers: { Authorization: 'Bearer a.b.c', ...headers } });
  const statuses = async (times: number, headers?: Record<string, string>) => {
    const seen: number[] = [];
    for (let at = 0; at < times; at += 1) seen.push((await bad(headers)).status);
    return seen;
  };

  it('[H2] [W5] get 429 with Retry-After instead of 401 past the limit', async () => {
    expect(await statuses(LIMIT)).toEqual([401, 401, 401]);
    const { status, headers, body } = await bad();
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body).toEqual({ error: 'Too many credentials that are not valid came from this address' });
  });

  it('[H2] never keep those with a valid one out, nor those without any from being told so', async () => {
    expect(await statuses(LIMIT + 1)).toContain(429);
    expect((await api.rpc(ADDRESSES.helper, 'ListTasks', {})).status).toBe(200);
    expect((await bad({ Authorization: undefined as unknown as string })).status).toBe(401);
    expect((await api.daemon()).socket.readyState).toBe(WebSocket.OPEN);
  });

  it('[B62] are counted by the address of the socket, which no header changes', async () => {
    const seen: number[] = [];
    for (let at = 0; at <= LIMIT; at += 1) {
      const forwarded = `198.51.100.${at}`;
      const headers = { 'X-Forwarded-For': forwarded, 'X-Real-IP': forwarded, Forwarded: `for=${forwarded}` };
      seen.push((await bad(headers)).status);
    }
    expect(seen).toEqual([401, 401, 401, 429]);
    await expect(statusFrom('127.0.0.2')).resolves.toBe(401);
  });

  it('[C4] count on cards that a token may open, whether or not there is one', async () => {
    const card = async (address: string) => {
      const path = `${address}/.well-known/agent-card.json`;
      return (await api.request('GET', path, { headers: { Authorization: 'Bearer a.b.c' } })).status;
    };
    const seen = [await card(ADDRESSES.hidden), await card(ADDRESSES.absent), await card(ADDRESSES.hidden)];
    expect(seen).toEqual([404, 404, 404]);
    expect([await card(ADDRESSES.hidden), await card(ADDRESSES.absent)]).toEqual([429, 429]);
    expect(await card(ADDRESSES.helper)).toBe(200);
  });

  it('[R1] [O2] count at the relay as well, and as metrics', async () => {
    const seen: unknown[] = [];
    for (let at = 0; at <= LIMIT; at += 1) seen.push(await upgradeStatus());
    expect(seen).toEqual([401, 401, 401, 429]);
    await bad();
    const families = readMetrics((await api.request('GET', '/metrics')).text);
    const failures = (credential: string) => valueOf(families, 'hello_login_failures_total', { credential });
    expect([failures('relay_token'), failures('account_token'), failures('api_key')]).toEqual([4, 1, 0]);
    expect(valueOf(families, 'hello_login_failures_refused_total')).toBe(2);
  });

  function upgradeStatus(): Promise<number | undefined> {
    const headers = { Authorization: 'Bearer rt_not-a-token' };
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}/relay`, SUBPROTOCOL, { headers });
    return new Promise((resolve, reject) => {
      socket.on('unexpected-response', (request, response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      socket.on('open', () => reject(new Error('was let in')));
      socket.on('error', () => undefined);
    });
  }

  function statusFrom(localAddress: string): Promise<number | undefined> {
    const { hostname, port } = new URL(api.url);
    const options = { hostname, port, localAddress, method: 'POST', path: ADDRESSES.helper };
    const headers = { Authorization: 'Bearer a.b.c' };
    return new Promise((resolve, reject) => {
      const request = httpRequest({ ...options, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject).end();
    });
  }
});
