import type { JobExecutor, StatusAnswer } from '../../../../src/index.js';
import type { Broken } from '../broken-port.js';

/** Answers questions about jobs in another way. */
function answering(change: (answers: StatusAnswer[]) => StatusAnswer[]) {
  return (real: JobExecutor): Partial<JobExecutor> => ({
    status: async (...question) => {
      const answers = await real.status(...question);
      return answers && change(answers);
    },
  });
}

export const BROKEN_EXECUTORS: Broken<JobExecutor>[] = [
  ['can be reached is available', 'reaches every computer', () => ({ isAvailable: () => true })],
  ['can be reached is available', 'reaches none', () => ({ isAvailable: () => false })],
  [
    'is refused, and certainly not taken',
    'is not sure',
    () => ({ submit: async () => ({ kind: 'uncertain' }) }),
  ],
  [
    'is known, under the id of its task',
    'gives the job an id of its own',
    (real) => ({ submit: (order) => real.submit({ ...order, taskId: `other-${order.taskId}` }) }),
  ],
  [
    'is known, under the id of its task',
    'begins with revision 0',
    (real) => ({
      submit: async (order) => {
        const outcome = await real.submit(order);
        if (outcome.kind === 'accepted') outcome.report.revision = 0;
        return outcome;
      },
    }),
  ],
  ['told apart, and asked about together', 'answers for one', answering((answers) => answers.slice(0, 1))],
  [
    'told apart, and asked about together',
    'leaves out what it does not know',
    answering((answers) => answers.filter(({ kind }) => kind === 'reported')),
  ],
  ['as many as 50 jobs', 'answers for 20', answering((answers) => answers.slice(0, 20))],
  [
    'what a cancel reports is not older',
    'begins anew',
    (real) => ({
      cancel: async (...question) => {
        const outcome = await real.cancel(...question);
        if (outcome.kind === 'reported') outcome.report.revision = 0;
        return outcome;
      },
    }),
  ],
  ['never submitted it says so', 'says nothing', () => ({ status: async () => [] })],
  [
    'never submitted it says so',
    'answers for a computer that is not there',
    (real) => ({
      status: async (computerId, taskIds, patience) =>
        (await real.status(computerId, taskIds, patience)) ??
        taskIds.map((taskId) => ({ kind: 'unknown', taskId })),
    }),
  ],
  [
    'a cancel is confirmed by a report',
    'reaches nobody',
    () => ({ cancel: async () => ({ kind: 'unreachable' }) }),
  ],
  [
    'a cancel is confirmed by a report',
    'does not know the jobs of a computer that is away',
    (real) => ({
      cancel: async (...question) => {
        const outcome = await real.cancel(...question);
        return outcome.kind === 'unreachable' ? { kind: 'unknown' } : outcome;
      },
    }),
  ],
  [
    'an answer reaches only a job that asks',
    'is not sure',
    () => ({ answer: async () => ({ kind: 'uncertain' }) }),
  ],
  [
    'an answer reaches only a job that asks',
    'was not sent, to whomever',
    () => ({ answer: async () => ({ kind: 'not_sent' }) }),
  ],
  [
    'a hint that never fails',
    'fails when the computer is away',
    (real) => ({
      forget: (computerId) => {
        if (!real.isAvailable(computerId)) throw new Error('offline');
      },
    }),
  ],
];
