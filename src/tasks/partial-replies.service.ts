import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { MAX_REPLY_CODE_POINTS } from './report-text.js';

/** Characters of partial output that the process keeps in all; past that the least recently used is let go. */
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;
/** A reply within its limit, if each of its code points took two characters. */
const MAX_CHARACTERS = 2 * MAX_REPLY_CODE_POINTS;
const MAX_PIECES = 100_000;

/** A piece of a job's reply while it is made; pieces are numbered from zero without gaps. */
export interface PartialPiece {
  taskId: string;
  sequence: number;
  text: string;
}

/** What a job has said so far. */
export interface PartialReply {
  readonly text: string;
  /** Where each piece ends in the text; one list for the whole output, which later replies share. */
  readonly ends: readonly number[];
}

/**
 * Partial output of jobs, in memory and best effort (requirement P4): whoever opens a stream sees it from the start. A
 * piece that does not follow the one before ends the partial output of its job; the reply comes whole at the end.
 */
@Injectable()
export class PartialReplies {
  readonly #replies = new LRUCache<string, { text: string; ends: number[] }>({
    maxSize: MAX_KEPT_CHARACTERS,
    sizeCalculation: ({ text, ends }) => text.length + ends.length + 1,
  });

  /**
   * @param computerId the computer whose session brought the piece; nobody but its own tasks' readers will see it (R7)
   * @returns whether it continues what was said before
   */
  add(computerId: string, { taskId, sequence, text }: PartialPiece): boolean {
    const key = keyOf(computerId, taskId);
    const reply = sequence === 0 ? { text: '', ends: [] } : this.#replies.get(key);
    if (!reply) return false;
    const end = reply.text.length + text.length;
    const fits = end <= MAX_CHARACTERS && sequence < MAX_PIECES && text.isWellFormed();
    if (reply.ends.length !== sequence || !fits) {
      this.#replies.delete(key);
      return false;
    }
    reply.ends.push(end);
    this.#replies.set(key, { text: reply.text + text, ends: reply.ends });
    return true;
  }

  of(task: { computerId: string; id: string }): PartialReply | undefined {
    return this.#replies.get(keyOf(task.computerId, task.id));
  }

  /** To be called when a task is over. */
  drop(task: { computerId: string; id: string }): void {
    this.#replies.delete(keyOf(task.computerId, task.id));
  }
}

function keyOf(computerId: string, taskId: string): string {
  return `${computerId}\n${taskId}`;
}
