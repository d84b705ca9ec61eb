import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Task } from '../../../../src/index.js';
import { type Accept, type BrokenStore, PLENTY, showing } from './broken-store.js';

/** Remembers something as long as the process lives. */
export const FORGETFUL: BrokenStore[] = [
  [
    'what was accepted is there after a restart',
    'makes keys anew with every start',
    (real) => {
      const start = randomUUID();
      const keyOf = (key: string) => `${start} ${key}`;
      return {
        accept: (draft, ...more) => real.accept({ ...draft, retryKey: keyOf(draft.retryKey) }, ...more),
        findByRetryKey: (scope, key, nowMs) => real.findByRetryKey(scope, keyOf(key), nowMs),
      };
    },
  ],
  [
    'what was accepted is there after a restart',
    'writes some time after the answer',
    (real) => {
      const drafts = new Map<string, Task>();
      return {
        accept: async ({ id, scope, contextId, computerId, interactive }: Accept[0], _, times) => {
          const task: Task = {
            ...{ id, ...scope, contextId, computerId, interactive, state: 'submitted', revision: 0 },
            ...{ statusAtMs: times.nowMs, createdAtMs: times.nowMs, expiresAtMs: times.expiresAtMs },
            replyTruncated: false,
          };
          drafts.set(id, task);
          await turn();
          return { kind: 'accepted', task };
        },
        find: async (scope, id, nowMs) => drafts.get(id) ?? real.find(scope, id, nowMs),
      };
    },
  ],
  [
    'the quota survives a restart',
    'counts in memory',
    (real) => {
      let sent = 0;
      return {
        accept: async (draft, quota, times) => {
          if (sent >= quota.limit) return { kind: 'quota_exceeded', retryAfterMs: quota.windowMs };
          sent += 1;
          return real.accept(draft, PLENTY, times);
        },
      };
    },
  ],
  [
    'reports, checks and requests to cancel are there',
    'keeps checks in memory',
    (real) => {
      const checks = new Map<string, number>();
      return {
        ...showing(real, (task) => {
          const lastCheckedAtMs = checks.get(task.id);
          return lastCheckedAtMs === undefined ? task : { ...task, lastCheckedAtMs };
        }),
        applyReport: (computerId, report, { nowMs, checked }) => {
          if (checked) checks.set(report.taskId, nowMs);
          return real.applyReport(computerId, report, { nowMs, checked: false });
        },
      };
    },
  ],
  [
    'reports, checks and requests to cancel are there',
    'keeps requests to cancel in memory',
    (real) => {
      const requests = new Map<string, number>();
      return {
        ...showing(real, (task) => {
          const cancelRequestedAtMs = requests.get(task.id);
          return cancelRequestedAtMs === undefined ? task : { ...task, cancelRequestedAtMs };
        }),
        recordCancelRequest: async (id, nowMs) => {
          requests.set(id, nowMs);
          return undefined;
        },
      };
    },
  ],
  [
    'questions and answers are there after a restart',
    'remembers which answer is on its way',
    (real) => {
      const onTheirWay = new Set<string>();
      return {
        acceptAnswer: (...answer) => {
          onTheirWay.add(answer[0].taskId);
          return real.acceptAnswer(...answer);
        },
        pendingAnswer: async (id) => (onTheirWay.has(id) ? real.pendingAnswer(id) : undefined),
      };
    },
  ],
  [
    'what was withdrawn or deleted stays gone',
    'hides what was withdrawn',
    (real) => {
      const hidden = new Set<string>();
      return {
        ...showing(real, (task) => (hidden.has(task.id) ? undefined : task)),
        withdraw: async (id) => {
          hidden.add(id);
          return true;
        },
      };
    },
  ],
];
