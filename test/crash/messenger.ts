import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { taskIn, type A2aClient, type RpcCall, type RpcOutcome } from './a2a-client.js';
import type { Ledger } from './ledger.js';
import type { MessagePlan } from './message-plan.js';
import type { Random } from './random.js';

const NOT_CANCELABLE = -32002;
const CANCEL_ATTEMPTS = 6;

export interface MessengerParts {
  client: A2aClient;
  ledger: Ledger;
  random: Random;
  /** Makes keys of this run its own. */
  run: string;
  /** Aborted when the time of the whole run is over. */
  over: AbortSignal;
}

/** Sends messages as callers do who do not give up: again and again, under the same key, until they are answered. */
export class Messenger {
  constructor(private readonly parts: MessengerParts) {}

  /** Everything that is planned with one message. Settles when its sender has nothing more to do. */
  async deliver(plan: MessagePlan): Promise<void> {
    const { ledger } = this.parts;
    ledger.count('messages');
    ledger.count('copies in parallel', plan.copies - 1);
    await Promise.all(Array.from({ length: plan.copies }, () => this.send(plan)));
    const taskId = ledger.taskOf.get(plan.index);
    if (taskId === undefined) return;
    const { cancelAfterMs, repeatAfterMs } = plan;
    if (cancelAfterMs !== undefined && (await this.passed(cancelAfterMs))) await this.cancel(plan, taskId);
    if (repeatAfterMs !== undefined && (await this.passed(repeatAfterMs))) {
      ledger.count('repeats after the answer');
      await this.send(plan);
    }
  }

  private async send(plan: MessagePlan): Promise<void> {
    const { client, ledger, over } = this.parts;
    for (let attempt = 0; !over.aborted; attempt += 1) {
      ledger.count('sends');
      if (attempt > 0) ledger.count('retries');
      const askedAtMs = performance.now();
      if (this.settle(plan, await client.call(this.sendCall(plan)), askedAtMs)) return;
      await this.passed(this.backoffMs(attempt));
    }
    ledger.problem(`message ${plan.index} was not answered before the end`);
  }

  private sendCall(plan: MessagePlan): RpcCall {
    const key = `${this.parts.run}-${plan.index}`;
    return {
      account: plan.account,
      handle: plan.handle,
      method: 'SendMessage',
      params: {
        message: {
          messageId: plan.hasKey ? randomUUID() : key,
          role: 'ROLE_USER',
          parts: [{ text: plan.text }],
        },
        configuration: { returnImmediately: plan.returnImmediately },
      },
      ...(plan.hasKey && { idempotencyKey: key }),
    };
  }

  /** @returns whether the send has its answer */
  private settle(plan: MessagePlan, outcome: RpcOutcome, askedAtMs: number): boolean {
    const { ledger } = this.parts;
    const { task } = outcome.kind === 'result' ? outcome.result : {};
    if (task) {
      ledger.answered(plan, task.id);
      ledger.saw(task, askedAtMs);
      return true;
    }
    if (outcome.kind === 'http' && outcome.body.taskId !== undefined) {
      ledger.count(outcome.status === 504 ? '504 answers' : '503 answers');
      ledger.answered(plan, outcome.body.taskId);
      return true;
    }
    return !this.isPassing(outcome, `message ${plan.index}`);
  }

  private async cancel(plan: MessagePlan, taskId: string): Promise<void> {
    const { client, ledger, over } = this.parts;
    ledger.count('cancels asked');
    const { account, handle } = plan;
    for (let attempt = 0; attempt < CANCEL_ATTEMPTS && !over.aborted; attempt += 1) {
      const askedAtMs = performance.now();
      const outcome = await client.call({ account, handle, method: 'CancelTask', params: { id: taskId } });
      const task = outcome.kind === 'result' ? taskIn(outcome.result) : undefined;
      if (task) {
        ledger.saw(task, askedAtMs);
        if (task.status.state === 'TASK_STATE_CANCELED') ledger.count('cancels confirmed');
        return;
      }
      if (outcome.kind === 'error' && outcome.code === NOT_CANCELABLE) return;
      if (!this.isPassing(outcome, `the cancel of task ${taskId}`)) return;
      await this.passed(this.backoffMs(attempt));
    }
  }

  /** @returns true for what a caller should try again; anything but that is a problem */
  private isPassing(outcome: RpcOutcome, about: string): boolean {
    const { ledger } = this.parts;
    if (outcome.kind === 'lost') {
      ledger.count('lost answers');
      return true;
    }
    if (outcome.kind === 'http' && outcome.status === 503) {
      ledger.count('503 answers');
      return true;
    }
    ledger.problem(`${about} got an answer that makes no sense: ${JSON.stringify(outcome).slice(0, 300)}`);
    return false;
  }

  private backoffMs(attempt: number): number {
    return this.parts.random.whole(30, 150 * Math.min(attempt + 1, 5));
  }

  /** @returns false when the run was over first */
  private async passed(ms: number): Promise<boolean> {
    try {
      await pause(ms, undefined, { signal: this.parts.over });
      return true;
    } catch {
      return false;
    }
  }
}
