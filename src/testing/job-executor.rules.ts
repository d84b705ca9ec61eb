import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { JobExecutor, JobOrder } from '../tasks/index.js';
import { same, type Rule } from './rule.js';

/** An executor that reaches one computer and not another. */
export interface ExecutorSubject {
  executor: JobExecutor;
  /** An assistant that works on a job until it is canceled, on a computer that can be reached. */
  reachable: { computerId: string; handle: string };
  /** A computer that cannot be reached. */
  offlineComputerId: string;
}

function order({ computerId, handle }: ExecutorSubject['reachable']): JobOrder {
  const now = Date.now();
  return {
    taskId: randomUUID(),
    computerId,
    handle,
    contextId: randomUUID(),
    accountId: 'ann',
    interactive: false,
    message: { messageId: randomUUID(), text: 'Hello' },
    createdAtMs: now,
    expiresAtMs: now + 3_600_000,
  };
}

async function submitted({ executor, reachable }: ExecutorSubject): Promise<JobOrder> {
  const job = order(reachable);
  const outcome = await executor.submit(job);
  assert.ok(outcome.kind === 'accepted', `the job was not accepted but ${outcome.kind}`);
  assert.equal(outcome.report.taskId, job.taskId);
  assert.ok(outcome.report.revision >= 1, 'the revision of a report is at least 1');
  return job;
}

/** What `JobExecutor` promises (requirements S8, G1, G5, R5). */
export const JOB_EXECUTOR_RULES: readonly Rule<ExecutorSubject>[] = [
  {
    title: '[S8] a computer that can be reached is available, and another one is not',
    async check({ executor, reachable, offlineComputerId }) {
      assert.equal(executor.isAvailable(reachable.computerId), true);
      assert.equal(executor.isAvailable(offlineComputerId), false);
      assert.equal(executor.isAvailable('no-such-computer'), false);
    },
  },
  {
    title: '[S8] a job for a computer that is not there is refused, and certainly not taken',
    async check({ executor, reachable, offlineComputerId }) {
      const outcome = await executor.submit(order({ ...reachable, computerId: offlineComputerId }));
      assert.equal(outcome.kind, 'refused');
    },
  },
  {
    title: '[R4] a job that is accepted is known, under the id of its task',
    async check(subject) {
      const { taskId, computerId } = await submitted(subject);
      const answers = await subject.executor.status(computerId, [taskId], 'long');
      const [answer] = answers ?? [];
      assert.ok(answer?.kind === 'reported', 'an accepted job is not reported');
      assert.equal(answer.report.taskId, taskId);
    },
  },
  {
    title: '[R4] jobs that are submitted at once are told apart, and asked about together',
    async check(subject) {
      const { executor, reachable } = subject;
      const jobs = await Promise.all([submitted(subject), submitted(subject), submitted(subject)]);
      const stranger = randomUUID();
      const asked = [...jobs.map(({ taskId }) => taskId), stranger];
      const answers = (await executor.status(reachable.computerId, asked, 'long')) ?? [];
      const told = answers.map((answer) =>
        answer.kind === 'reported' ? `${answer.report.taskId} reported` : `${answer.taskId} unknown`,
      );
      const expected = asked.map((id) => `${id} ${id === stranger ? 'unknown' : 'reported'}`);
      same(told.sort(), expected.sort());
    },
  },
  {
    title: '[R5] as many as 50 jobs are asked about in one question',
    async check({ executor, reachable }) {
      const asked = Array.from({ length: 50 }, () => randomUUID());
      const answers = await executor.status(reachable.computerId, asked, 'long');
      assert.equal(answers?.length, 50);
    },
  },
  {
    title: '[G5] [R4] what a cancel reports is not older than what was known',
    async check(subject) {
      const { executor } = subject;
      const { taskId, computerId } = await submitted(subject);
      const [before] = (await executor.status(computerId, [taskId], 'long')) ?? [];
      assert.ok(before?.kind === 'reported', 'a job that was accepted is not known');
      const outcome = await executor.cancel(computerId, taskId);
      assert.ok(outcome.kind === 'reported', `a running job's cancel is ${outcome.kind}`);
      assert.ok(outcome.report.revision >= before.report.revision, 'a revision never falls');
    },
  },
  {
    title: '[R5] of a job that was never submitted it says so, and for a computer that is not there nothing',
    async check({ executor, reachable: { computerId }, offlineComputerId }) {
      const taskId = randomUUID();
      same(await executor.status(computerId, [taskId], 'long'), [{ kind: 'unknown', taskId }]);
      assert.equal(await executor.status(offlineComputerId, [taskId], 'short'), undefined);
    },
  },
  {
    title: '[G5] a cancel is confirmed by a report, and by nothing when nobody can be asked',
    async check(subject) {
      const { executor, offlineComputerId } = subject;
      const { taskId, computerId } = await submitted(subject);
      const outcome = await executor.cancel(computerId, taskId);
      assert.ok(outcome.kind === 'reported', `a running job's cancel is ${outcome.kind}`);
      assert.equal(outcome.report.taskId, taskId);
      assert.equal((await executor.cancel(computerId, randomUUID())).kind, 'unknown');
      assert.equal((await executor.cancel(offlineComputerId, taskId)).kind, 'unreachable');
    },
  },
  {
    title: '[P6] an answer reaches only a job that asks',
    async check(subject) {
      const { executor, offlineComputerId } = subject;
      const { taskId, computerId, message } = await submitted(subject);
      assert.equal((await executor.answer({ taskId, computerId, message })).kind, 'not_waiting');
      const away = await executor.answer({ taskId, computerId: offlineComputerId, message });
      assert.equal(away.kind, 'not_sent');
    },
  },
  {
    title: '[K2] forgetting is a hint that never fails',
    async check({ executor, reachable: { computerId }, offlineComputerId }) {
      assert.doesNotThrow(() => {
        executor.forget(computerId, [randomUUID()]);
        executor.forget(offlineComputerId, [randomUUID()]);
        executor.forget(computerId, []);
      });
    },
  },
];
