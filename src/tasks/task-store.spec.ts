import { openStoreFile, storeFolder } from '../../test/support/store-file.js';
import { TASK_STORE_RULES } from '../testing/index.js';
import type { TaskReport } from './task.js';
import { TypeOrmTaskStore } from './store/typeorm-task.store.js';

type Constructor = typeof TypeOrmTaskStore;

/** Runs a rule against an empty store on a file of its own. */
async function runRule(title: string, Store: Constructor): Promise<void> {
  const rule = TASK_STORE_RULES.find((candidate) => candidate.title === title);
  if (!rule) throw new Error(`There is no rule "${title}"`);
  const folder = storeFolder();
  const file = await openStoreFile(folder.path);
  try {
    await rule.check(new Store(file.reader, file.queue));
  } finally {
    await file.close();
    folder.remove();
  }
}

describe('TypeOrmTaskStore keeps the rules of TaskStore', () => {
  it.each(TASK_STORE_RULES.map((rule) => rule.title))('%s', (title) => runRule(title, TypeOrmTaskStore));
});

/** Forgets that a terminal state is for ever, by moving revisions along. */
class RevivingStore extends TypeOrmTaskStore {
  override async applyReport(
    computerId: string,
    report: TaskReport,
    times: { nowMs: number; checked: boolean },
  ) {
    const outcome = await super.applyReport(computerId, report, times);
    if (outcome.kind === 'ignored') outcome.task.state = report.state;
    return outcome.kind === 'ignored' ? { ...outcome, kind: 'applied' as const } : outcome;
  }
}

/** Looks first and writes then, as B63 and B67 describe. */
class HastyStore extends TypeOrmTaskStore {
  override async accept(...[draft, quota, times]: Parameters<TypeOrmTaskStore['accept']>) {
    const since = await this.count(draft.scope, {}, times.nowMs);
    if (since >= quota.limit) return { kind: 'quota_exceeded' as const, retryAfterMs: quota.windowMs };
    return super.accept(draft, { ...quota, limit: Number.MAX_SAFE_INTEGER }, times);
  }
}

/** Takes no notice of whose task it is. */
class OpenStore extends TypeOrmTaskStore {
  readonly #seen = new Map<string, Awaited<ReturnType<TypeOrmTaskStore['find']>>>();

  override async find(...[scope, id, nowMs]: Parameters<TypeOrmTaskStore['find']>) {
    return (await super.find(scope, id, nowMs)) ?? this.#seen.get(id);
  }

  override async accept(...request: Parameters<TypeOrmTaskStore['accept']>) {
    const outcome = await super.accept(...request);
    if (outcome.kind === 'accepted') this.#seen.set(outcome.task.id, outcome.task);
    return outcome;
  }
}

/** Deletes whatever has expired, also what somebody may wait for. */
class SilentStore extends TypeOrmTaskStore {
  override async deleteExpired(limit: number, nowMs: number) {
    await super.endExpired(limit, '', nowMs);
    return await super.deleteExpired(limit, nowMs);
  }
}

describe('the contract notices a store that breaks a rule', () => {
  it.each([
    ['[G5] [B73] of two racing ends exactly one applies', RevivingStore],
    ['[R4] [B139] only a higher revision applies', RevivingStore],
    ['[S9] [B63] the quota is exact under concurrency, over all destinations, for one account', HastyStore],
    ['[B66] [H4] a key, a task and a context of one scope mean nothing in another', OpenStore],
    ['[K2] an expired task is absent for every read, and its key and quota are free', OpenStore],
    [
      '[K2] [B108] work that is open when it expires is ended, in portions, and only then deleted',
      SilentStore,
    ],
    ['[S8] withdrawing leaves nothing, and only a task that was never heard of can be withdrawn', OpenStore],
  ])('%s', async (title, Store) => {
    await expect(runRule(title, Store)).rejects.toThrow(/Expected values|falsy|truthy|==/);
  });
});
