import { isTerminal } from '../a2a/index.js';
import type { PartialReplies, PartialReply } from './partial-replies.service.js';
import { restartFailure } from './restart-failure.js';
import type { TaskEvent } from './task-events.service.js';
import { isSettled, type Task } from './task.js';

export type TaskStreamEvent =
  /** How the task stands when the stream begins; always the first. */
  | { kind: 'task'; task: Task }
  /** The task has changed. `final`: it is over, or asks for input, and the stream ends (requirement P4). */
  | { kind: 'status'; task: Task; final: boolean }
  /** A piece of the reply. `append` false replaces what was shown before, `lastChunk` completes the reply. */
  | { kind: 'artifact'; task: Task; text: string; append: boolean; lastChunk: boolean };

/** A reader who is further behind than this gets several pieces of the reply as one. */
const MAX_PIECES_BEHIND = 64;
/** A reader who is further behind than this misses changes that later ones have outdated. */
const MAX_CHANGES_BEHIND = 64;

/**
 * What one reader sees of one task. It begins to listen when it is made, so that nothing is missed; events wait for
 * the reader as changes of the task and as a place in the shared partial output, never as copies of texts, so
 * that a slow reader costs a bounded amount of memory.
 */
export class TaskStream implements AsyncIterableIterator<TaskStreamEvent> {
  private task: Task;
  private begun = false;
  private ended = false;
  /** Changes that were not shown yet, oldest first. */
  private readonly changes: Task[] = [];
  private newest: Task;
  private partial: PartialReply | undefined;
  /** How much of the partial output was shown: pieces, and characters. */
  private shown = { pieces: 0, characters: 0 };
  private replyIsShown: boolean;
  private wake: () => void = () => undefined;
  private interruption: Error | undefined;

  /**
   * @param start the task as it is known; changes that are not newer are not shown
   * @param onEnd called once, when nothing more will be read
   */
  constructor(
    start: Task,
    private readonly partials: PartialReplies,
    private readonly onEnd: () => void,
  ) {
    this.task = start;
    this.newest = start;
    this.partial = partials.of(start);
    this.replyIsShown = start.reply !== undefined;
    if (isSettled(start)) this.changes.push(start);
  }

  /** To be called with every event of the task. */
  notice(event: TaskEvent): void {
    if (event.kind === 'changed') this.noticeChange(event.task);
    else if (event.computerId === this.task.computerId) this.noticePartial();
    this.wake();
  }

  async next(): Promise<IteratorResult<TaskStreamEvent, undefined>> {
    if (!this.begun && !this.ended) {
      this.begun = true;
      return { done: false, value: { kind: 'task', task: this.task } };
    }
    for (;;) {
      const { interruption } = this;
      this.interruption = undefined;
      if (interruption) throw interruption;
      if (this.ended) return { done: true, value: undefined };
      const value = this.take();
      if (value) return { done: false, value };
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Ends the stream: the reader has gone, or the service stops. */
  async return(): Promise<IteratorResult<TaskStreamEvent, undefined>> {
    this.end();
    return { done: true, value: undefined };
  }

  /** Ends the stream because the service stops: its reader hears so instead of the next event. */
  interrupt(): void {
    if (!this.ended) this.interruption = restartFailure(this.task.id, this.task.contextId);
    this.end();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.onEnd();
    this.wake();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The event that comes next: changes first, but the whole reply before the change that ends the stream. */
  private take(): TaskStreamEvent | undefined {
    const change = this.changes[0];
    const isLast = change !== undefined && isSettled(change);
    if (change && !isLast) {
      this.changes.shift();
      this.task = change;
      return { kind: 'status', task: change, final: false };
    }
    // Before the job is known to be at work, for the first time or again, its output would come out of order.
    if (isLast || this.task.state === 'working') {
      const piece = this.nextPiece() ?? (isLast ? this.restOfReply(change) : undefined);
      if (piece) return piece;
    }
    if (!change) return undefined;
    this.task = change;
    this.end();
    return { kind: 'status', task: change, final: true };
  }

  private nextPiece(): TaskStreamEvent | undefined {
    const { partial, shown } = this;
    if (!partial || this.replyIsShown || shown.pieces >= partial.ends.length) return undefined;
    const behind = partial.ends.length - shown.pieces;
    const pieces = behind > MAX_PIECES_BEHIND ? partial.ends.length : shown.pieces + 1;
    const characters = partial.ends[pieces - 1] ?? 0;
    const text = partial.text.slice(shown.characters, characters);
    const append = shown.pieces > 0;
    this.shown = { pieces, characters };
    return { kind: 'artifact', task: this.task, text, append, lastChunk: false };
  }

  /** Completes what was shown, or replaces it when the reply is another one than the partial output promised. */
  private restOfReply(end: Task): TaskStreamEvent | undefined {
    if (end.reply === undefined || this.replyIsShown) return undefined;
    this.replyIsShown = true;
    const shownText = this.partial?.text.slice(0, this.shown.characters) ?? '';
    const append = this.shown.pieces > 0 && end.reply.startsWith(shownText);
    const text = append ? end.reply.slice(shownText.length) : end.reply;
    return { kind: 'artifact', task: end, text, append, lastChunk: true };
  }

  private noticeChange(task: Task): void {
    // What comes after the end of the stream is for the next one.
    if (isSettled(this.newest) || !isNewer(task, this.newest)) return;
    // The output so far is dropped with the end of its task.
    this.noticePartial();
    const saysTheSame = task.state === this.newest.state && task.statusText === this.newest.statusText;
    this.newest = task;
    if (saysTheSame && !isSettled(task)) return;
    if (this.changes.length >= MAX_CHANGES_BEHIND) this.changes.pop();
    this.changes.push(task);
  }

  /** Output that began anew, or is not kept any more, does not continue what was shown. */
  private noticePartial(): void {
    const partial = this.partials.of(this.task);
    if (partial && (this.partial === undefined || partial.ends === this.partial.ends)) this.partial = partial;
  }
}

/** A task may also end without a report of its daemon, and then keeps its revision. */
function isNewer(task: Task, known: Task): boolean {
  if (task.revision !== known.revision) return task.revision > known.revision;
  return isTerminal(task.state) && !isTerminal(known.state);
}
