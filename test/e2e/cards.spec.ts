import { EXECUTORS } from '../support/executors.js';
import { ADDRESSES, LINK_KEY, PUBLISHED, type Answer, type TestApi } from '../support/test-api.js';

/** What the cards say of an entry of the directory, in the file or in code, is in the tests of discovery. */
describe.each(EXECUTORS)('cards, %s', (_name, start) => {
  let api: TestApi;
  const cardOf = (address: string, headers: Record<string, string> = {}) =>
    api.request('GET', `${address}/.well-known/agent-card.json`, { headers });

  beforeAll(async () => {
    ({ api } = await start({ environment: { PUBLIC_BASE_URL: 'https://a2a.example' } }));
  });
  afterAll(() => api.close());

  it('[C1] [C2] have the form of 1.0 and addresses under the public one, whatever a client sends', async () => {
    const forged = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' };
    const { status, body } = await cardOf(ADDRESSES.helper, forged);
    expect(status).toBe(200);
    const { url, ...binding } = body.supportedInterfaces[0];
    expect(url).toBe(`https://a2a.example${ADDRESSES.helper}`);
    expect(binding).toMatchObject({ protocolBinding: 'JSONRPC', protocolVersion: '1.0' });
    expect(body).toMatchObject({
      name: 'Agent helper',
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
      securityRequirements: [{ schemes: { accountToken: { list: [] } } }],
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
    });
    expect(body.skills.length).toBeGreaterThan(0);
  });

  it('[C3] can be kept and asked for again where they are public, and never where they are not', async () => {
    const card = await cardOf(ADDRESSES.helper);
    expect(card.headers).toMatchObject({
      'cache-control': expect.stringMatching(/^public, max-age=\d+$/),
      'last-modified': expect.any(String),
    });
    const etag = String(card.headers.etag);
    const again = await cardOf(ADDRESSES.helper, { 'If-None-Match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await api.request('HEAD', `${ADDRESSES.helper}/.well-known/agent-card.json`);
    expect([head.status, head.headers.etag, head.text]).toEqual([200, etag, '']);
    const path = `${ADDRESSES.linked}/.well-known/agent-card.json?k=${encodeURIComponent(LINK_KEY)}`;
    expect(cacheOf(await api.request('GET', path))).toBe('private, no-store');
  });

  it('[C7] have legacy metadata beside them that does not pretend to be one', async () => {
    const legacy = await api.request('GET', '/@alice/helper/.well-known/agent.json');
    expect(legacy.status).toBe(200);
    expect(legacy.body).toMatchObject({ name: 'Agent helper' });
    expect(legacy.body).not.toHaveProperty('supportedInterfaces');
  });

  it('[P1] have the form of 0.3 at the published address', async () => {
    const { status, body } = await cardOf(PUBLISHED.helper);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      protocolVersion: '0.3.0',
      url: `https://a2a.example${PUBLISHED.helper}`,
      preferredTransport: 'JSONRPC',
      capabilities: { streaming: true },
      skills: [{ id: 'chat' }],
    });
  });
});

function cacheOf({ headers }: Answer): string | undefined {
  return headers['cache-control'];
}
