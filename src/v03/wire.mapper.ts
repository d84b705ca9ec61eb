import type { Message, TaskState } from '../a2a/index.js';
import {
  replyIdOf,
  replyMetadataOf,
  statusMessageOf,
  taskMetadataOf,
  timestampOf,
  type Task,
  type TaskStreamEvent,
} from '../tasks/index.js';

/** States as A2A 0.3 writes them (§6.3): lower case, with hyphens. */
export type WireState = Exclude<TaskState, 'input_required'> | 'input-required';

/** `TextPart` (§6.5.1), the only kind of part that is ever sent. */
export interface WirePart {
  kind: 'text';
  text: string;
  metadata?: Record<string, unknown>;
}

/** `Message` (§6.4). */
export interface WireMessage {
  kind: 'message';
  messageId: string;
  role: Message['role'];
  parts: WirePart[];
  taskId: string;
  contextId: string;
  metadata?: Record<string, unknown>;
}

/** `TaskStatus` (§6.2). */
export interface WireStatus {
  state: WireState;
  timestamp: string;
  message?: WireMessage;
}

/** `Artifact` (§6.7). */
export interface WireArtifact {
  artifactId: string;
  name: 'response';
  parts: WirePart[];
  metadata?: Record<string, unknown>;
}

/** `Task` (§6.1). Members that are not set are left out. */
export interface WireTask {
  kind: 'task';
  id: string;
  contextId: string;
  status: WireStatus;
  artifacts?: WireArtifact[];
  history?: WireMessage[];
  metadata?: Record<string, unknown>;
}

/** `TaskStatusUpdateEvent` and `TaskArtifactUpdateEvent` (§7.2.2, §7.2.3). */
export type WireEvent =
  | { kind: 'status-update'; taskId: string; contextId: string; status: WireStatus; final: boolean }
  | {
      kind: 'artifact-update';
      taskId: string;
      contextId: string;
      artifact: WireArtifact;
      append: boolean;
      lastChunk: boolean;
    };

/** @param history the messages to show, oldest first; an empty list leaves the member out */
export function toWireTask(task: Task, history: readonly Message[]): WireTask {
  const metadata = taskMetadataOf(task);
  return {
    kind: 'task',
    id: task.id,
    contextId: task.contextId,
    status: toWireStatus(task),
    ...(task.reply === undefined ? {} : { artifacts: [toWireArtifact(task, task.reply)] }),
    ...(history.length === 0 ? {} : { history: history.map((message) => toWireMessage(task, message)) }),
    ...(metadata ? { metadata } : {}),
  };
}

/** What happened to a task, as an event of its stream (requirement P4). */
export function toWireEvent(event: Exclude<TaskStreamEvent, { kind: 'task' }>): WireEvent {
  const { task } = event;
  const ids = { taskId: task.id, contextId: task.contextId };
  if (event.kind === 'status') {
    return { kind: 'status-update', ...ids, status: toWireStatus(task), final: event.final };
  }
  const { text, append, lastChunk } = event;
  return { kind: 'artifact-update', ...ids, artifact: toWireArtifact(task, text), append, lastChunk };
}

function toWireStatus(task: Task): WireStatus {
  const message = statusMessageOf(task);
  return {
    state: task.state === 'input_required' ? 'input-required' : task.state,
    timestamp: timestampOf(task.statusAtMs),
    ...(message ? { message: toWireMessage(task, message) } : {}),
  };
}

/** The reply, or a piece of it (requirement P3). */
function toWireArtifact(task: Task, text: string): WireArtifact {
  const metadata = replyMetadataOf(task);
  return {
    artifactId: replyIdOf(task),
    name: 'response',
    parts: [{ kind: 'text', text }],
    ...(metadata ? { metadata } : {}),
  };
}

function toWireMessage(task: Task, { messageId, role, parts, metadata }: Message): WireMessage {
  return {
    kind: 'message',
    messageId,
    role,
    parts: parts.map((part) => ({
      kind: 'text',
      text: part.text,
      ...(part.metadata === undefined ? {} : { metadata: part.metadata }),
    })),
    taskId: task.id,
    contextId: task.contextId,
    ...(metadata === undefined ? {} : { metadata }),
  };
}
