import { TASK_STATES, type TaskState } from '../a2a/index.js';

/** What a report may be when it comes from code of others. */
type Reported = Record<'taskId' | 'state' | 'revision' | 'reply' | 'statusText', unknown>;

/** @returns which field of a report is wrong, and what it must be */
export function faultOfReport(report: unknown): string | undefined {
  const given = (report ?? {}) as Reported;
  const { taskId, state, revision, reply, statusText } = given;
  const faults: [field: string, isRight: boolean, rule: string][] = [
    ['taskId', typeof taskId === 'string' && taskId !== '', 'the id of the order'],
    ['state', TASK_STATES.includes(state as TaskState), `one of ${TASK_STATES.join(', ')}`],
    ['revision', Number.isSafeInteger(revision) && (revision as number) > 0, 'a whole number from 1'],
    ['reply', reply === undefined || typeof reply === 'string', 'text'],
    ['statusText', statusText === undefined || typeof statusText === 'string', 'text'],
  ];
  const found = faults.find(([, isRight]) => !isRight);
  return found && `${found[0]} must be ${found[2]}`;
}
