import type { TaskStore } from '../../../../src/index.js';
import { type BrokenStore, beside, remembering, reviving, showing } from './broken-store.js';

export const BROKEN_ENDS: BrokenStore[] = [
  ['a terminal state never changes', 'lets it change', reviving],
  [
    'a terminal state never changes',
    'fails what is over',
    (real) => ({
      failUnknown: async (...question) => {
        const outcome = await real.failUnknown(...question);
        return outcome.kind === 'ignored' ? { ...outcome, kind: 'applied' } : outcome;
      },
    }),
  ],
  [
    'a terminal state never changes',
    'notes requests to cancel what is over',
    (real) => ({
      recordCancelRequest: async (id, nowMs) => {
        const task = await real.recordCancelRequest(id, nowMs);
        return task && { ...task, cancelRequestedAtMs: task.cancelRequestedAtMs ?? nowMs };
      },
    }),
  ],
  [
    'a terminal state never changes',
    'notes checks of what is over',
    (real) => ({
      applyReport: async (computerId, report, times) => {
        const outcome = await real.applyReport(computerId, report, times);
        if (outcome.kind === 'ignored' && times.checked) outcome.task.lastCheckedAtMs = times.nowMs;
        return outcome;
      },
    }),
  ],
  ['of two racing ends exactly one applies', 'says to both that theirs did', reviving],
  [
    'an unknown job fails its task, unless',
    'does not look at what came meanwhile',
    (real) => {
      const { accept, now } = remembering(real);
      return {
        accept,
        failUnknown: async (computerId, { taskId }, ...more) => {
          const revision = (await now(taskId))?.revision ?? 0;
          return real.failUnknown(computerId, { taskId, revision }, ...more);
        },
      };
    },
  ],
  [
    'an unknown job fails its task, unless',
    'does not note the check',
    (real) => ({
      failUnknown: async (...question) => {
        const outcome = await real.failUnknown(...question);
        if (outcome.kind === 'applied') delete outcome.task.lastCheckedAtMs;
        return outcome;
      },
    }),
  ],
  [
    'failing an unknown job moves no time backwards',
    'takes the time as it comes',
    (real) => {
      const { note, find } = beside(real);
      return {
        find: find as TaskStore['find'],
        failUnknown: (computerId, question, text, nowMs) => {
          note(question.taskId, { statusAtMs: nowMs });
          return real.failUnknown(computerId, question, text, nowMs);
        },
      };
    },
  ],
  [
    'failing an unknown job moves no time backwards',
    'fails all that is open there',
    (real) => ({
      failUnknown: async (computerId, question, text, nowMs) => {
        const outcome = await real.failUnknown(computerId, question, text, nowMs);
        for (const { id, revision } of await real.openTasks(computerId, 10, nowMs)) {
          await real.failUnknown(computerId, { taskId: id, revision }, text, nowMs);
        }
        return outcome;
      },
    }),
  ],
  [
    'of a report and the news that the job is unknown',
    'says that the news apply',
    (real) => ({
      failUnknown: async (...question) => {
        const outcome = await real.failUnknown(...question);
        return outcome.kind === 'ignored' ? { ...outcome, kind: 'applied' } : outcome;
      },
    }),
  ],
  [
    'the first request to cancel stands',
    'keeps the last one',
    (real) => ({
      recordCancelRequest: async (id, nowMs) => {
        const task = await real.recordCancelRequest(id, nowMs);
        return task && { ...task, cancelRequestedAtMs: nowMs };
      },
    }),
  ],
  [
    'a request to cancel changes nothing else',
    'takes it for news of the task',
    (real) => ({
      recordCancelRequest: async (id, nowMs) => {
        const task = await real.recordCancelRequest(id, nowMs);
        return task && { ...task, statusAtMs: nowMs };
      },
    }),
  ],
  [
    'a request to cancel changes nothing else',
    'forgets it at the end',
    (real) =>
      showing(real, ({ cancelRequestedAtMs, ...task }) => ({
        ...task,
        ...(cancelRequestedAtMs !== undefined && task.state !== 'canceled' && { cancelRequestedAtMs }),
      })),
  ],
];
