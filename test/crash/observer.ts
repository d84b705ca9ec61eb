import { setTimeout as pause } from 'node:timers/promises';
import { taskIn, type A2aClient } from './a2a-client.js';
import type { Ledger } from './ledger.js';
import { ACCOUNTS, HANDLES, type MessagePlan } from './message-plan.js';
import type { Random } from './random.js';

const PAUSE_MS = 150;
const QUIET_POLL_MS = 300;
const TRIES = 5;
const AT_ONCE = 16;
const TASK_NOT_FOUND = -32001;
const OPEN_STATES = ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED'];

export interface ObserverParts {
  client: A2aClient;
  ledger: Ledger;
  random: Random;
  messages: readonly MessagePlan[];
}

/** Looks at tasks as their callers can, and writes down what it sees. */
export class Observer {
  constructor(private readonly parts: ObserverParts) {}

  /** Looks at lists and at single tasks, in turn, until told to stop. */
  async watch(stop: AbortSignal): Promise<void> {
    const { ledger, random } = this.parts;
    while (!stop.aborted) {
      const known = [...ledger.taskOf.keys()];
      if (known.length === 0 || random.chance(0.5)) await this.list();
      else await this.read(random.pick(known));
      await pause(PAUSE_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  /** @returns whether no task was open any more before the end of patience */
  async quiet(patience: AbortSignal): Promise<boolean> {
    while (!patience.aborted) {
      if (await this.nothingOpen()) return true;
      await pause(QUIET_POLL_MS, undefined, { signal: patience }).catch(() => undefined);
    }
    return false;
  }

  /** Reads every answered task once, as its account (requirement K4). */
  async readAll(): Promise<void> {
    const waiting = [...this.parts.ledger.taskOf.keys()];
    const readSome = async () => {
      for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
        if (!(await this.readPatiently(index))) {
          this.parts.ledger.problem(`the task of message ${index} cannot be read`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readSome));
  }

  /** An answer may be late on a machine with much to do. */
  private async readPatiently(index: number): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries += 1) if (await this.read(index)) return true;
    return false;
  }

  /** @returns whether there was an answer */
  private async read(index: number): Promise<boolean> {
    const { client, ledger, messages } = this.parts;
    const plan = messages[index];
    const id = ledger.taskOf.get(index);
    if (!plan || id === undefined) return false;
    const { account, handle } = plan;
    const askedAtMs = performance.now();
    const outcome = await client.call({ account, handle, method: 'GetTask', params: { id } });
    if (outcome.kind === 'error') {
      const what = outcome.code === TASK_NOT_FOUND ? 'is gone' : `answers ${outcome.code} ${outcome.message}`;
      ledger.problem(`task ${id} of message ${index} ${what}`);
      return true;
    }
    if (outcome.kind !== 'result') return false;
    const task = taskIn(outcome.result);
    if (task?.id === id) ledger.saw(task, askedAtMs);
    else ledger.problem(`the question for task ${id} was answered with another`);
    return true;
  }

  private async list(): Promise<void> {
    const { client, ledger, random } = this.parts;
    const askedAtMs = performance.now();
    const outcome = await client.call({
      account: random.pick(ACCOUNTS),
      handle: random.pick(HANDLES),
      method: 'ListTasks',
      params: { pageSize: 50, includeArtifacts: true, historyLength: 0 },
    });
    if (outcome.kind === 'error') ledger.problem(`ListTasks answers ${outcome.code} ${outcome.message}`);
    if (outcome.kind !== 'result') return;
    for (const task of outcome.result.tasks ?? []) ledger.saw(task, askedAtMs);
  }

  private async nothingOpen(): Promise<boolean> {
    for (const account of ACCOUNTS) {
      for (const handle of HANDLES) {
        for (const status of OPEN_STATES) {
          const params = { status, pageSize: 1 };
          const outcome = await this.parts.client.call({ account, handle, method: 'ListTasks', params });
          if (outcome.kind !== 'result' || outcome.result.totalSize !== 0) return false;
        }
      }
    }
    return true;
  }
}
