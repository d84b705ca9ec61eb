import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../common/index.js';
import type { ConversationKey, UnitQueue } from '../storage/index.js';

const ROOT = 'workspaces';

/**
 * A folder of its own for each conversation: what a program leaves there is found again by the next job of the same
 * account and context, and by nobody else. It goes when the last job that used it expires.
 */
export class Workspaces {
  private readonly inUse = new Map<string, number>();

  constructor(
    private readonly dataDir: string,
    private readonly queue: UnitQueue,
    private readonly clock: Clock,
  ) {}

  /** @returns the folder's absolute path; to be handed back by `release` */
  async acquire(key: ConversationKey, expiresAtMs: number): Promise<string> {
    const name = nameOf(key);
    this.inUse.set(name, (this.inUse.get(name) ?? 0) + 1);
    try {
      await this.queue.run((statements) =>
        statements.run(
          `INSERT INTO workspaces (name, expires_at) VALUES (?, ?)
           ON CONFLICT (name) DO UPDATE SET expires_at = max(expires_at, excluded.expires_at)`,
          [name, expiresAtMs],
        ),
      );
      const path = join(this.dataDir, ROOT, name);
      await mkdir(path, { recursive: true, mode: 0o700 });
      return path;
    } catch (error) {
      this.release(key);
      throw error;
    }
  }

  release(key: ConversationKey): void {
    const name = nameOf(key);
    const users = (this.inUse.get(name) ?? 1) - 1;
    if (users > 0) this.inUse.set(name, users);
    else this.inUse.delete(name);
  }

  /** Deletes expired folders that no job uses, at most `limit`. */
  async deleteExpired(limit: number): Promise<void> {
    const rows = await this.queue.run((statements) =>
      statements.all<{ name: string }>(`SELECT name FROM workspaces WHERE expires_at <= ? LIMIT ?`, [
        this.clock.now(),
        limit,
      ]),
    );
    for (const { name } of rows) {
      if (this.inUse.has(name)) continue;
      await rm(join(this.dataDir, ROOT, name), { recursive: true, force: true });
      await this.queue.run((statements) =>
        statements.run(`DELETE FROM workspaces WHERE name = ? AND expires_at <= ?`, [name, this.clock.now()]),
      );
    }
  }
}

/** Caller-chosen texts never become part of a path. */
function nameOf(key: ConversationKey): string {
  const parts = JSON.stringify([key.agent, key.accountId, key.contextId]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 40);
}
