/** A task as a client sees it, as far as it is looked at here. */
export interface SeenTask {
  id: string;
  status: { state: string; timestamp: string; message?: { parts: { text: string }[] } };
  artifacts?: { parts: { text: string }[] }[];
  metadata?: object;
}

export const inState = (state: string) => (task: SeenTask) => task.status.state === `TASK_STATE_${state}`;

/** What the caller is told about the end of a task. */
export const explanationOf = (task: SeenTask): string => task.status.message?.parts[0]?.text ?? '';

export const replyOf = (task: SeenTask | undefined): string | undefined =>
  task?.artifacts?.[0]?.parts[0]?.text;
