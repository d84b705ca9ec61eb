import { setImmediate as turn } from 'node:timers/promises';
import type { AccountTokenVerifier, Clock, MessageQuota } from '../../../../src/index.js';
import type { Broken } from '../broken-port.js';

function claimed(token: string): string | undefined {
  const body = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return body === '' ? undefined : (JSON.parse(body) as { sub?: string }).sub;
}

export const BROKEN_VERIFIERS: Broken<AccountTokenVerifier>[] = [
  [
    'a valid token is its account',
    'makes names small',
    (real) => ({ verify: async (token) => (await real.verify(token))?.toLowerCase() }),
  ],
  [
    'a valid token is its account',
    'takes a token once',
    (real) => {
      const used = new Set<string>();
      return {
        verify: async (token) => {
          if (used.has(token)) return undefined;
          used.add(token);
          return real.verify(token);
        },
      };
    },
  ],
  [
    'tokens that are verified at once are not mixed up',
    'remembers the last account',
    (real) => {
      let last: string | undefined;
      return {
        verify: async (token) => {
          last = (await real.verify(token)) ?? last;
          await turn();
          return last;
        },
      };
    },
  ],
  [
    'a token that is not valid is nobody',
    'believes what it says',
    () => ({ verify: async (token) => claimed(token) }),
  ],
  [
    'a token that is not valid is nobody',
    'knows an account again',
    (real) => {
      const known = new Set<string>();
      return {
        verify: async (token) => {
          const accountId = await real.verify(token);
          if (accountId !== undefined) known.add(accountId);
          const said = claimed(token);
          return accountId ?? (said !== undefined && known.has(said) ? said : undefined);
        },
      };
    },
  ],
  [
    'what is no token at all are nobody',
    'throws for what is no token',
    (real) => ({
      verify: async (token) => {
        if (token.trim() === '') throw new Error('no token');
        return real.verify(token);
      },
    }),
  ],
  [
    'what is no token at all are nobody',
    'takes relay tokens',
    (real) => ({ verify: async (token) => (token.startsWith('rt_') ? 'ann' : real.verify(token)) }),
  ],
  [
    'what is no token at all are nobody',
    'takes API keys',
    (real) => ({ verify: async (token) => (token.startsWith('hi_') ? 'ann' : real.verify(token)) }),
  ],
  [
    'what is no token at all are nobody',
    'leaves out what is behind a token',
    (real) => ({
      verify: async (token) => (await real.verify(token)) ?? (await real.verify(token.slice(0, -1))),
    }),
  ],
];

export const BROKEN_QUOTAS: Broken<MessageQuota>[] = [
  [
    'a limit and its window are whole numbers',
    'has half a message',
    () => ({ limitOf: async () => ({ limit: 0.5, windowMs: 1000 }) }),
  ],
  [
    'a limit and its window are whole numbers',
    'has no end',
    () => ({ limitOf: async () => ({ limit: Infinity, windowMs: 1000 }) }),
  ],
  [
    'a limit and its window are whole numbers',
    'has no window',
    () => ({ limitOf: async () => ({ limit: 5, windowMs: 0 }) }),
  ],
  [
    'an account that nobody has heard of has a limit',
    'throws for a stranger',
    (real) => ({
      limitOf: async (accountId) => {
        if (accountId.startsWith('nobody')) throw new Error('no such account');
        return real.limitOf(accountId);
      },
    }),
  ],
  [
    'an account that nobody has heard of has a limit',
    'looks accounts up in an object',
    (real) => {
      const limits = { ann: { limit: 5, windowMs: 1000 } } as Record<
        string,
        { limit: number; windowMs: number }
      >;
      return { limitOf: async (accountId) => limits[accountId] ?? (await real.limitOf(accountId)) };
    },
  ],
  [
    'asking counts nothing',
    'counts the questions',
    () => {
      let left = 100;
      return { limitOf: async () => ({ limit: left--, windowMs: 1000 }) };
    },
  ],
];

export const BROKEN_CLOCKS: Broken<Clock>[] = [
  ['the time is a whole number', 'has parts of a millisecond', () => ({ now: () => Date.now() + 0.5 })],
  ['the time counts from the epoch', 'counts seconds', () => ({ now: () => Math.floor(Date.now() / 1000) })],
  [
    'the time counts from the epoch',
    'counts from the start',
    () => ({ now: () => Math.floor(performance.now()) }),
  ],
  ['the time counts from the epoch', 'counts microseconds', () => ({ now: () => Date.now() * 1000 })],
];
