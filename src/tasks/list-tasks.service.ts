import { Injectable } from '@nestjs/common';
import { InvalidParamsError } from '../a2a/index.js';
import { Clock, SharedReads } from '../common/index.js';
import { PageTokens } from './page-tokens.service.js';
import { type TaskCursor, type TaskFilter, TaskStore } from './task-store.js';
import type { TaskScope, TaskWithHistory } from './task.js';

/** What a wire has validated: ranges are its business, tokens are not. */
export interface ListRequest {
  scope: TaskScope;
  filter: TaskFilter;
  /** 1–100. */
  pageSize: number;
  /** Empty is as good as absent: the first page. */
  pageToken?: string | undefined;
  historyLength?: number | undefined;
  /** False leaves the replies unread; they are long. */
  includeArtifacts?: boolean | undefined;
}

/** One object for all who asked for the same at once, and nobody's to change. */
export interface TaskPage {
  /** Newest status first; without replies when they were declined. */
  readonly tasks: readonly Readonly<TaskWithHistory>[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

/** ListTasks: a page of the caller's tasks from the store, as last known (requirements G3, G4). */
@Injectable()
export class ListTasks {
  readonly #pages = new SharedReads<TaskPage>();

  constructor(
    private readonly store: TaskStore,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidParamsError for a page token that was not made for this caller and these filters */
  async execute(request: ListRequest): Promise<TaskPage> {
    const after = await this.#place(request);
    return await this.#pages.ask(keyOf(request, after), () => this.#read(request, after));
  }

  async #read(request: ListRequest, after: TaskCursor | undefined): Promise<TaskPage> {
    const { scope, filter, pageSize, historyLength } = request;
    // The time at which it is read, which is not before that of anybody who shares the page: what has expired is in none.
    const nowMs = this.clock.now();
    const [found, totalSize] = await Promise.all([
      // One more than asked for tells whether there is a next page.
      this.store.list({
        scope,
        filter,
        limit: pageSize + 1,
        includeReply: request.includeArtifacts ?? true,
        nowMs,
        ...(after && { after }),
        ...(historyLength !== undefined && { historyLength }),
      }),
      this.store.count(scope, filter, nowMs),
    ]);
    const tasks = found.slice(0, pageSize);
    const last = found.length > pageSize ? tasks.at(-1) : undefined;
    const nextPageToken = last ? await this.tokens.seal(last, scope, filter) : '';
    return { tasks, nextPageToken, pageSize, totalSize };
  }

  async #place(request: ListRequest) {
    if (request.pageToken === undefined || request.pageToken === '') return undefined;
    const place = await this.tokens.open(request.pageToken, request.scope, request.filter);
    if (place) return place;
    throw new InvalidParamsError([
      { field: 'pageToken', description: 'is not the token of a page of this list with these filters' },
    ]);
  }
}

/** The same for requests that have the same answer: all that decides about it, the caller first of all (requirement H4). */
function keyOf({ scope, filter, ...request }: ListRequest, after: TaskCursor | undefined): string {
  return JSON.stringify([
    [scope.accountId, scope.agentId],
    [filter.contextId, filter.state, filter.statusSinceMs],
    [after?.statusAtMs, after?.id],
    [request.pageSize, request.historyLength, request.includeArtifacts ?? true],
  ]);
}
