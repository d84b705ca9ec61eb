import type { Message } from '../a2a/index.js';
import {
  replyIdOf,
  replyMetadataOf,
  statusMessageOf,
  taskMetadataOf,
  timestampOf,
  type Task,
} from '../tasks/index.js';
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
    status: { state: stateName(task.state), timestamp: timestampOf(task.statusAtMs) },
  };
  const message = statusMessageOf(task);
  if (message) wire.status.message = toWireMessage(task, message);
  if (view.includeArtifacts && task.reply !== undefined) wire.artifacts = [replyArtifact(task, task.reply)];
  if (view.history && view.history.length > 0) {
    wire.history = view.history.map((message) => toWireMessage(task, message));
  }
  const metadata = taskMetadataOf(task);
  if (metadata) wire.metadata = metadata;
  return wire;
}

/** The reply is one artifact (requirement S10). */
function replyArtifact(task: Task, reply: string): Record<string, unknown> {
  const metadata = replyMetadataOf(task);
  return {
    artifactId: replyIdOf(task),
    name: 'Reply',
    parts: [{ text: reply }],
    ...(metadata ? { metadata } : {}),
  };
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
