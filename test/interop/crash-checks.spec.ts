import { describe, expect, it } from '@jest/globals';
import { checkFiles } from '../crash/check-files.js';
import type { FilesOfRun, JobRow, TaskRow } from '../crash/files.js';
import { Ledger } from '../crash/ledger.js';

const AT = Date.parse('2030-01-01T00:00:00.000Z');

/** One task as it should be after a run; the tests break one thing each. */
function sound(task: Partial<TaskRow> = {}, job: Partial<JobRow> | undefined = {}, ran = 1): FilesOfRun {
  const row: TaskRow = {
    id: 't1',
    state: 'completed',
    statusAtMs: AT,
    revision: 3,
    reply: 'Done: quick message 0',
    statusText: null,
    text: 'quick message 0',
    ...task,
  };
  const jobRow: JobRow = {
    id: 't1',
    state: 'succeeded',
    revision: 3,
    acknowledged: 3,
    reply: row.reply,
    statusText: null,
    ...job,
  };
  return {
    tasks: new Map([['t1', row]]),
    jobs: new Map(job === undefined ? [] : [['t1', jobRow]]),
    executions: new Map(ran > 0 ? [['t1', ran]] : []),
    damage: [],
  };
}

function withoutJob(task: Partial<TaskRow>, ran = 0): FilesOfRun {
  const files = sound(task, {}, ran);
  return { ...files, jobs: new Map() };
}

function problemsOf(files: FilesOfRun, ledger = new Ledger()): string[] {
  checkFiles(files, ledger);
  return ledger.problems;
}

function wireTask(state: string, reply: string) {
  const status = { state, timestamp: new Date(AT).toISOString() };
  return { id: 't1', status, artifacts: [{ parts: [{ text: reply }] }] };
}

describe('the checks of the crash run', () => {
  it('[K4] pass what is right', () => {
    expect(problemsOf(sound())).toEqual([]);
    const failed = { state: 'failed', revision: 0, reply: null, statusText: 'The job is not known.' };
    expect(problemsOf(withoutJob(failed))).toEqual([]);
  });

  it.each<[string, FilesOfRun, RegExp]>([
    ['a job that ran twice', sound({}, {}, 2), /ran 2 times/],
    ['a result without a run', sound({}, {}, 0), /did not run/],
    ['a stuck task', sound({ state: 'working' }, { state: 'running' }), /stuck as working/],
    ['two ends of one task', sound({}, { state: 'canceled' }), /its job canceled/],
    ['two replies of one task', sound({}, { reply: 'Something else' }), /another reply than its job/],
    ['the reply of another task', sound({ reply: 'Done: quick message 1' }), /has the reply/],
    ['an older state', sound({ revision: 2 }), /has revision 2 and its job 3/],
    ['an end that was not acknowledged', sound({}, { acknowledged: 2 }), /not acknowledged/],
    ['a lost job', withoutJob({}, 1), /daemon has no such job/],
    ['a job that its daemon forgot', withoutJob({ state: 'failed', statusText: 'x' }), /was known/],
    ['a failure that ran', withoutJob({ state: 'failed', statusText: 'x', revision: 0 }, 1), /ran though/],
    ['a failure that says nothing', withoutJob({ state: 'failed', revision: 0 }), /without an explanation/],
    ['a job without a task', { ...sound(), tasks: new Map() }, /job t1 .* has no task/],
    ['a damaged database', { ...sound(), damage: ['the database is damaged'] }, /damaged/],
  ])('[K4] [R4] [R5] [R6] find %s', (_what, files, problem) => {
    expect(problemsOf(files).join('\n')).toMatch(problem);
  });

  it('[S1] find an answered send whose task is lost', () => {
    const ledger = new Ledger();
    ledger.taskOf.set(0, 't2');
    expect(problemsOf(sound(), ledger).join('\n')).toMatch(/t2 of message 0 was answered and is lost/);
  });

  it('[K4] find an end that changed: while it runs, and at last', () => {
    const ledger = new Ledger();
    ledger.saw(wireTask('TASK_STATE_COMPLETED', 'Done: quick message 0'), 0);
    expect(problemsOf(sound(), ledger)).toEqual([]);
    expect(problemsOf(sound({ statusAtMs: AT + 1 }), ledger).join('\n')).toMatch(
      /the end of task t1 changed/,
    );

    const running = new Ledger();
    running.saw(wireTask('TASK_STATE_COMPLETED', 'One'), 0);
    running.saw(wireTask('TASK_STATE_COMPLETED', 'Two'), 0);
    running.saw(wireTask('TASK_STATE_WORKING', ''), Infinity);
    expect(running.problems.join('\n')).toMatch(/changed[^]*is TASK_STATE_WORKING again/);
  });

  it('[S5] find a message that got two tasks', () => {
    const ledger = new Ledger();
    const plan = {
      index: 0,
      account: 'a',
      handle: 'h',
      text: 't',
      copies: 1,
      returnImmediately: true,
      hasKey: false,
    };
    ledger.answered(plan, 't1');
    ledger.answered(plan, 't1');
    expect(ledger.problems).toEqual([]);
    ledger.answered(plan, 't2');
    expect(ledger.problems.join('\n')).toMatch(/got two tasks/);
  });
});
