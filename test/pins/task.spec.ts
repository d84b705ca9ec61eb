import type { Task } from '../../src/tasks/index.js';
import { toWireTask } from '../../src/v1/task.mapper.js';

/** Tasks as clients have read them since the first release. A change here breaks somebody: make it on purpose. */
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
  revision: 0,
  interactive: false,
  replyTruncated: false,
  ...members,
});

const HEAD = '"id":"task-1","contextId":"context-1"';
const TIME = '"timestamp":"2026-09-07T10:00:00.123Z"';

const PINS: [string, Partial<Task>, string][] = [
  ['submitted', {}, `{${HEAD},"status":{"state":"TASK_STATE_SUBMITTED",${TIME}}}`],
  [
    'working, last checked',
    { state: 'working', lastCheckedAtMs: AT_MS + 1_000 },
    `{${HEAD},"status":{"state":"TASK_STATE_WORKING",${TIME}},"metadata":{"hello":{"lastCheckedAt":"2026-09-07T10:00:01.123Z"}}}`,
  ],
  [
    'working, cancel requested',
    { state: 'working', cancelRequestedAtMs: AT_MS + 2_000 },
    `{${HEAD},"status":{"state":"TASK_STATE_WORKING",${TIME}},"metadata":{"hello":{"cancelRequestedAt":"2026-09-07T10:00:02.123Z"}}}`,
  ],
  [
    'completed',
    { state: 'completed', reply: 'Hello 👋' },
    `{${HEAD},"status":{"state":"TASK_STATE_COMPLETED",${TIME}},"artifacts":[{"artifactId":"task-1-reply","name":"Reply","parts":[{"text":"Hello 👋"}]}]}`,
  ],
  [
    'completed, cut',
    { state: 'completed', reply: 'Long', replyTruncated: true },
    `{${HEAD},"status":{"state":"TASK_STATE_COMPLETED",${TIME}},"artifacts":[{"artifactId":"task-1-reply","name":"Reply","parts":[{"text":"Long"}],"metadata":{"hello":{"truncated":true}}}]}`,
  ],
  [
    'failed',
    { state: 'failed', statusText: 'The program ended with code 1' },
    `{${HEAD},"status":{"state":"TASK_STATE_FAILED",${TIME},"message":{"messageId":"task-1-status","contextId":"context-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"The program ended with code 1"}]}}}`,
  ],
  ['canceled', { state: 'canceled' }, `{${HEAD},"status":{"state":"TASK_STATE_CANCELED",${TIME}}}`],
  ['rejected', { state: 'rejected' }, `{${HEAD},"status":{"state":"TASK_STATE_REJECTED",${TIME}}}`],
];

describe('a task on the 1.0 wire', () => {
  it.each(PINS)('[W6] [S10] [G5] %s', (_, members, literal) => {
    const wire: unknown = toWireTask(task(members), { includeArtifacts: true });
    expect(wire).toEqual(JSON.parse(literal));
  });

  it('[G2] [W6] its history is this, and left out when there is none', () => {
    const history = [
      { messageId: 'message-1', role: 'user' as const, parts: [{ text: 'Hi' }], metadata: { a: 1 } },
    ];
    expect(toWireTask(task({}), { history, includeArtifacts: false }).history).toEqual(
      JSON.parse(
        '[{"messageId":"message-1","contextId":"context-1","taskId":"task-1","role":"ROLE_USER","parts":[{"text":"Hi"}],"metadata":{"a":1}}]',
      ),
    );
    expect(toWireTask(task({}), { history: [], includeArtifacts: false })).not.toHaveProperty('history');
  });
});
