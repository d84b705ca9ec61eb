import { gzipSync } from 'node:zlib';
import { EXECUTORS } from '../support/executors.js';
import { ADDRESSES, LINK_KEY, type TestApi } from '../support/test-api.js';

/** One request, as both ways get it. */
interface Case {
  title: string;
  method?: string;
  path: string;
  headers?: Record<string, string | undefined>;
  body?: string | Buffer;
}

/** The `helper` of the test directory, at its 0.3 address. */
const PUBLISHED = '/a2a/6f0c1f5e-0000-4000-8000-000000000001';
const CARD = `${ADDRESSES.helper}/.well-known/agent-card.json`;

function rpc(method: string, params: unknown = {}, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function say(text: string, more: object = {}): string {
  const message = { messageId: `m-${text}`, role: 'ROLE_USER', parts: [{ text }] };
  return rpc('SendMessage', { message, configuration: { returnImmediately: true }, ...more });
}

const GET_NOTHING = rpc('GetTask', { id: 'nothing' });

const OF_03 = { 'A2A-Version': undefined };
const SAID = {
  message: { kind: 'message', messageId: 'm-03', role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
  configuration: { blocking: false },
};

const CASES: Case[] = [
  { title: 'a message', path: ADDRESSES.helper, body: say('Hello') },
  { title: 'its copy', path: ADDRESSES.helper, body: say('Hello') },
  { title: 'a list', path: ADDRESSES.helper, body: rpc('ListTasks', { includeArtifacts: true }) },
  { title: 'a task that is not there', path: ADDRESSES.helper, body: GET_NOTHING },
  { title: 'a slash at the end', path: `${ADDRESSES.helper}/`, body: GET_NOTHING },
  { title: 'two slashes at the end', path: `${ADDRESSES.helper}//`, body: GET_NOTHING },
  { title: 'two slashes within', path: '/a2a//@alice/helper', body: GET_NOTHING },
  { title: 'an escaped @', path: '/a2a/%40alice/helper', body: GET_NOTHING },
  { title: 'an escaped letter', path: '/a2a/@alice/h%65lper', body: GET_NOTHING },
  { title: 'an escaped slash', path: '/a2a/@alice/a%2Fb', body: GET_NOTHING },
  { title: 'a broken escape', path: '/a2a/@alice/%zz', body: GET_NOTHING },
  { title: 'another case', path: '/A2A/@alice/helper', body: GET_NOTHING },
  { title: 'another case of the name', path: '/a2a/@Alice/helper', body: GET_NOTHING },
  { title: 'no @', path: '/a2a/alice/helper', body: GET_NOTHING },
  { title: 'an address that is not there', path: ADDRESSES.absent, body: GET_NOTHING },
  { title: 'a private address', path: ADDRESSES.hidden, body: GET_NOTHING },
  { title: 'a link without key', path: ADDRESSES.linked, body: GET_NOTHING },
  { title: 'a link', path: `${ADDRESSES.linked}?k=${encodeURIComponent(LINK_KEY)}`, body: GET_NOTHING },
  { title: 'a link with two keys', path: `${ADDRESSES.linked}?k=a&k=b`, body: GET_NOTHING },
  { title: 'a link with a list', path: `${ADDRESSES.linked}?k[]=a`, body: GET_NOTHING },
  { title: 'no token', path: ADDRESSES.helper, body: GET_NOTHING, headers: { Authorization: undefined } },
  { title: 'a bad token', path: ADDRESSES.helper, body: GET_NOTHING, headers: { Authorization: 'Bearer x' } },
  { title: 'text', path: ADDRESSES.helper, body: GET_NOTHING, headers: { 'Content-Type': 'text/plain' } },
  { title: 'no version', path: ADDRESSES.helper, body: GET_NOTHING, headers: { 'A2A-Version': undefined } },
  {
    title: 'a version in the query',
    path: `${ADDRESSES.helper}?A2A-Version=1.0`,
    body: GET_NOTHING,
    headers: { 'A2A-Version': undefined },
  },
  { title: 'an unknown method', path: ADDRESSES.helper, body: rpc('toString') },
  { title: 'an unsupported method', path: ADDRESSES.helper, body: rpc('SubscribeToTask', { id: 'x' }) },
  { title: 'wrong parameters', path: ADDRESSES.helper, body: rpc('ListTasks', { pageSize: 0 }) },
  { title: 'a batch', path: ADDRESSES.helper, body: '[]' },
  { title: 'no JSON', path: ADDRESSES.helper, body: '{"a":' },
  { title: 'nothing', path: ADDRESSES.helper, body: '' },
  { title: 'too much', path: ADDRESSES.helper, body: say('x'.repeat(70_000)) },
  {
    title: 'a compressed body',
    path: ADDRESSES.helper,
    body: gzipSync(GET_NOTHING),
    headers: { 'Content-Encoding': 'gzip' },
  },
  { title: 'an unknown encoding', path: ADDRESSES.helper, body: 'x', headers: { 'Content-Encoding': 'x' } },
  {
    title: 'an origin',
    path: ADDRESSES.helper,
    body: GET_NOTHING,
    headers: { Origin: 'https://app.example' },
  },
  {
    title: 'a preflight',
    method: 'OPTIONS',
    path: ADDRESSES.helper,
    headers: { Origin: 'https://app.example' },
  },
  { title: 'another verb', method: 'PUT', path: ADDRESSES.helper, body: GET_NOTHING },
  { title: 'GET', method: 'GET', path: ADDRESSES.helper },
  { title: 'a card', method: 'GET', path: CARD },
  { title: 'a card with a slash', method: 'GET', path: `${CARD}/` },
  { title: 'the head of a card', method: 'HEAD', path: CARD },
  { title: 'a card that is known', method: 'GET', path: CARD, headers: { 'If-None-Match': '*' } },
  { title: 'a card of old', method: 'GET', path: CARD, headers: { 'If-None-Match': '"x"' } },
  { title: 'a card of a link', method: 'GET', path: `${ADDRESSES.linked}/.well-known/agent-card.json?k=x` },
  {
    title: 'a private card, by its owner',
    method: 'GET',
    path: `${ADDRESSES.hidden}/.well-known/agent-card.json`,
  },
  { title: 'a 0.3 card', method: 'GET', path: `${PUBLISHED}/.well-known/agent-card.json` },
  { title: 'no 0.3 card', method: 'GET', path: '/a2a/nobody/.well-known/agent-card.json' },
  { title: 'a 0.3 message', path: PUBLISHED, headers: OF_03, body: rpc('message/send', SAID) },
  {
    title: 'a 0.3 stream of nothing',
    path: PUBLISHED,
    headers: OF_03,
    body: rpc('tasks/resubscribe', { id: 'x' }),
  },
  { title: 'a 0.3 address that is not there', path: '/a2a/nobody', headers: OF_03, body: rpc('tasks/get') },
  { title: 'a posted card', path: CARD, body: GET_NOTHING },
  { title: 'the root card', method: 'GET', path: '/.well-known/agent-card.json' },
];

/** What differs from one answer to the next, whoever gives it; of the length, whether it is that of the text. */
function comparable(headers: Record<string, unknown>, text: string): Record<string, unknown> {
  const kinds = ['date', 'last-modified', 'x-request-id'].map((name) => [name, typeof headers[name]]);
  const length =
    headers['content-length'] === String(Buffer.byteLength(text)) ? '<right>' : headers['content-length'];
  return { ...headers, ...Object.fromEntries(kinds), 'content-length': length };
}

/** Ids and times are made anew by each service, and each assistant begins when it has time. */
function masked(text: string): string {
  return text
    .replace(/"state":"(TASK_STATE_SUBMITTED|TASK_STATE_WORKING|submitted|working)"/g, '"state":"<open>"')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/http:\/\/localhost:\d+/g, '<url>');
}

describe.each(EXECUTORS)('the direct routes, %s', (_name, start) => {
  let direct: TestApi;
  let express: TestApi;

  beforeAll(async () => {
    const environment = { PUBLIC_BASE_URL: 'https://a2a.example', CORS_ORIGINS: 'https://app.example' };
    ({ api: direct } = await start({ environment }));
    ({ api: express } = await start({ environment: { ...environment, HTTP_DIRECT_ROUTES: 'false' } }));
  });
  afterAll(async () => {
    await direct.close();
    await express.close();
  });

  async function answerOf(api: TestApi, { method = 'POST', path, body, headers }: Case) {
    const account = path.includes('hidden/.well-known') ? 'acct-alice' : 'acct-bob';
    const answer = await api.request(method, path, {
      ...(body === undefined ? {} : { body }),
      headers: {
        'Content-Type': 'application/json',
        'A2A-Version': '1.0',
        Authorization: `Bearer ${await api.token(account)}`,
        ...headers,
      },
    });
    return {
      status: answer.status,
      headers: comparable(answer.headers, answer.text),
      text: masked(answer.text),
    };
  }

  it.each(CASES)('[W1] [W5] [C3] [B47] [B54] answer $title as Express does', async (one) => {
    expect(await answerOf(direct, one)).toEqual(await answerOf(express, one));
  });
});
