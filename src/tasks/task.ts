import { isTerminal, type Message, type TaskState } from '../a2a/index.js';

/**
 * To whom a task belongs (requirement H4): the caller's account and the destination. Both wires of an
 * assistant lead to the same tasks. Every query of a caller carries the whole scope.
 */
export interface TaskScope {
  accountId: string;
  agentId: string;
}

/** The destination as the use cases need it; made by a wire from what the directory resolved. */
export interface Destination {
  agentId: string;
  /** The name under which the daemon knows the assistant. */
  handle: string;
  computerId: string;
}

/** One A2A task as it is stored. Times are milliseconds since the epoch. */
export interface Task extends TaskScope {
  id: string;
  contextId: string;
  computerId: string;
  state: TaskState;
  /** Explanation or question that belongs to the state. */
  statusText?: string;
  /** When the state was recorded; never moves backwards. */
  statusAtMs: number;
  createdAtMs: number;
  /** From this moment on the task cannot be read any more (requirement K2). */
  expiresAtMs: number;
  /** Revision of the job at the daemon that this state reflects; 0 before the first report. */
  revision: number;
  interactive: boolean;
  /** The reply, at most 100,000 code points (requirement S10). */
  reply?: string;
  /** Whether the reply was cut to the limit. */
  replyTruncated: boolean;
  lastCheckedAtMs?: number;
  cancelRequestedAtMs?: number;
  /** Place in the history of an answer that the daemon has not confirmed yet (requirement P6). */
  pendingAnswer?: number;
}

/** Whether there is nothing to wait for: the task is over, or asks and nobody has answered. */
export function isSettled(task: Pick<Task, 'state' | 'pendingAnswer'>): boolean {
  if (task.state === 'input_required') return task.pendingAnswer === undefined;
  return isTerminal(task.state);
}

/** The question of a task that asks for input, as the message that it is in the history. */
export function questionOf(task: Pick<Task, 'id' | 'revision'>, text: string): Message {
  return { messageId: `${task.id}-question-${task.revision}`, role: 'agent', parts: [{ text }] };
}

/** A task with the messages that were asked for, oldest first. */
export interface TaskWithHistory extends Task {
  history: Message[];
}

/** A task as SendMessage leaves it; its messages, where it knows them without reading. */
export interface SentTask extends Task {
  history?: Message[];
}

/** A task that is about to be accepted, with its first message and its retry key. */
export interface TaskDraft {
  id: string;
  scope: TaskScope;
  computerId: string;
  contextId: string;
  /** False when the caller named the context: then it must exist in the scope (requirement S6). */
  contextIsNew: boolean;
  retryKey: string;
  /** Hash of what the message says; tells a retry from a changed message (requirement S5). */
  fingerprint: string;
  message: Message;
  interactive: boolean;
}

/** A caller's answer to the question of a task, about to be accepted. */
export interface AnswerDraft {
  scope: TaskScope;
  taskId: string;
  retryKey: string;
  fingerprint: string;
  message: Message;
}

/** What a daemon says of one job, in the core's words. */
export interface TaskReport {
  taskId: string;
  state: TaskState;
  revision: number;
  reply?: string;
  /** Set when the daemon cut the reply to the limit. */
  replyTruncated?: boolean;
  statusText?: string;
}
