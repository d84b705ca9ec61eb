import assert from 'node:assert/strict';
import type { TaskState } from '../../a2a/index.js';
import type { Rule } from '../rule.js';

export { same } from '../rule.js';
import type { ListQuery, TaskStore } from '../../tasks/index.js';
import type { TaskDraft, TaskReport, TaskScope } from '../../tasks/index.js';

/** To be run against an empty store. */
export type StoreRule = Rule<TaskStore>;

export const NOW = 1_800_000_000_000;
export const DAY = 24 * 60 * 60 * 1000;
export const HOUR = DAY / 24;
const PLENTY = { limit: 1_000_000, windowMs: HOUR };
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

export function query(change: Partial<ListQuery> = {}): ListQuery {
  return { scope: SCOPE, filter: {}, limit: 100, includeReply: false, nowMs: NOW, ...change };
}

export async function listed(store: TaskStore, change: Partial<ListQuery> = {}): Promise<string[]> {
  return (await store.list(query(change))).map((task) => task.id);
}
