import type { WireTask } from './a2a-client.js';
import type { MessagePlan } from './message-plan.js';

/** What happened, by name; printed at the end. */
export const COUNTED = [
  'messages',
  'sends',
  'retries',
  'copies in parallel',
  'repeats after the answer',
  'lost answers',
  '503 answers',
  '504 answers',
  'cancels asked',
  'cancels confirmed',
  'API killed',
  'daemon killed',
  'connections cut',
  'answers dropped',
  'stalls',
  'tasks polled',
] as const;
export type Counted = (typeof COUNTED)[number];

const TERMINAL = new Set([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);

/** A terminal state as a caller saw it: all that may never change again (requirement K4). */
export interface SeenEnd {
  state: string;
  timestamp: string;
  reply: string;
}

interface Sighting {
  end: SeenEnd;
  atMs: number;
}

const MAX_PROBLEMS = 200;

/** What callers were told during the run, and what of it cannot be right. */
export class Ledger {
  readonly problems: string[] = [];
  readonly counts = new Map<Counted, number>(COUNTED.map((name) => [name, 0]));
  readonly taskOf = new Map<number, string>();
  readonly ends = new Map<string, Sighting>();

  count(name: Counted, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  problem(text: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(text);
  }

  /** A send was answered: from now on its task must be there, and be the same for every copy. */
  answered(plan: MessagePlan, taskId: string): void {
    const known = this.taskOf.get(plan.index);
    if (known === undefined) this.taskOf.set(plan.index, taskId);
    else if (known !== taskId) this.problem(`message ${plan.index} got two tasks: ${known} and ${taskId}`);
  }

  /** @param askedAtMs when the question was sent; an answer to an older question may be overtaken by a newer one */
  saw(task: WireTask, askedAtMs: number): void {
    this.count('tasks polled');
    const known = this.ends.get(task.id);
    if (!isTerminal(task)) {
      if (known && known.atMs < askedAtMs) {
        this.problem(`task ${task.id} was ${known.end.state} and is ${task.status.state} again`);
      }
      return;
    }
    const end = endOf(task);
    if (!known) this.ends.set(task.id, { end, atMs: performance.now() });
    else if (JSON.stringify(known.end) !== JSON.stringify(end)) {
      this.problem(
        `the end of task ${task.id} changed: ${JSON.stringify(known.end)} → ${JSON.stringify(end)}`,
      );
    }
  }
}

export function isTerminal(task: WireTask): boolean {
  return TERMINAL.has(task.status.state);
}

function endOf(task: WireTask): SeenEnd {
  return {
    state: task.status.state,
    timestamp: task.status.timestamp,
    reply: task.artifacts?.[0]?.parts[0]?.text ?? '',
  };
}
