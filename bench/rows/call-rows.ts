import { randomUUID } from 'node:crypto';
import type { Call } from '../load.js';
import { runLoad } from '../load.js';
import { getCall, rpcCall, type WireTask } from '../rpc-calls.js';
import { READER, TEXT } from '../seed-plan.js';
import type { System } from '../systems/system.js';

/** Many callers, so that nobody has sent more in the last hour than a busy account does. */
export const SENDERS = Array.from({ length: 1000 }, (_, n) => `account-sender-${n}`);

/** What the calls of a row need to know. */
export interface CallSite {
  system: System;
  /** Ids of the reader's tasks in the order of lists. */
  listOrder: readonly string[];
  /** A number that goes up with every call. */
  count: () => number;
}

/** One kind of call that every system can be asked. */
export interface CallRow {
  name: 'send' | 'sendWaiting' | 'get' | 'list' | 'card' | 'cancel';
  title: string;
  call: (site: CallSite) => Call;
  /** Prepares what can be used once alone. @returns calls for one window, which ends with them */
  prepare?: (site: CallSite, calls: number) => Promise<Call[]>;
}

interface Sent {
  task: WireTask;
}

export const CALL_ROWS: readonly CallRow[] = [
  {
    name: 'send',
    title: 'SendMessage, returning at once',
    call: (site) => sendCall(site, TEXT, { returnImmediately: true }, ({ task }) => task.id.length > 0),
  },
  {
    name: 'sendWaiting',
    title: 'SendMessage, waiting',
    call: (site) => sendCall(site, TEXT, {}, ({ task }) => isComplete(task)),
  },
  { name: 'get', title: 'GetTask', call: getTaskCall },
  { name: 'list', title: 'ListTasks, 10,000 tasks, page 1', call: listCall },
  { name: 'card', title: 'Card', call: cardCall },
  { name: 'cancel', title: 'CancelTask', call: cardCall, prepare: cancelCalls },
];

export function sendCall(
  site: CallSite,
  text: string,
  configuration: object,
  isRight: (sent: Sent) => boolean,
): Call {
  const accountId = SENDERS[site.count() % SENDERS.length] ?? '';
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
  const params = { message, configuration };
  return rpcCall<Sent>(site.system, { accountId, method: 'SendMessage', params, isRight });
}

export function getTaskCall({ system, listOrder, count }: CallSite): Call {
  const id = listOrder[(count() * 7919) % listOrder.length];
  const isRight = (task: WireTask) => task.id === id && isComplete(task);
  return rpcCall<WireTask>(system, { accountId: READER, method: 'GetTask', params: { id }, isRight });
}

/** Bodies are the same for all; the SDK lists messages too unless told not to. */
function listCall({ system, listOrder }: CallSite): Call {
  const isRight = (page: { tasks: WireTask[]; totalSize: number }) =>
    page.tasks.length === 50 &&
    page.totalSize === 10_000 &&
    (system.name === 'http' || page.tasks[0]?.id === listOrder[0]);
  const request = { accountId: READER, method: 'ListTasks', params: { historyLength: 0 }, isRight };
  return rpcCall(system, request);
}

function cardCall({ system }: CallSite): Call {
  interface Card {
    supportedInterfaces: { protocolVersion: string }[];
  }
  return getCall<Card>(
    system,
    system.cardPath,
    (card) => card.supportedInterfaces[0]?.protocolVersion === '1.0',
  );
}

/** Sends messages whose jobs never end, and makes a call for each that cancels it. */
async function cancelCalls(site: CallSite, calls: number): Promise<Call[]> {
  const { system } = site;
  const cancels: Call[] = [];
  let left = calls;
  const next = (): Call | undefined => {
    if (left-- <= 0) return undefined;
    const accountId = SENDERS[left % SENDERS.length] ?? '';
    const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: `hold ${TEXT}` }] };
    const params = { message, configuration: { returnImmediately: true } };
    const isRight = ({ task }: Sent): boolean => cancels.push(cancelCall(system, accountId, task.id)) > 0;
    return rpcCall<Sent>(system, { accountId, method: 'SendMessage', params, isRight });
  };
  await runLoad({ port: system.port, connections: 16, next });
  return cancels;
}

function cancelCall(system: System, accountId: string, id: string): Call {
  const isRight = ({ status }: WireTask) => status.state === 'TASK_STATE_CANCELED';
  return rpcCall<WireTask>(system, { accountId, method: 'CancelTask', params: { id }, isRight });
}

function isComplete({ status, artifacts }: WireTask): boolean {
  return status.state === 'TASK_STATE_COMPLETED' && artifacts?.[0]?.parts[0]?.text.length === TEXT.length;
}
