import { describeError } from '../../common/index.js';
import type { DaemonLogger } from '../daemon-logger.js';
import type { ConversationStore, JobStore } from '../storage/index.js';
import type { Workspaces } from './workspaces.js';

const BATCH = 200;

/** Deletes jobs, conversations and workspaces that have expired (requirement K2), in small batches. */
export class Janitor {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly parts: {
      store: JobStore;
      conversations: ConversationStore;
      workspaces: Workspaces;
      logger: DaemonLogger;
      intervalMs: number;
    },
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      this.running ??= this.runOnce()
        .catch((error: unknown) => {
          this.parts.logger.warn('Expired jobs cannot be deleted', { error: describeError(error) });
        })
        .finally(() => (this.running = undefined));
    }, this.parts.intervalMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async runOnce(): Promise<void> {
    const { store, conversations, workspaces } = this.parts;
    while ((await store.deleteExpired(BATCH)) === BATCH);
    while ((await conversations.deleteExpired(BATCH)) === BATCH);
    await workspaces.deleteExpired(BATCH);
  }
}
