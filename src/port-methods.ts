import type { AccountTokenVerifier } from './accounts/index.js';
import type { Clock } from './common/index.js';
import type { AgentDirectory } from './directory/index.js';
import type { JobExecutor, MessageQuota, TaskStore } from './tasks/index.js';

/** Abstract methods are gone when a program runs; the compiler sees to it that none is left out here. */
const METHODS = {
  AccountTokenVerifier: { verify: true } satisfies Methods<AccountTokenVerifier>,
  AgentDirectory: {
    findByAddress: true,
    findById: true,
    findComputerByRelayToken: true,
    findComputer: true,
    handlesOf: true,
    recordSeen: true,
    findAccountByApiKey: true,
  } satisfies Methods<AgentDirectory>,
  TaskStore: {
    accept: true,
    withdraw: true,
    acceptAnswer: true,
    withdrawAnswer: true,
    pendingAnswer: true,
    findByRetryKey: true,
    find: true,
    findWithHistory: true,
    history: true,
    list: true,
    count: true,
    applyReport: true,
    failUnknown: true,
    recordCancelRequest: true,
    openTasks: true,
    endExpired: true,
    deleteExpired: true,
  } satisfies Methods<TaskStore>,
  JobExecutor: {
    isAvailable: true,
    submit: true,
    status: true,
    cancel: true,
    answer: true,
    forget: true,
  } satisfies Methods<JobExecutor>,
  MessageQuota: { limitOf: true } satisfies Methods<MessageQuota>,
  Clock: { now: true } satisfies Methods<Clock>,
};

type Methods<Port> = Record<keyof Port, true>;

/** @returns the name of a method that the port demands and this one has not */
export function missingMethod(port: string, made: object): string | undefined {
  const names = Object.keys(METHODS[port as keyof typeof METHODS]);
  return names.find((name) => typeof (made as Record<string, unknown>)[name] !== 'function');
}
