import type { Message, TaskState } from '../a2a/index.js';

/** The endpoint family through which a task came: A2A 1.0 or A2A 0.3. */
export type Wire = 'v1' | 'v03';

/**
 * To whom a task belongs (requirement H4): the caller's account and the destination. The two wires of one
 * assistant are two destinations. Every query of a caller carries the whole scope.
 */
export interface TaskScope {
  accountId: string;
  agentId: string;
  wire: Wire;
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
}

/** A task with the messages that were asked for, oldest first. */
export interface TaskWithHistory extends Task {
  history: Message[];
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
