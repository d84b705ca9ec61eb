// Tests of the kit's 0.3 branch that this service does not meet on purpose, as in differences.mjs for 1.0.

const expected = {
  'test_rejects_invalid_json_rpc_requests[invalid_request2--32601]': {
    rows: ['W3', 'P7'],
    because: 'sends an unknown method without an id; no id is -32600, whatever the method',
    error: /assert -32600 == -32601/,
  },
  'test_rejects_invalid_json_rpc_requests[invalid_request4--32602]': {
    rows: ['W3', 'P7'],
    because: 'sends params that are a text without an id; no id is -32600, whatever the params',
    error: /assert -32600 == -32602/,
  },
  test_message_send_enhanced_parts_support: {
    rows: ['S4', 'P7'],
    because: 'sends a file and data to an agent whose card says text; that is -32005',
    error: /Only text parts are supported/,
  },
};

/** What the kit itself marks as failing, or leaves out; all of it by what its tests say. */
const LEFT_OUT = [
  { text: /extended card|No security schemes declared/, because: 'needs an extended card [P1]' },
  {
    text: /2\+ transports|specific to (gRPC|REST)|additionalInterfaces/,
    because: 'is for other bindings [P1]',
  },
  { text: /[Ee]xtensions/, because: 'is for extensions of the card [P1]' },
  { text: /(File|Data) modality not supported/, because: 'is for files and data [P1] [S4]' },
  { text: /Push notifications/, because: 'is for push notifications [P1] [P7]' },
  { text: /HTTPS|https:/, because: 'is for TLS, which is the business of the proxy in front' },
  { text: /authentication section/, because: 'reads a member of the card that 0.3 no longer has' },
  { text: /This test is flaky/, because: 'is switched off by the kit' },
  {
    text: /enforce authentication/,
    because: 'sends no key, and the proxy adds it; 401 without is [H1] [P2]',
  },
];

/** @returns {string[]} the differences of the list, in words */
export const differencesV03 = () =>
  Object.entries(expected).map(([id, { rows, because }]) => `${id} ${because} [${rows.join('] [')}]`);

/**
 * @param {{ id: string, outcome: string, text: string }[]} tests
 * @returns {string[]} what was left out and why, in words and numbers
 */
export function leftOut(tests) {
  const reasons = new Map();
  for (const test of tests.filter(isLeftOut)) {
    const because = LEFT_OUT.find(({ text }) => text.test(test.text))?.because ?? 'has a reason of its own';
    reasons.set(because, (reasons.get(because) ?? 0) + 1);
  }
  return [...reasons].map(([because, count]) => `${count} × ${because}`);
}

/**
 * @param {{ id: string, outcome: string, text: string }[]} tests of all categories
 * @returns {string[]} what differs from the lists, in words
 */
export function surprisesV03(tests) {
  const found = [];
  for (const { id, outcome, text } of tests) {
    if (outcome === 'passed') continue;
    if (isLeftOut({ outcome })) {
      if (!LEFT_OUT.some((reason) => reason.text.test(text))) found.push(`${id} was left out: ${text}`);
    } else if (!expected[id]?.error.test(text)) found.push(`${id} ${outcome}: ${text}`);
  }
  for (const id of Object.keys(expected)) {
    if (!tests.some((test) => test.id === id && test.outcome === 'failed')) {
      found.push(`${id} was expected to fail`);
    }
  }
  return found;
}

const isLeftOut = ({ outcome }) => outcome === 'skipped' || outcome === 'xfailed';
