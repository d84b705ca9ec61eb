import assert from 'node:assert/strict';
import type { TaskState } from '../../a2a/index.js';
import type {
  AnswerDraft,
  ListQuery,
  Task,
  TaskDraft,
  TaskReport,
  TaskScope,
  TaskStore,
} from '../../tasks/index.js';
import type { Rule } from '../rule.js';

export { same } from '../rule.js';

/** A store that holds nothing yet, of its own for every rule. */
export interface TaskStoreSubject {
  store: TaskStore;
  /**
   * As after a restart: ends `store` and opens another one on the same data.
   * @returns the store that is used from then on
   */
  reopen: () => Promise<TaskStore>;
}

export type StoreRule = Rule<TaskStoreSubject>;

export const NOW = 1_800_000_000_000;
export const DAY = 24 * 60 * 60 * 1000;
export const HOUR = DAY / 24;
/** When what was accepted at `NOW` expires. */
export const END = NOW + 7 * DAY;
export const PLENTY = { limit: 1_000_000, windowMs: HOUR };
export const SCOPE: TaskScope = { accountId: 'ada', agentId: 'desk' };
export const OTHER_SCOPES: TaskScope[] = [
  { ...SCOPE, accountId: 'bob' },
  { ...SCOPE, agentId: 'lab' },
];

let made = 0;
function draft(change: Partial<TaskDraft> = {}): TaskDraft {
  made += 1;
  const id = `task-${String(made).padStart(8, '0')}`;
  return {
    id,
    scope: SCOPE,
    computerId: 'computer-1',
    contextId: `context-${made}`,
    contextIsNew: true,
    retryKey: `key-${made}`,
    fingerprint: 'same',
    message: { messageId: `message-${made}`, role: 'user', parts: [{ text: 'Hello' }] },
    interactive: false,
    ...change,
  };
}

export function accept(store: TaskStore, change: Partial<TaskDraft> = {}, nowMs = NOW, quota = PLENTY) {
  return store.accept(draft(change), quota, { nowMs, expiresAtMs: nowMs + 7 * DAY });
}

export async function accepted(store: TaskStore, change: Partial<TaskDraft> = {}, nowMs = NOW) {
  const outcome = await accept(store, change, nowMs);
  assert.equal(outcome.kind, 'accepted');
  assert.ok(outcome.kind === 'accepted');
  return outcome.task;
}

export function report(taskId: string, state: TaskState, revision: number, more: Partial<TaskReport> = {}) {
  return { taskId, state, revision, ...more };
}

export function apply(store: TaskStore, what: TaskReport, nowMs = NOW, checked = false) {
  return store.applyReport('computer-1', what, { nowMs, checked });
}

export function find(store: TaskStore, id: string, nowMs = NOW): Promise<Task | undefined> {
  return store.find(SCOPE, id, nowMs);
}

export function query(change: Partial<ListQuery> = {}): ListQuery {
  return { scope: SCOPE, filter: {}, limit: 100, includeReply: false, nowMs: NOW, ...change };
}

export async function listed(store: TaskStore, change: Partial<ListQuery> = {}): Promise<string[]> {
  return (await store.list(query(change))).map((task) => task.id);
}

export function answer(
  store: TaskStore,
  taskId: string,
  change: Partial<AnswerDraft> = {},
  { nowMs = NOW, quota = PLENTY } = {},
) {
  made += 1;
  const given: AnswerDraft = {
    scope: SCOPE,
    taskId,
    retryKey: `answer-key-${made}`,
    fingerprint: 'answer',
    message: { messageId: `answer-${made}`, role: 'user', parts: [{ text: 'Yes' }] },
    ...change,
  };
  return store.acceptAnswer(given, quota, nowMs);
}

/** @returns the id of a task that asks `Send it?`, with revision 1 */
export async function asking(store: TaskStore, change: Partial<TaskDraft> = {}): Promise<string> {
  const { id } = await accepted(store, change);
  await apply(store, report(id, 'input_required', 1, { statusText: 'Send it?' }));
  return id;
}

/** Says who said what in a task. */
export async function texts(store: TaskStore, taskId: string): Promise<string[]> {
  const history = await store.history(taskId);
  return history.map(({ role, parts }) => `${role}: ${parts.map((part) => part.text).join()}`);
}

export function kindsOf(outcomes: readonly { kind: string }[]): string[] {
  return outcomes.map(({ kind }) => kind).sort();
}

export function idsOf(tasks: readonly { id: string }[]): string[] {
  return tasks.map(({ id }) => id);
}
