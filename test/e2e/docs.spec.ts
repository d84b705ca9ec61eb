import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { V03_EXAMPLES, V1_EXAMPLES } from '../../src/docs/index.js';
import { ADDRESSES, TestApi } from '../support/test-api.js';
import { V03Client } from '../support/v03-client.js';

const LINTER = join(__dirname, '..', 'support', 'lint-openapi.mjs');

function lint(document: object): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [LINTER], {
    input: JSON.stringify(document),
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as string[];
}

/**
 * Names and kinds of everything in an answer. What differs each time is left out: the values of texts, and the metadata that
 * say when the computer was asked last, which it may be at any moment.
 */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  const members = Object.entries(value).filter(([key]) => key !== 'metadata');
  return Object.fromEntries(
    members.map(([key, member]) => [key, WORDS.has(key) ? (member as unknown) : formOf(member)]),
  );
}

/** Members whose values are the protocol's own words. */
const WORDS = new Set(['state', 'role', 'kind']);

describe('/docs', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await TestApi.start({ DOCS_ENABLED: 'true', PUBLIC_BASE_URL: 'https://api.example.org/x' });
  });
  afterAll(() => api.close());

  const postOf = (served: any) => served.paths['/a2a/@{username}/{handle}'].post;
  const document = async () => (await api.request('GET', '/docs/openapi.json')).body;

  it('[O1] serves a document without a fault', async () => {
    const served = await document();
    expect(served.openapi).toBe('3.1.0');
    expect(served.servers).toEqual([{ url: 'https://api.example.org/x' }]);
    expect(lint(served)).toEqual([]);
  });

  it.each<[string, (served: any) => void]>([
    [
      'an example against its schema',
      (served) =>
        (postOf(served).requestBody.content['application/json'].examples.GetTask.value.jsonrpc = '1.0'),
    ],
    ['a reference to nothing', (served) => (postOf(served).responses['404'] = { $ref: '#/components/none' })],
    ['a member that OpenAPI does not know', (served) => (served.paths['/healthz'].get.answer = {})],
    [
      'a path parameter that is not described',
      (served) => (served.paths['/other/{id}'] = served.paths['/healthz']),
    ],
  ])('[O1] is checked by a linter that finds %s', async (_, spoil) => {
    const served = await document();
    spoil(served);
    expect(lint(served)).not.toEqual([]);
  });

  it.each([
    ['/a2a/@{username}/{handle}', V1_EXAMPLES],
    ['/a2a/{agentId}', V03_EXAMPLES],
  ])(
    '[W1] [P2] describes each method of %s by an example that is answered as it says',
    async (path, methods) => {
      const daemon = await api.daemon();
      const { examples } = (await document()).paths[path].post.requestBody.content['application/json'];
      expect(Object.keys(examples)).toEqual(methods.map(({ method }) => method));
      let taskId = '';
      for (const { method, result, streams } of methods) {
        const request = examples[method].value;
        if (request.params.id) request.params.id = taskId;
        const answer = await answerTo(path, request, streams);
        expect({ method, answer: formOf(answer) }).toEqual({
          method,
          answer: formOf({ jsonrpc: '2.0', id: 1, result }),
        });
        taskId ||= answer.result.id ?? answer.result.task.id;
      }
      expect(daemon.submissions.length).toBeGreaterThan(0);
    },
  );

  /** The answer, or the first of a stream. */
  async function answerTo(path: string, request: any, streams = false): Promise<any> {
    if (path !== '/a2a/{agentId}') return (await api.post(ADDRESSES.helper, JSON.stringify(request))).body;
    const client = new V03Client(api);
    if (!streams) return (await client.post(JSON.stringify(request))).body;
    const stream = await client.stream(request.method, request.params);
    const first = await stream.answer();
    stream.abort();
    return { ...first, id: request.id };
  }

  it('[O1] has a page without scripts', async () => {
    const { status, headers, text } = await api.request('GET', '/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*style-src 'sha256-/);
    for (const { method } of [...V1_EXAMPLES, ...V03_EXAMPLES]) expect(text).toContain(`<h3>${method}</h3>`);
    expect(text).not.toMatch(/<script|https?:\/\/(?!api\.example\.org)/);
  });

  it('[O1] is not there unless DOCS_ENABLED is true', async () => {
    const other = await TestApi.start();
    const absent = await Promise.all(
      ['/docs', '/docs/openapi.json'].map((path) => other.request('GET', path)),
    );
    await other.close();
    expect(absent.map(({ status, text }) => [status, text])).toEqual([
      [404, '{"error":"Not found"}'],
      [404, '{"error":"Not found"}'],
    ]);
  });
});
