import request, { type Test as Call } from 'supertest';
import type { Agent } from '../../src/directory/index.js';
import { agentOf } from '../support/agent-directory-double.js';
import { startDiscovery, type DiscoveryApp } from '../support/discovery-app.js';

const ID = '6f0c1f5e-0000-4000-8000-000000000001';
const CARD = `/a2a/${ID}/.well-known/agent-card.json`;

let running: DiscoveryApp;

beforeEach(async () => {
  running = await startDiscovery();
});
afterEach(() => running.app.close());

const get = (path: string): Call => request(running.app.getHttpServer()).get(path);
const add = (...agents: Partial<Agent>[]) =>
  running.directory.agents.push(...agents.map((agent) => agentOf({ id: ID, published: true, ...agent })));

describe('the 0.3 card', () => {
  it.each(['public', 'link', 'private'] as const)(
    '[P1] [C3] of a %s agent is for everybody, and may be cached',
    async (visibility) => {
      add({ visibility });
      const response = await get(CARD)
        .expect(200)
        .expect('Content-Type', /^application\/json/);
      expect(response.headers).toMatchObject({
        'cache-control': 'public, max-age=300',
        etag: expect.stringMatching(/^"/),
        'last-modified': expect.any(String),
      });
      expect(response.headers).not.toHaveProperty('vary');
      await get(CARD).set('If-None-Match', String(response.headers['etag'])).expect(304);
      await request(running.app.getHttpServer())
        .head(CARD)
        .expect(200)
        .expect('ETag', String(response.headers['etag']));
    },
  );

  it('[P1] [C2] is the same bytes whatever headers the request has', async () => {
    add({});
    const plain = await get(CARD).expect(200);
    expect(plain.body.url).toBe(`https://api.example/a2a/${ID}`);
    for (const [name, value] of [
      ['A2A-Version', '1.0'],
      ['Host', 'evil.example'],
      ['X-Forwarded-Host', 'evil.example'],
      ['Authorization', 'Bearer nonsense'],
    ] as const) {
      expect((await get(CARD).set(name, value).expect(200)).text).toBe(plain.text);
    }
  });

  it('[P1] has the skill `chat` first, made up or of its own', async () => {
    add({
      name: 'Gardener',
      skills: [{ id: 'plants', name: 'Plants', description: 'Names one.', tags: ['garden'] }],
    });
    const made = (await get(CARD)).body.skills as { id: string }[];
    expect(made.map(({ id }) => id)).toEqual(['chat', 'plants']);
    running.directory.agents.length = 0;
    const own = { id: 'chat', name: 'Talk', description: 'About plants.', tags: ['talk'] };
    add({
      revision: 2,
      skills: [{ id: 'plants', name: 'Plants', description: 'Names one.', tags: ['garden'] }, own],
    });
    expect((await get(CARD)).body.skills).toEqual([own, expect.objectContaining({ id: 'plants' })]);
  });

  it('[P1] has the former name as well, which older clients try', async () => {
    add({});
    const [card, former] = [await get(CARD), await get(CARD.replace('agent-card', 'agent'))];
    expect(former.text).toBe(card.text);
  });

  it('[P1] [C4] of an agent that is not published is the 404 of one that does not exist', async () => {
    add({ published: false });
    const [hidden, absent] = [await get(CARD).expect(404), await get(CARD.replace(ID, 'absent')).expect(404)];
    expect(hidden.text).toBe(absent.text);
    expect(hidden.headers['cache-control']).toBe('no-store');
    for (const id of ['@alice', '%40alice', '..', 'constructor']) {
      expect((await get(`/a2a/${id}/.well-known/agent-card.json`)).status).toBe(404);
    }
  });

  it('[P1] answers GET and HEAD only, with or without a slash at the end', async () => {
    add({});
    await request(running.app.getHttpServer()).post(CARD).expect(405).expect('Allow', 'GET, HEAD');
    await get(`${CARD}/`).expect(200);
  });
});
