import { Injectable } from '@nestjs/common';
import { InvalidParamsError } from '../a2a/index.js';
import { Clock } from '../common/index.js';
import { PageTokens } from './page-tokens.service.js';
import { type TaskFilter, TaskStore } from './task-store.js';
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

export interface TaskPage {
  /** Newest status first; without replies when they were declined. */
  tasks: TaskWithHistory[];
  /** Empty on the last page. */
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}

/** ListTasks: a page of the caller's tasks from the store, as last known (requirements G3, G4). */
@Injectable()
export class ListTasks {
  constructor(
    private readonly store: TaskStore,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidParamsError for a page token that was not made for this caller and these filters */
  async execute(request: ListRequest): Promise<TaskPage> {
    const { scope, filter, pageSize, historyLength } = request;
    const after = await this.#place(request);
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
