import type { Task, TaskStreamEvent } from '../../src/tasks/index.js';
import { toWireEvent, toWireTask } from '../../src/v03/wire.mapper.js';

/** Tasks and events as clients of 0.3 read them. A change here breaks somebody: make it on purpose. */
const AT_MS = Date.UTC(2026, 8, 7, 10, 0, 0, 123);

const task = (members: Partial<Task>): Task => ({
  accountId: 'account-1',
  agentId: 'agent-1',
  computerId: 'computer-1',
  id: 'task-1',
  contextId: 'context-1',
  state: 'submitted',
  statusAtMs: AT_MS,
  createdAtMs: AT_MS,
  expiresAtMs: AT_MS + 1,
  revision: 3,
  interactive: true,
  replyTruncated: false,
  ...members,
});

const HEAD = '"kind":"task","id":"task-1","contextId":"context-1"';
const TIME = '"timestamp":"2026-09-07T10:00:00.123Z"';
const IDS = '"taskId":"task-1","contextId":"context-1"';

const agentSays = (id: string, text: string) =>
  `{"kind":"message","messageId":"${id}","role":"agent","parts":[{"kind":"text","text":"${text}"}],${IDS}}`;

const TASKS: [string, Partial<Task>, string][] = [
  ['submitted', {}, `{${HEAD},"status":{"state":"submitted",${TIME}}}`],
  [
    'working, cancel requested',
    { state: 'working', lastCheckedAtMs: AT_MS, cancelRequestedAtMs: AT_MS },
    `{${HEAD},"status":{"state":"working",${TIME}},"metadata":{"hello":{"lastCheckedAt":"2026-09-07T10:00:00.123Z","cancelRequestedAt":"2026-09-07T10:00:00.123Z"}}}`,
  ],
  [
    'input-required',
    { state: 'input_required', statusText: 'Send it?' },
    `{${HEAD},"status":{"state":"input-required",${TIME},"message":${agentSays('task-1-question-3', 'Send it?')}}}`,
  ],
  [
    'completed',
    { state: 'completed', reply: 'Hello 👋' },
    `{${HEAD},"status":{"state":"completed",${TIME}},"artifacts":[{"artifactId":"task-1-reply","name":"response","parts":[{"kind":"text","text":"Hello 👋"}]}]}`,
  ],
  [
    'completed, cut',
    { state: 'completed', reply: 'Long', replyTruncated: true },
    `{${HEAD},"status":{"state":"completed",${TIME}},"artifacts":[{"artifactId":"task-1-reply","name":"response","parts":[{"kind":"text","text":"Long"}],"metadata":{"hello":{"truncated":true}}}]}`,
  ],
  [
    'failed',
    { state: 'failed', statusText: 'Ended with code 1' },
    `{${HEAD},"status":{"state":"failed",${TIME},"message":${agentSays('task-1-status', 'Ended with code 1')}}}`,
  ],
  ['canceled', { state: 'canceled' }, `{${HEAD},"status":{"state":"canceled",${TIME}}}`],
  ['rejected', { state: 'rejected' }, `{${HEAD},"status":{"state":"rejected",${TIME}}}`],
];

const EVENTS: [string, Exclude<TaskStreamEvent, { kind: 'task' }>, string][] = [
  [
    'a change',
    { kind: 'status', task: task({ state: 'working' }), final: false },
    `{"kind":"status-update",${IDS},"status":{"state":"working",${TIME}},"final":false}`,
  ],
  [
    'the end',
    { kind: 'status', task: task({ state: 'completed', reply: 'ab' }), final: true },
    `{"kind":"status-update",${IDS},"status":{"state":"completed",${TIME}},"final":true}`,
  ],
  [
    'a piece of the reply',
    { kind: 'artifact', task: task({ state: 'working' }), text: 'a', append: false, lastChunk: false },
    `{"kind":"artifact-update",${IDS},"artifact":{"artifactId":"task-1-reply","name":"response","parts":[{"kind":"text","text":"a"}]},"append":false,"lastChunk":false}`,
  ],
  [
    'the rest of the reply',
    {
      kind: 'artifact',
      task: task({ state: 'completed', reply: 'ab' }),
      text: 'b',
      append: true,
      lastChunk: true,
    },
    `{"kind":"artifact-update",${IDS},"artifact":{"artifactId":"task-1-reply","name":"response","parts":[{"kind":"text","text":"b"}]},"append":true,"lastChunk":true}`,
  ],
];

describe('the 0.3 wire', () => {
  it.each(TASKS)('[B116] [P3] [P6] a task: %s', (_, members, literal) => {
    expect(JSON.stringify(toWireTask(task(members), []))).toBe(literal);
  });

  it.each(EVENTS)('[B116] [B117] [P4] an event: %s', (_, event, literal) => {
    expect(JSON.stringify(toWireEvent(event))).toBe(literal);
  });

  it('[B116] [P5] its history is this; what only 1.0 has is left out', () => {
    const parts = [{ text: 'Hi', mediaType: 'text/plain', filename: 'a.txt', metadata: { b: 2 } }];
    const history = [{ messageId: 'message-1', role: 'user' as const, parts, metadata: { a: 1 } }];
    expect(JSON.stringify(toWireTask(task({}), history).history)).toBe(
      `[{"kind":"message","messageId":"message-1","role":"user","parts":[{"kind":"text","text":"Hi","metadata":{"b":2}}],${IDS},"metadata":{"a":1}}]`,
    );
  });
});
