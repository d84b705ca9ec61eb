/** One call of a method, as it is sent and as it is answered. Ids, times and versions of an answer differ each time. */
export interface MethodExample {
  method: string;
  summary: string;
  params: Record<string, unknown>;
  result: Record<string, unknown>;
  /** The answer is a stream of events, each a JSON-RPC answer; the result is that of the first one. */
  streams?: true;
}

const TASK_ID = '0198c5a0-7d1e-7b3a-9c64-2f1d8e5a4b10';
const CONTEXT_ID = '0198c5a0-7d1e-7b3a-9c64-31b2a7c9d0e4';
const TIMESTAMP = '2026-01-31T12:00:00.000Z';

const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'What is on my calendar today?' }] };
const storedMessage = { ...message, contextId: CONTEXT_ID, taskId: TASK_ID };

const task = (state: string) => ({
  id: TASK_ID,
  contextId: CONTEXT_ID,
  status: { state, timestamp: TIMESTAMP },
});

/**
 * The methods of the A2A 1.0 endpoint (specification §9), in the order in which a caller uses them. Tests send each one
 * and compare the answer with what stands here.
 */
export const V1_EXAMPLES: readonly MethodExample[] = [
  {
    method: 'SendMessage',
    summary: 'Send a text and get its task at once',
    params: { message, configuration: { returnImmediately: true } },
    result: { task: { ...task('TASK_STATE_WORKING'), history: [storedMessage] } },
  },
  {
    method: 'GetTask',
    summary: 'Ask how a task is doing, without its messages',
    params: { id: TASK_ID, historyLength: 0 },
    result: { ...task('TASK_STATE_WORKING'), metadata: { hello: { lastCheckedAt: TIMESTAMP } } },
  },
  {
    method: 'ListTasks',
    summary: "List one's tasks with this assistant, newest first",
    params: { status: 'TASK_STATE_WORKING', pageSize: 10 },
    result: {
      tasks: [{ ...task('TASK_STATE_WORKING'), metadata: { hello: { lastCheckedAt: TIMESTAMP } } }],
      nextPageToken: '',
      pageSize: 10,
      totalSize: 1,
    },
  },
  {
    method: 'CancelTask',
    summary: 'Stop a task',
    params: { id: TASK_ID },
    result: {
      ...task('TASK_STATE_CANCELED'),
      history: [storedMessage],
      metadata: { hello: { lastCheckedAt: TIMESTAMP } },
    },
  },
];

const message03 = {
  kind: 'message',
  messageId: 'm-2',
  role: 'user',
  parts: [{ kind: 'text', text: 'What is on my calendar today?' }],
};
const stored03 = { ...message03, taskId: TASK_ID, contextId: CONTEXT_ID };

const task03 = (state: string) => ({
  kind: 'task',
  id: TASK_ID,
  contextId: CONTEXT_ID,
  status: { state, timestamp: TIMESTAMP },
});

const checked = { metadata: { hello: { lastCheckedAt: TIMESTAMP } } };

/** The methods of the A2A 0.3 endpoint (specification 0.3 §7), tested in the same way. */
export const V03_EXAMPLES: readonly MethodExample[] = [
  {
    method: 'message/send',
    summary: 'Send a text and get its task at once',
    params: { message: message03, configuration: { blocking: false } },
    result: { ...task03('working'), history: [stored03] },
  },
  {
    method: 'tasks/get',
    summary: 'Ask how a task is doing',
    params: { id: TASK_ID },
    result: { ...task03('working'), history: [stored03], ...checked },
  },
  {
    method: 'tasks/resubscribe',
    summary: 'Follow a task as a stream of events',
    params: { id: TASK_ID },
    result: { ...task03('working'), history: [stored03], ...checked },
    streams: true,
  },
  {
    method: 'tasks/cancel',
    summary: 'Stop a task',
    params: { id: TASK_ID },
    result: { ...task03('canceled'), history: [stored03], ...checked },
  },
  {
    method: 'message/stream',
    summary: 'Send a text and follow its task as a stream of events',
    params: { message: { ...message03, messageId: 'm-3' } },
    result: { ...task03('submitted'), history: [{ ...stored03, messageId: 'm-3' }] },
    streams: true,
  },
];
