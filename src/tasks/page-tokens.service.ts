import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SigningKeys } from './store/signing-keys.service.js';
import type { TaskCursor, TaskFilter } from './task-store.js';
import type { TaskScope } from './task.js';

const KEY_NAME = 'page-token';
/** Far above any token that is made here. */
const MAX_TOKEN_LENGTH = 512;

/**
 * Page tokens: a place in the list, signed together with caller and filters, so that nobody can make one up or use it
 * with another list (requirement G3). The key is in the database: tokens survive a restart.
 */
@Injectable()
export class PageTokens implements OnModuleInit {
  constructor(private readonly keys: SigningKeys) {}

  /** Makes the key before the first list, which is a read and must not wait for a write. A failure is the list's to tell. */
  async onModuleInit(): Promise<void> {
    await this.keys.get(KEY_NAME).catch(() => undefined);
  }

  async seal(cursor: TaskCursor, scope: TaskScope, filter: TaskFilter): Promise<string> {
    const place = Buffer.from(JSON.stringify([cursor.statusAtMs, cursor.id])).toString('base64url');
    return `${place}.${(await this.#signature(place, scope, filter)).toString('base64url')}`;
  }

  /** @returns the place, or `undefined` for a token that was not made for this list */
  async open(token: string, scope: TaskScope, filter: TaskFilter): Promise<TaskCursor | undefined> {
    const [place, signature, ...rest] = token.split('.');
    if (token.length > MAX_TOKEN_LENGTH || !place || !signature || rest.length > 0) return undefined;
    const expected = await this.#signature(place, scope, filter);
    const presented = Buffer.from(signature, 'base64url');
    if (presented.toString('base64url') !== signature || presented.length !== expected.length)
      return undefined;
    if (!timingSafeEqual(presented, expected)) return undefined;
    const [statusAtMs, id] = JSON.parse(Buffer.from(place, 'base64url').toString()) as [number, string];
    return { statusAtMs, id };
  }

  async #signature(place: string, scope: TaskScope, filter: TaskFilter): Promise<Buffer> {
    const list = [
      scope.accountId,
      scope.agentId,
      filter.contextId ?? null,
      filter.state ?? null,
      filter.statusSinceMs ?? null,
    ];
    const key = await this.keys.get(KEY_NAME);
    return createHmac('sha256', key)
      .update(JSON.stringify([place, list]))
      .digest();
  }
}
