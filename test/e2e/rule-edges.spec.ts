import { EXECUTORS } from '../support/executors.js';
import { ADDRESSES, newMessage, type TestApi } from '../support/test-api.js';
import { nested } from './bad-input/odd-values.js';

const send = (message: object, configuration: object = {}) => ({
  message: newMessage(message),
  configuration: { returnImmediately: true, ...configuration },
});
const text = (...texts: string[]) => ({ parts: texts.map((each) => ({ text: each })) });

/** The last value that a rule allows, and the first that it refuses. */
const EDGES: [string, string, (value: never) => object, unknown, unknown][] = [
  ['[G3] [B102] pageSize, below', 'ListTasks', (pageSize) => ({ pageSize }), 1, 0],
  ['[G3] [B102] pageSize, above', 'ListTasks', (pageSize) => ({ pageSize }), 100, 101],
  ['[G3] [B102] pageSize in digits', 'ListTasks', (pageSize) => ({ pageSize }), '100', '101'],
  ['[G3] [B102] a whole pageSize', 'ListTasks', (pageSize) => ({ pageSize }), null, 1.5],
  ['[G3] historyLength of a list, below', 'ListTasks', (historyLength) => ({ historyLength }), 0, -1],
  ['[G3] historyLength of a list, above', 'ListTasks', (historyLength) => ({ historyLength }), 100, 101],
  ['[G3] [W6] status by number', 'ListTasks', (status) => ({ status }), 8, 9],
  ['[G3] a page token', 'ListTasks', (pageToken) => ({ pageToken }), '', 'x'],
  [
    '[G3] [B07] a day of the month',
    'ListTasks',
    (day) => ({ statusTimestampAfter: `2026-02-${String(day)}T00:00:00Z` }),
    28,
    29,
  ],
  [
    '[G3] [B07] fractions',
    'ListTasks',
    (part) => ({ statusTimestampAfter: `2026-02-01T00:00:00.${String(part)}Z` }),
    '123456789',
    '1234567890',
  ],
  ['[G2] historyLength of a message', 'SendMessage', (historyLength) => send({}, { historyLength }), 0, -1],
  [
    '[G2] [W6] historyLength in 32 bits',
    'SendMessage',
    (historyLength) => send({}, { historyLength }),
    2_147_483_647,
    2_147_483_648,
  ],
  ['[S4] text, plain', 'SendMessage', (length) => send(text('x'.repeat(length))), 8_000, 8_001],
  ['[S4] text, in emoji', 'SendMessage', (length) => send(text('😀'.repeat(length))), 8_000, 8_001],
  [
    '[S4] text, over several parts',
    'SendMessage',
    (length) => send(text('é'.repeat(4_000), '会'.repeat(length))),
    4_000,
    4_001,
  ],
  ['[S4] [B23] text that is not blank', 'SendMessage', (each) => send(text(each)), ' \n.', ' \n'],
  ['[S4] [B23] empty text beside another', 'SendMessage', (each) => send(text(each, 'hi')), ' ', ''],
  [
    '[W7] [B14] messageId',
    'SendMessage',
    (length) => send({ messageId: `${process.pid}😀`.padEnd(length, 'i') }),
    129,
    130,
  ],
  ['[W7] [B14] an id to get', 'GetTask', (length) => ({ id: 'i'.repeat(length) }), 128, 129],
  [
    '[W6] well-formed Unicode',
    'SendMessage',
    (each) => send(text(each)),
    'a\u0000\ud83d\ude00\ufffe',
    'a\ud83d',
  ],
  ['[B20] nesting', 'SendMessage', (levels) => send({ metadata: nested(levels) as object }), 97, 99],
  [
    '[B10] an empty member beside the text',
    'SendMessage',
    (url) => send({ parts: [{ text: 'hi', url }] }),
    '',
    'https://x',
  ],
  [
    '[B78] returnImmediately',
    'SendMessage',
    (returnImmediately) => send({}, { returnImmediately }),
    true,
    'true',
  ],
  ['[S4] the role, by number', 'SendMessage', (role) => send({ role }), 1, 2],
];

describe.each(EXECUTORS)('both ends of a rule, %s', (_name, start) => {
  let api: TestApi;
  beforeAll(async () => {
    ({ api } = await start());
  });
  afterAll(() => api.close());

  const codeOf = async (method: string, params: object): Promise<number | undefined> =>
    (await api.rpc(ADDRESSES.helper, method, params)).body.error?.code;

  it.each(EDGES)('%s', async (...[, method, paramsOf, allowed, refused]) => {
    const params = paramsOf as (value: unknown) => object;
    expect([undefined, -32001]).toContain(await codeOf(method, params(allowed)));
    expect(await codeOf(method, params(refused))).toBe(-32602);
  });

  it.each([
    ['text/plain', undefined],
    ['TEXT/plain; charset=utf-8', undefined],
    ['text/*', undefined],
    ['*/*', undefined],
    ['image/png', -32005],
    ['text/html', -32005],
  ])('[S4] [B22] a reply in %s: %j', async (mode, code) => {
    expect(await codeOf('SendMessage', send({}, { acceptedOutputModes: [mode] }))).toBe(code);
  });
});
