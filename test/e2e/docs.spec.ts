import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { V1_EXAMPLES } from '../../src/docs/index.js';
import { ADDRESSES, TestApi } from '../support/test-api.js';

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

/** Names and kinds of everything in an answer; what differs each time, the values of texts, is left out. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== 'object' || value === null)
    return /^(TASK_STATE|ROLE)_/.test(String(value)) ? value : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, formOf(member)]));
}

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

  it('[W1] describes each method by an example that is answered as it says', async () => {
    const daemon = await api.daemon();
    const { examples } = (await document()).paths['/a2a/@{username}/{handle}'].post.requestBody.content[
      'application/json'
    ];
    expect(Object.keys(examples)).toEqual(V1_EXAMPLES.map(({ method }) => method));
    let taskId = '';
    for (const { method, result } of V1_EXAMPLES) {
      const request = examples[method].value;
      if (request.params.id) request.params.id = taskId;
      const { body } = await api.post(ADDRESSES.helper, JSON.stringify(request));
      expect({ method, answer: formOf(body) }).toEqual({
        method,
        answer: formOf({ jsonrpc: '2.0', id: 1, result }),
      });
      taskId ||= body.result.task.id;
    }
    expect(daemon.submissions).toHaveLength(1);
  });

  it('[O1] has a page without scripts', async () => {
    const { status, headers, text } = await api.request('GET', '/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*style-src 'sha256-/);
    for (const { method } of V1_EXAMPLES) expect(text).toContain(`<h2>${method}</h2>`);
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
