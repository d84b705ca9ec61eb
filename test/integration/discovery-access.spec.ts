import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request, { type Test as Call } from 'supertest';
import type { Agent } from '../../src/directory/index.js';
import { agentOf, linkAgentOf } from '../support/agent-directory-double.js';
import { startDiscovery, type DiscoveryApp } from '../support/discovery-app.js';

const CARD = '/a2a/@alice/helper/.well-known/agent-card.json';
const LEGACY = '/@alice/helper/.well-known/agent.json';
const OWNER = 'Bearer token-of-account-alice';
const KEY = 'lk_é+/ &=key';
const KEY_QUERY = `?k=${encodeURIComponent(KEY)}`;

let running: DiscoveryApp;

beforeEach(async () => {
  running = await startDiscovery();
});
afterEach(() => running.app.close());

const get = (path: string): Call => request(running.app.getHttpServer()).get(path);
const add = (...agents: Agent[]): number => running.directory.agents.push(...agents);
const interfaceUrl = (response: { body: { supportedInterfaces: { url: string }[] } }): string | undefined =>
  response.body.supportedInterfaces[0]?.url;

/** A failed look-up as a client sees it, without what is different at every answer. */
async function refusal(call: Call): Promise<unknown> {
  const response = await call;
  const headers = { ...response.headers, date: undefined };
  return { status: response.status, headers, text: response.text };
}

describe.each([
  ['card', CARD, (body: Record<string, never>) => interfaceUrl({ body } as never), ''],
  [
    'legacy metadata',
    LEGACY,
    (body: Record<string, never>) => body['agentCardUrl'],
    '/.well-known/agent-card.json',
  ],
])('who sees the %s', (_name, path, urlIn, urlEnd) => {
  const url = `https://api.example/a2a/@alice/helper${urlEnd}`;

  it('[C3] [B48] anyone sees a public one, also with a token that is not valid or cannot be checked', async () => {
    add(agentOf());
    await get(path).expect(200);
    await get(path).set('Authorization', 'Bearer expired').expect(200);
    await get(path).set('Authorization', 'Bearer outage').expect(200);
  });

  it('[C2] a key sent to a public address does not get into the card', async () => {
    add(agentOf());
    const { body } = await get(`${path}?k=anything`).expect(200);
    expect(urlIn(body)).toBe(url);
  });

  it('[C4] only the owner sees a private one', async () => {
    add(agentOf({ visibility: 'private' }));
    await get(path).set('Authorization', OWNER).expect(200);
    await get(path).set('Authorization', OWNER.replace('Bearer', 'bearer ')).expect(200);
    await get(path).set('Authorization', 'Bearer token-of-account-bob').expect(404);
  });

  it('[C4] "not for you" and "not there" are the same answer, byte for byte', async () => {
    const attempts = [
      () => get(path),
      () => get(`${path}?k=wrong`),
      () => get(path).set('Authorization', 'Bearer expired'),
      () => get(path).set('Authorization', 'Bearer token-of-account-bob'),
      () => get(path).set('Authorization', 'Bearer outage'),
    ];
    const absent = [];
    for (const attempt of attempts) absent.push(await refusal(attempt()));
    for (const agent of [agentOf({ visibility: 'private' }), linkAgentOf(KEY)]) {
      running.directory.agents[0] = agent;
      const hidden = [];
      for (const attempt of attempts) hidden.push(await refusal(attempt()));
      expect(hidden).toEqual(absent);
    }
    expect(absent[0]).toMatchObject({ status: 404, text: '{"error":"Not found"}' });
    expect(absent[0]).toMatchObject({ headers: { 'cache-control': 'no-store' } });
  });

  it('[C5] the right key opens a link-only one, which keeps the key in its address', async () => {
    add(linkAgentOf(KEY));
    const { body } = await get(path + KEY_QUERY).expect(200);
    expect(urlIn(body)).toBe(url + KEY_QUERY);
    const again = await get(path + KEY_QUERY)
      .set('Authorization', 'Bearer token-of-account-bob')
      .expect(200);
    expect(again.body).toEqual(body);
  });

  it('[C5] the owner needs no key, and gets an address without one', async () => {
    add(linkAgentOf(KEY));
    await get(path + KEY_QUERY).expect(200);
    const { body } = await get(path).set('Authorization', OWNER).expect(200);
    expect(urlIn(body)).toBe(url);
  });

  it.each([
    ['missing', ''],
    ['empty', '?k='],
    ['of one character', '?k=x'],
    ['wrong', '?k=wrong'],
    ['of the right length in other letters', `?k=${encodeURIComponent('é'.repeat(KEY.length))}`],
    ['repeated', `${KEY_QUERY}&k=${encodeURIComponent(KEY)}`],
    ['right and wrong', `${KEY_QUERY}&k=wrong`],
    ['a list', KEY_QUERY.replace('?k', '?k[]')],
    ['an object', KEY_QUERY.replace('?k', '?k[x]')],
    ['NUL', '?k=%00'],
    ['badly escaped', '?k=%zz'],
    ['of 10 kB', `?k=${'x'.repeat(10_000)}`],
  ])('[C5] [B53] a key that is %s is a 404', async (_what, query) => {
    add(linkAgentOf(KEY));
    await get(path + query).expect(404);
  });

  it('[C4] a key does not open a private one', async () => {
    add(linkAgentOf(KEY, { visibility: 'private' }));
    await get(path + KEY_QUERY).expect(404);
  });
});
