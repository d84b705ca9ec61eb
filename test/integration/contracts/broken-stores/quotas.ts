import { type Accept, type BrokenStore, PLENTY, deciding } from './broken-store.js';

/** Counts beside the store, which is then asked to count nothing. */
const countedApart = (keyOf: (draft: Accept[0]) => string) => (real: Parameters<BrokenStore[2]>[0]) => {
  const sent = new Map<string, number>();
  return {
    accept: async (draft: Accept[0], quota: Accept[1], times: Accept[2]) => {
      const key = keyOf(draft);
      const soFar = sent.get(key) ?? 0;
      if (soFar >= quota.limit) return { kind: 'quota_exceeded' as const, retryAfterMs: quota.windowMs };
      sent.set(key, soFar + 1);
      return real.accept(draft, PLENTY, times);
    },
  };
};

/** Makes the limit smaller by one with each outcome that is counted by mistake. */
const countingToo = (isCounted: (kind: string) => boolean) => (real: Parameters<BrokenStore[2]>[0]) => {
  let extra = 0;
  return {
    accept: async (draft: Accept[0], quota: Accept[1], times: Accept[2]) => {
      const outcome = await real.accept(draft, { ...quota, limit: quota.limit - extra }, times);
      if (isCounted(outcome.kind)) extra += 1;
      return outcome;
    },
  };
};

export const BROKEN_QUOTAS: BrokenStore[] = [
  [
    'the quota is exact under concurrency',
    'looks first, and writes then',
    (real) => ({
      accept: async (draft, quota, times) => {
        const sent = await real.count(draft.scope, {}, times.nowMs);
        if (sent >= quota.limit) return { kind: 'quota_exceeded', retryAfterMs: quota.windowMs };
        return real.accept(draft, PLENTY, times);
      },
    }),
  ],
  [
    'the quota is exact under concurrency',
    'counts for each assistant apart',
    countedApart(({ scope }) => `${scope.accountId} ${scope.agentId}`),
  ],
  ['stands in the way of no other', 'counts all accounts as one', countedApart(() => 'all')],
  [
    'the quota frees one message at a time',
    'says the whole window',
    deciding((outcome) =>
      outcome.kind === 'quota_exceeded' ? { ...outcome, retryAfterMs: 3_600_000 } : outcome,
    ),
  ],
  [
    'the quota frees one message at a time',
    'frees a message too early',
    (real) => ({
      accept: (draft, { limit, windowMs }, times) =>
        real.accept(draft, { limit, windowMs: windowMs - 1 }, times),
    }),
  ],
  [
    'a clock that is set back does not open the quota',
    'counts nothing of the future',
    (real) => {
      let latestMs = 0;
      return {
        accept: (draft, quota, times) => {
          const isBack = times.nowMs < latestMs;
          latestMs = Math.max(latestMs, times.nowMs);
          return real.accept(draft, isBack ? PLENTY : quota, times);
        },
      };
    },
  ],
  [
    'the limit that comes with a message decides',
    'keeps to the first limit',
    (real) => {
      let first: Accept[1] | undefined;
      return { accept: (draft, quota, times) => real.accept(draft, (first ??= quota), times) };
    },
  ],
  [
    'the limit that comes with a message decides',
    'takes 0 for no limit',
    (real) => ({
      accept: (draft, quota, times) => real.accept(draft, quota.limit === 0 ? PLENTY : quota, times),
    }),
  ],
  [
    'a message that is refused leaves nothing',
    'writes before it counts',
    (real) => ({
      accept: async (draft, quota, times) => {
        const outcome = await real.accept(draft, quota, times);
        if (outcome.kind === 'quota_exceeded') await real.accept(draft, PLENTY, times);
        return outcome;
      },
    }),
  ],
  ['only what is accepted counts', 'counts retries', countingToo((kind) => kind === 'repeated')],
  ['only what is accepted counts', 'counts conflicts', countingToo((kind) => kind === 'conflict')],
  ['only what is accepted counts', 'counts lost contexts', countingToo((kind) => kind === 'unknown_context')],
  ['only what is accepted counts', 'counts refusals', countingToo((kind) => kind === 'quota_exceeded')],
  ['what was withdrawn is not counted', 'counts what came', countedApart(({ scope }) => scope.accountId)],
  [
    'answers count as messages',
    'takes any number of answers',
    (real) => ({ acceptAnswer: (draft, _, nowMs) => real.acceptAnswer(draft, PLENTY, nowMs) }),
  ],
  [
    'answers count as messages',
    'counts answers for answers alone',
    (real) => {
      let answers = 0;
      return {
        accept: (draft, quota, times) =>
          real.accept(draft, { ...quota, limit: quota.limit + answers }, times),
        acceptAnswer: async (...answer) => {
          const outcome = await real.acceptAnswer(...answer);
          if (outcome.kind === 'accepted') answers += 1;
          return outcome;
        },
      };
    },
  ],
];
