// Requirements of the kit that this service does not meet on purpose, each with the rows of its contract
// (test/requirements.ts) that ask for the difference. `error` is how the kit words it: a listed requirement that fails
// in another way counts as a surprise, and so does one that passes.

const CONTINUATION = {
  rows: ['S7'],
  because:
    'needs a task that stops for input and is continued; on this endpoint a job never stops for a question and a task is never continued',
  error: /Expected task state 'TASK_STATE_INPUT_REQUIRED' but got 'TASK_STATE_FAILED'/,
};

const TEXT_ONLY = {
  rows: ['S4', 'S10'],
  because: 'wants files, URLs and data as artifacts; a reply is one text part',
};

/** Same id, other content, within one run: that is a conflict here, and a new task to the kit. */
const ONE_ID_MANY_MESSAGES = {
  rows: ['S5'],
  because: 'sends another text under a messageId that the kit has used before; passes with distinct ids',
  error: /^Operation failed: Invalid parameters$/,
};

const UNKNOWN_CONTEXT = {
  rows: ['S6'],
  because: 'sends a contextId of its own making and wants success; an unknown context is refused',
  error: /^Operation failed: Invalid parameters$/,
};

/** Differences that remain however the messages are numbered. */
const always = {
  'DM-ART-001': { ...TEXT_ONLY, error: /^Expected (file|data|part|filename|mediaType)\b/ },
  'DM-MSG-001': {
    rows: ['S1'],
    because: 'wants a Message in place of a task; every answer is a task',
    error: /^Expected a Message response, but got a Task/,
  },
  'CORE-SEND-003': {
    rows: ['S4'],
    because:
      'asks in words for ContentTypeNotSupportedError, which is the answer, but its check expects success',
    error: /^Operation failed: Only text parts of type text\/plain are supported$/,
  },
  'CORE-MULTI-002': UNKNOWN_CONTEXT,
  'CORE-MULTI-002a': UNKNOWN_CONTEXT,
  'CORE-MULTI-005': CONTINUATION,
  'CORE-CANCEL-001': CONTINUATION,
  'CORE-HIST-001': CONTINUATION,
  'CORE-HIST-002': CONTINUATION,
  'CORE-HIST-003': CONTINUATION,
  'CORE-HIST-004': CONTINUATION,
  'CORE-HIST-005': CONTINUATION,
  'CORE-HIST-006': CONTINUATION,
};

const withRepeatedIds = {
  'CORE-EXECUTION-MODE-001': ONE_ID_MANY_MESSAGES,
  'CORE-EXECUTION-MODE-002': ONE_ID_MANY_MESSAGES,
  'CORE-MULTI-001': ONE_ID_MANY_MESSAGES,
  'CORE-MULTI-001a': ONE_ID_MANY_MESSAGES,
  'CORE-MULTI-003': ONE_ID_MANY_MESSAGES,
};

/** What the kit leaves out when the card does not offer it. */
const NOT_OFFERED = [
  { ids: /^(GRPC|HTTP_JSON)-/, rows: ['C1'], because: 'other bindings than JSON-RPC' },
  { ids: /^(CORE-STREAM|STREAM|JSONRPC-SSE)-/, rows: ['C1', 'G6'], because: 'streaming' },
  { ids: /^PUSH-/, rows: ['C1', 'G6'], because: 'push notifications' },
  { ids: /^CARD-EXT-/, rows: ['C1', 'G6'], because: 'an extended card' },
  { ids: /^CORE-CAP-004$/, rows: ['C1', 'S7'], because: 'extensions that the card requires' },
];

/** @param {boolean} distinctIds whether the proxy numbers the messages */
export function expectedDifferences(distinctIds) {
  return distinctIds ? always : { ...always, ...withRepeatedIds };
}

/** @returns {string[]} what the kit skipped, in words and numbers */
export function skippedFor(requirements) {
  const skipped = Object.keys(requirements).filter((id) => requirements[id].status === 'SKIPPED');
  return NOT_OFFERED.map(({ ids, rows, because }) => {
    const count = skipped.filter((id) => ids.test(id)).length;
    return `${count} for ${because} [${rows.join('] [')}]`;
  });
}

/**
 * @param {Record<string, { status: string, errors: string[] }>} requirements as the kit reports them
 * @returns {string[]} what differs from the list, in words
 */
export function surprises(requirements, expected) {
  const found = [];
  for (const [id, { status, errors }] of Object.entries(requirements)) {
    if (status === 'SKIPPED' && !NOT_OFFERED.some(({ ids }) => ids.test(id))) found.push(`${id} was skipped`);
    if (status !== 'FAIL') continue;
    const difference = expected[id];
    const foreign = errors.filter((error) => !difference?.error.test(error));
    if (!difference || errors.length === 0) found.push(`${id} failed: ${errors.join('; ')}`);
    else if (foreign.length > 0) found.push(`${id} failed in a new way: ${foreign.join('; ')}`);
  }
  for (const id of Object.keys(expected)) {
    const status = requirements[id]?.status ?? 'absent';
    if (status !== 'FAIL') found.push(`${id} was expected to fail and is ${status}`);
  }
  return found;
}
