import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentCard } from '@a2a-js/sdk';
import request, { type Test as Call } from 'supertest';
import type { Agent } from '../../src/directory/index.js';
import { agentOf, linkAgentOf } from '../support/agent-directory-double.js';
import { startDiscovery, type DiscoveryApp } from '../support/discovery-app.js';

const CARD = '/a2a/@alice/helper/.well-known/agent-card.json';
const LEGACY = '/@alice/helper/.well-known/agent.json';
const OWNER = 'Bearer token-of-account-alice';
const KEY = 'lk_key';

let running: DiscoveryApp;

beforeEach(async () => {
  running = await startDiscovery();
});
afterEach(() => running.app.close());

const get = (path: string): Call => request(running.app.getHttpServer()).get(path);
const add = (...agents: Agent[]): number => running.directory.agents.push(...agents);
const interfaceUrl = (response: { body: { supportedInterfaces: { url: string }[] } }): string | undefined =>
  response.body.supportedInterfaces[0]?.url;

describe('the card', () => {
  it('[C1] is read by the official codec and comes out of it as it went in', async () => {
    add(agentOf({ skills: [{ id: 's', name: 'S', description: 'D', tags: ['t'], examples: ['e'] }] }));
    const { body } = await get(CARD)
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    expect(AgentCard.toJSON(AgentCard.fromJSON(body))).toEqual({
      ...body,
      securityRequirements: [{ schemes: { accountToken: {} } }],
    });
  });

  it('[C1] [C2] [B44] is the same bytes whatever headers the request has', async () => {
    add(agentOf());
    const plain = await get(CARD).expect(200);
    for (const [name, value] of [
      ['A2A-Version', '0.3'],
      ['A2A-Version', '9.9'],
      ['Accept', 'text/html'],
      ['Host', 'evil.example'],
      ['X-Forwarded-Host', 'evil.example'],
      ['X-Forwarded-Proto', 'http'],
      ['Forwarded', 'host=evil.example;proto=http'],
    ] as const) {
      const response = await get(CARD).set(name, value).expect(200);
      expect(response.text).toBe(plain.text);
      expect(response.headers['etag']).toBe(plain.headers['etag']);
    }
  });

  it.each([
    ['https://h', 'https://h/a2a/@alice/helper'],
    ['https://h/x', 'https://h/x/a2a/@alice/helper'],
    ['https://h/x/', 'https://h/x/a2a/@alice/helper'],
  ])('[C2] [B46] joins the base %s once', async (base, url) => {
    const other = await startDiscovery(base);
    try {
      other.directory.agents.push(agentOf());
      expect(interfaceUrl(await request(other.app.getHttpServer()).get(CARD))).toBe(url);
    } finally {
      await other.app.close();
    }
  });

  it('[B49] [B55] has defaults for everything that the directory does not say', async () => {
    add(agentOf());
    const { body } = await get(CARD).expect(200);
    expect(body).toMatchObject({
      name: 'helper',
      description: 'The assistant at @alice/helper.',
      version: '1.0.0',
      skills: [{ id: 'chat', name: 'Chat', description: 'Answers text messages as helper.', tags: ['chat'] }],
    });
  });

  it('[B55] survives null and blank fields and unknown members, and so do the cards of others', async () => {
    const broken = { name: null, description: ' ', version: '', skills: null } as unknown as Partial<Agent>;
    const skills = [
      { id: 's', name: null, tags: null, examples: null, secret: 'x' },
    ] as unknown as Agent['skills'];
    add(agentOf(broken), agentOf({ handle: 'other', name: '🌻', skills }));
    const { body: first } = await get(CARD).expect(200);
    expect(first.name).toBe('helper');
    expect(first.skills).toHaveLength(1);
    const { body: second } = await get('/a2a/@alice/other/.well-known/agent-card.json').expect(200);
    expect(second.name).toBe('🌻');
    expect(second.skills).toEqual([{ id: 's', name: 's', description: 's', tags: ['chat'] }]);
  });

  it('[B50] changes with its assistant, and so does its tag', async () => {
    add(agentOf({ name: 'Before' }));
    const before = await get(CARD).expect(200);
    running.directory.agents[0] = agentOf({ name: 'After', revision: 2 });
    const after = await get(CARD).set('If-None-Match', String(before.headers['etag'])).expect(200);
    expect(after.body.name).toBe('After');
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
  });
});

describe.each([
  ['card', CARD],
  ['legacy metadata', LEGACY],
])('addresses and verbs of the %s', (_name, path) => {
  it.each([
    ['a trailing slash', `${path}/`],
    ['an escaped @', path.replace('@', '%40')],
    ['an escaped letter', path.replace('helper', '%68elper')],
  ])('[W1] [B47] [B54] %s is the same address', async (_what, same) => {
    add(agentOf());
    const plain = await get(path).expect(200);
    const response = await get(same).expect(200);
    expect(response.text).toBe(plain.text);
  });

  it.each([
    ['another case', path.replace('alice', 'Alice')],
    ['no @', path.replace('@', '')],
    ['an empty name', path.replace('alice', '')],
    ['a slash within the handle', path.replace('helper', 'x%2Fhelper')],
    ['a NUL', path.replace('helper', 'helper%00')],
    ['a name that objects have', path.replace('helper', '__proto__')],
    ['a doubled slash', path.replace('/helper', '//helper')],
  ])('[B54] %s is another address', async (_what, other) => {
    add(agentOf());
    await get(other).expect(404);
  });

  it('[B54] a bad escape is a client error', async () => {
    await get(path.replace('alice', '%zz')).expect(400);
  });

  it.each(['post', 'put', 'patch', 'delete', 'options'] as const)(
    '[W1] %s is a 405 with Allow',
    async (verb) => {
      add(agentOf({ visibility: 'private' }));
      const response = await request(running.app.getHttpServer())[verb](path).expect(405);
      expect(response.headers['allow']).toBe('GET, HEAD');
    },
  );

  it('[C3] [B48] HEAD has the headers of GET and no body', async () => {
    add(agentOf());
    const got = await get(path).expect(200);
    const head = await request(running.app.getHttpServer()).head(path).expect(200);
    expect(head.text ?? '').toBe('');
    for (const name of ['etag', 'last-modified', 'cache-control', 'content-type', 'content-length']) {
      expect(head.headers[name]).toBe(got.headers[name]);
    }
  });
});

describe.each([
  ['card', CARD],
  ['legacy metadata', LEGACY],
])('caching of the %s', (_name, path) => {
  it('[C3] a public one may be kept by anyone and does not vary', async () => {
    add(agentOf());
    const anonymous = await get(path).expect(200);
    expect(anonymous.headers['cache-control']).toBe('public, max-age=300');
    expect(anonymous.headers['vary']).toBeUndefined();
    expect(anonymous.headers['etag']).toMatch(/^"[\w-]{43}"$/);
    expect(anonymous.headers['last-modified']).toBe('Fri, 02 Jan 2026 03:04:05 GMT');
    const owner = await get(path).set('Authorization', OWNER).expect(200);
    expect(owner.headers['etag']).toBe(anonymous.headers['etag']);
  });

  it('[C3] link-only and private ones are kept by nobody and vary by Authorization', async () => {
    for (const agent of [linkAgentOf(KEY), agentOf({ visibility: 'private' })]) {
      running.directory.agents[0] = agent;
      const response = await get(path).set('Authorization', OWNER).expect(200);
      expect(response.headers['cache-control']).toBe('private, no-store');
      expect(response.headers['vary']).toBe('Authorization');
    }
  });

  it.each([
    ['the tag', (tag: string) => tag],
    ['the weak form', (tag: string) => `W/${tag}`],
    ['a list', (tag: string) => `"other", ${tag} , "more"`],
    ['any', () => '*'],
  ])('[C3] [B50] If-None-Match with %s is a 304 without a body', async (_what, header) => {
    add(agentOf());
    const { headers } = await get(path);
    const response = await get(path)
      .set('If-None-Match', header(String(headers['etag'])))
      .expect(304);
    expect(response.text).toBe('');
    expect(response.headers['etag']).toBe(headers['etag']);
    expect(response.headers['cache-control']).toBe('public, max-age=300');
  });

  it('[C3] If-Modified-Since counts only without If-None-Match', async () => {
    add(agentOf());
    const since = 'Fri, 02 Jan 2026 03:04:05 GMT';
    await get(path).set('If-Modified-Since', since).expect(304);
    await get(path).set('If-Modified-Since', 'Fri, 02 Jan 2026 03:04:04 GMT').expect(200);
    await get(path).set('If-Modified-Since', 'not a date').expect(200);
    await get(path).set('If-Modified-Since', since).set('If-None-Match', '"other"').expect(200);
  });

  it('[C4] a condition does not tell whether a private one is there', async () => {
    add(agentOf({ visibility: 'private' }));
    await get(path).set('If-None-Match', '*').expect(404);
  });
});

describe('places without a card', () => {
  it.each(['/.well-known/agent-card.json', '/.well-known/agent.json', '/.well-known/agent-card.json/'])(
    '[C6] [B48] %s says that cards are per agent',
    async (path) => {
      add(agentOf());
      const response = await get(path).expect(404);
      expect(response.body.error).toContain('cards are per agent');
      await request(running.app.getHttpServer()).head(path).expect(404);
    },
  );

  it('[B48] the former file name below a 1.0 address is a plain 404', async () => {
    add(agentOf());
    const response = await get('/a2a/@alice/helper/.well-known/agent.json').expect(404);
    expect(response.text).toBe('{"error":"Not found"}');
  });

  it('[C7] the legacy metadata has nothing that makes a card', async () => {
    add(agentOf());
    const { body } = await get(LEGACY).expect(200);
    for (const field of [
      'url',
      'protocolVersion',
      'supportedInterfaces',
      'capabilities',
      'preferredTransport',
    ]) {
      expect(body).not.toHaveProperty(field);
    }
  });
});
