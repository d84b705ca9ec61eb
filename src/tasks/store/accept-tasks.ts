import type { EntityManager } from 'typeorm';
import type { Task, TaskDraft } from '../task.js';
import type { MessageLimit } from '../message-quota.js';
import type { AcceptOutcome } from '../task-store.js';
import { type CountedMessage, MessageAllowance, retryAfterMs } from './message-quota.js';
import { freeKeys, usesOfKeys } from './retry-keys.js';
import { GIVEN_LINES, rowsOf, scopeValues, taskOf } from './task-row.js';

export interface AcceptRequest {
  draft: TaskDraft;
  quota: MessageLimit;
  times: { nowMs: number; expiresAtMs: number };
}

/** A draft that became a task, by this transaction or an earlier one. */
interface Earlier {
  fingerprint: string;
  task: Task;
}

/**
 * Takes tasks over, as if one after another; the rules are those of `TaskStore.accept`. What is on disk is read first,
 * for all of them and inside the write transaction, so that nothing can change before they are written (requirements
 * S5, S9).
 */
export async function acceptTasks(
  manager: EntityManager,
  requests: AcceptRequest[],
): Promise<AcceptOutcome[]> {
  const messages = requests.map(countedMessage);
  const earlier = await earlierTasks(manager, requests);
  const contexts = await knownContexts(manager, requests);
  const allowance = await MessageAllowance.of(manager, messages);
  const accepted: AcceptRequest[] = [];

  const decide = (request: AcceptRequest, message: CountedMessage): AcceptOutcome | undefined => {
    const { draft } = request;
    const key = keyOf(draft);
    const context = contextOf(draft);
    const known = earlier.get(key);
    if (known?.fingerprint === draft.fingerprint) return { kind: 'repeated', task: known.task };
    if (known) return { kind: 'conflict' };
    if (!draft.contextIsNew && !contexts.has(context)) return { kind: 'unknown_context' };
    if (!allowance.take(message)) return undefined;
    const task = newTask(request);
    earlier.set(key, { fingerprint: draft.fingerprint, task });
    contexts.add(context);
    accepted.push(request);
    return { kind: 'accepted', task };
  };
  const decisions = messages.map((message, place) => decide(requests[place] as AcceptRequest, message));

  await insert(manager, accepted);
  const outcomes: AcceptOutcome[] = [];
  for (const [place, message] of messages.entries()) {
    outcomes.push(
      decisions[place] ?? { kind: 'quota_exceeded', retryAfterMs: await retryAfterMs(manager, message) },
    );
  }
  return outcomes;
}

function countedMessage({ draft, quota, times }: AcceptRequest): CountedMessage {
  return { accountId: draft.scope.accountId, quota, nowMs: times.nowMs };
}

function keyOf({ scope, retryKey }: TaskDraft): string {
  return JSON.stringify([...scopeValues(scope), retryKey]);
}

function contextOf({ scope, contextId }: TaskDraft): string {
  return JSON.stringify([...scopeValues(scope), contextId]);
}

/**
 * What was made of the retry keys before. The keys of expired tasks are free, and the indexes know no time; the tasks
 * themselves stay until they are ended and deleted.
 */
async function earlierTasks(
  manager: EntityManager,
  requests: AcceptRequest[],
): Promise<Map<string, Earlier>> {
  const earlier = new Map<string, Earlier>();
  const expired: TaskDraft[] = [];
  const drafts = requests.map(({ draft }) => draft);
  const uses = await usesOfKeys(manager, drafts);
  for (const [place, { draft, times }] of requests.entries()) {
    const live = uses[place]?.find((use) => use.expires_at > times.nowMs);
    if (live) earlier.set(keyOf(draft), { fingerprint: live.fingerprint, task: taskOf(live) });
    else if (uses[place]?.length) expired.push(draft);
  }
  if (expired.length > 0) await freeKeys(manager, expired);
  return earlier;
}

/** A context is known as long as one of its tasks is; it needs no table that could say otherwise. */
async function knownContexts(manager: EntityManager, requests: AcceptRequest[]): Promise<Set<string>> {
  const named = requests.filter(({ draft }) => !draft.contextIsNew);
  if (named.length === 0) return new Set();
  const rows = await rowsOf<{ place: number }>(
    manager,
    `SELECT key AS place FROM json_each(?) WHERE EXISTS (
       SELECT 1 FROM tasks WHERE account_id = value ->> 0 AND agent_id = value ->> 1
         AND context_id = value ->> 2 AND expires_at > value ->> 3)`,
    [
      JSON.stringify(
        named.map(({ draft, times }) => [...scopeValues(draft.scope), draft.contextId, times.nowMs]),
      ),
    ],
  );
  return new Set(rows.map(({ place }) => contextOf((named[place] as AcceptRequest).draft)));
}

function newTask({ draft, times }: AcceptRequest): Task {
  return {
    id: draft.id,
    ...draft.scope,
    contextId: draft.contextId,
    computerId: draft.computerId,
    state: 'submitted',
    statusAtMs: times.nowMs,
    createdAtMs: times.nowMs,
    expiresAtMs: times.expiresAtMs,
    revision: 0,
    interactive: draft.interactive,
    replyTruncated: false,
  };
}

async function insert(manager: EntityManager, accepted: AcceptRequest[]): Promise<void> {
  if (accepted.length === 0) return;
  const tasks = accepted.map(({ draft, times }) => [
    draft.id,
    ...scopeValues(draft.scope),
    draft.contextId,
    draft.computerId,
    times.nowMs,
    times.expiresAtMs,
    draft.interactive,
    draft.retryKey,
    draft.fingerprint,
  ]);
  await rowsOf(
    manager,
    `${GIVEN_LINES} INSERT INTO tasks (id, account_id, agent_id, context_id, computer_id, state, status_at, created_at,
       expires_at, interactive, retry_key, fingerprint)
     SELECT line ->> 0, line ->> 1, line ->> 2, line ->> 3, line ->> 4, 'submitted', line ->> 5, line ->> 5,
       line ->> 6, line ->> 7, line ->> 8, line ->> 9 FROM given`,
    [JSON.stringify(tasks)],
  );
  // The message stays text within the text: what SQLite reads of JSON need not be what it was.
  const messages = accepted.map(({ draft }) => [draft.id, JSON.stringify(draft.message)]);
  await rowsOf(
    manager,
    `${GIVEN_LINES} INSERT INTO messages (task_id, position, body) SELECT line ->> 0, 0, line ->> 1 FROM given`,
    [JSON.stringify(messages)],
  );
}
