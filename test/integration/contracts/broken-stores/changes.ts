import { setImmediate as turn } from 'node:timers/promises';
import type { Task, TaskReport, TaskStore } from '../../../../src/index.js';
import { type BrokenStore, beside, remembering, reportSaid, reviving } from './broken-store.js';

type Report = Parameters<TaskStore['applyReport']>;

/** Hands over another report, or at another time, than the one that came. */
function reporting(
  change: (report: TaskReport, times: Report[2]) => { report?: TaskReport; times?: Report[2] },
) {
  return (real: TaskStore): Partial<TaskStore> => ({
    applyReport: (computerId, report, times) => {
      const other = change(report, times);
      return real.applyReport(computerId, other.report ?? report, other.times ?? times);
    },
  });
}

export const BROKEN_CHANGES: BrokenStore[] = [
  ['only a higher revision applies', 'says of old news that they apply', reviving],
  [
    'only a higher revision applies',
    'takes the same revision again',
    (real) => ({
      applyReport: async (computerId, report, times) => {
        const outcome = await real.applyReport(computerId, report, times);
        if (outcome.kind !== 'ignored' || outcome.task.revision !== report.revision) return outcome;
        return real.applyReport(computerId, { ...report, revision: report.revision + 1 }, times);
      },
    }),
  ],
  [
    'only a higher revision applies',
    'counts by itself',
    (real) => {
      let revision = 0;
      return {
        applyReport: (computerId, report, times) =>
          real.applyReport(computerId, { ...report, revision: (revision += 1) }, times),
      };
    },
  ],
  [
    'reports that arrive together apply',
    'takes the newest of each task alone',
    (real) => {
      const newest = new Map<string, number>();
      return {
        applyReport: async (computerId, report, times) => {
          newest.set(report.taskId, Math.max(newest.get(report.taskId) ?? 0, report.revision));
          await turn();
          const state = newest.get(report.taskId) === report.revision ? report.revision : 0;
          return real.applyReport(computerId, { ...report, revision: state }, times);
        },
      };
    },
  ],
  [
    'a computer cannot touch the task of another one',
    'takes reports from any computer',
    (real) => {
      const { tasks, accept } = remembering(real);
      return {
        accept,
        applyReport: (computerId, report, times) =>
          real.applyReport(tasks.get(report.taskId)?.computerId ?? computerId, report, times),
      };
    },
  ],
  [
    'a computer cannot touch the task of another one',
    'notes the checks of any computer',
    (real) => {
      const { tasks, accept } = remembering(real);
      return {
        accept,
        applyReport: async (computerId, report, times) => {
          const owner = tasks.get(report.taskId)?.computerId ?? computerId;
          if (owner !== computerId) await real.applyReport(owner, { ...report, revision: 0 }, times);
          return real.applyReport(computerId, report, times);
        },
      };
    },
  ],
  [
    'a computer cannot touch the task of another one',
    'fails what any computer does not know',
    (real) => {
      const { tasks, accept } = remembering(real);
      return {
        accept,
        failUnknown: (computerId, question, ...more) =>
          real.failUnknown(tasks.get(question.taskId)?.computerId ?? computerId, question, ...more),
      };
    },
  ],
  [
    'the status time never moves backwards',
    'takes the time of every report',
    (real) => ({
      applyReport: async (computerId, report, times) => {
        const outcome = await real.applyReport(computerId, report, times);
        if (outcome.kind === 'applied') outcome.task.statusAtMs = times.nowMs;
        return outcome;
      },
    }),
  ],
  [
    'the status time never moves backwards',
    'looks at the state alone',
    (real) => {
      const last = new Map<string, Task>();
      return {
        applyReport: async (computerId, report, times) => {
          const outcome = await real.applyReport(computerId, report, times);
          if (outcome.kind !== 'applied') return outcome;
          const before = last.get(report.taskId);
          if (before?.state === outcome.task.state) outcome.task.statusAtMs = before.statusAtMs;
          last.set(report.taskId, outcome.task);
          return outcome;
        },
      };
    },
  ],
  [
    'a reply stays when a later report has none',
    'takes no reply for an empty one',
    reporting((report) => ({ report: { ...report, reply: report.reply ?? '' } })),
  ],
  [
    'a reply stays when a later report has none',
    'keeps the explanation as well',
    (real) => {
      let last = '';
      return {
        applyReport: (computerId, report, times) => {
          last = report.statusText ?? last;
          return real.applyReport(computerId, { ...report, statusText: last }, times);
        },
      };
    },
  ],
  [
    'a reply stays when a later report has none',
    'forgets that it was cut',
    (real) => {
      let last = '';
      return {
        applyReport: (computerId, report, times) => {
          last = report.reply ?? last;
          return real.applyReport(computerId, { ...report, reply: last }, times);
        },
      };
    },
  ],
  [
    'records the check, whether or not',
    'records none',
    reporting((_, times) => ({ times: { ...times, checked: false } })),
  ],
  [
    'records the check, whether or not',
    'takes a check for a change',
    reportSaid((outcome) => (outcome.kind === 'ignored' ? { ...outcome, kind: 'applied' } : outcome)),
  ],
  [
    'a report that nobody asked for is no check',
    'takes every report for one',
    reporting((_, times) => ({ times: { ...times, checked: true } })),
  ],
  [
    'the last check never moves backwards',
    'notes the time as it comes',
    (real) => {
      const { note, find } = beside(real);
      return {
        find: find as TaskStore['find'],
        applyReport: (computerId, report, times) => {
          if (times.checked) note(report.taskId, { lastCheckedAtMs: times.nowMs });
          return real.applyReport(computerId, report, times);
        },
      };
    },
  ],
];
