import type { Message } from '../a2a/index.js';
import type { Task } from '../tasks/index.js';
import { stateName, type StateName } from './state-names.js';

/** The 1.0 wire form of a message (specification §4.1.4). */
export interface WireMessage {
  messageId: string;
  contextId: string;
  taskId: string;
  role: 'ROLE_USER' | 'ROLE_AGENT';
  parts: Record<string, unknown>[];
  metadata?: Record<string, unknown>;
}

/** The 1.0 wire form of a task (specification §4.1.1). Members that are not set are left out. */
export interface WireTask {
  id: string;
  contextId: string;
  status: { state: StateName; timestamp: string; message?: WireMessage };
  artifacts?: Record<string, unknown>[];
  history?: WireMessage[];
  metadata?: Record<string, unknown>;
}

export interface TaskView {
  /** Oldest first; none, or an empty list, leaves the member out. */
  history?: Message[] | undefined;
  includeArtifacts: boolean;
}

export function toWireTask(task: Task, view: TaskView): WireTask {
  const wire: WireTask = {
    id: task.id,
    contextId: task.contextId,
    status: { state: stateName(task.state), timestamp: timestamp(task.statusAtMs) },
  };
  if (task.statusText !== undefined) wire.status.message = statusMessage(task, task.statusText);
  if (view.includeArtifacts && task.reply !== undefined) wire.artifacts = [replyArtifact(task, task.reply)];
  if (view.history && view.history.length > 0) {
    wire.history = view.history.map((message) => toWireMessage(task, message));
  }
  const hello = helloMetadata(task);
  if (hello) wire.metadata = { hello };
  return wire;
}

/** The reply is one artifact (requirement S10). */
function replyArtifact(task: Task, reply: string): Record<string, unknown> {
  return {
    artifactId: `${task.id}-reply`,
    name: 'Reply',
    parts: [{ text: reply }],
    ...(task.replyTruncated ? { metadata: { hello: { truncated: true } } } : {}),
  };
}

function statusMessage(task: Task, text: string): WireMessage {
  return toWireMessage(task, { messageId: `${task.id}-status`, role: 'agent', parts: [{ text }] });
}

function toWireMessage(task: Task, message: Message): WireMessage {
  return {
    messageId: message.messageId,
    contextId: task.contextId,
    taskId: task.id,
    role: message.role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: message.parts.map((part) => ({ ...part })),
    ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
  };
}

function helloMetadata(task: Task): Record<string, string> | undefined {
  const hello: Record<string, string> = {};
  if (task.lastCheckedAtMs !== undefined) hello['lastCheckedAt'] = timestamp(task.lastCheckedAtMs);
  if (task.cancelRequestedAtMs !== undefined)
    hello['cancelRequestedAt'] = timestamp(task.cancelRequestedAtMs);
  return Object.keys(hello).length > 0 ? hello : undefined;
}

/** RFC 3339 in UTC with milliseconds (specification §5.6.1). */
function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
