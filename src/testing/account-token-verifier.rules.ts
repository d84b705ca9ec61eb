import assert from 'node:assert/strict';
import type { AccountTokenVerifier } from '../accounts/index.js';
import type { Rule } from './rule.js';

export interface VerifierSubject {
  verifier: AccountTokenVerifier;
  /** A token that is valid now, for any account. */
  tokenOf: (accountId: string) => string | Promise<string>;
  /** Tokens of your kind that are not valid: expired, signed by somebody else, for another service … At least one. */
  invalidTokens: (accountId: string) => string[] | Promise<string[]>;
}

/** What `AccountTokenVerifier` promises (requirements H1, H2). */
export const ACCOUNT_TOKEN_VERIFIER_RULES: readonly Rule<VerifierSubject>[] = [
  {
    title: '[H1] a valid token is its account, each time, exactly as it is written',
    async check({ verifier, tokenOf }) {
      for (const accountId of ['ann', 'Ann', 'account-1']) {
        const token = await tokenOf(accountId);
        assert.equal(await verifier.verify(token), accountId);
        assert.equal(await verifier.verify(token), accountId);
      }
    },
  },
  {
    title: '[H1] tokens that are verified at once are not mixed up',
    async check({ verifier, tokenOf }) {
      const accounts = Array.from({ length: 20 }, (_, index) => `account-${index}`);
      const found = await Promise.all(accounts.map(async (id) => verifier.verify(await tokenOf(id))));
      assert.deepEqual(found, accounts);
    },
  },
  {
    title: '[H1] a token that is not valid is nobody, also after a valid one of the same account',
    async check({ verifier, tokenOf, invalidTokens }) {
      await verifier.verify(await tokenOf('ann'));
      const tokens = await invalidTokens('ann');
      assert.ok(tokens.length > 0, 'the subject names no invalid token');
      for (const token of tokens) await isNobody(verifier, token);
    },
  },
  {
    title: '[H2] relay tokens, API keys and what is no token at all are nobody, and no error',
    async check({ verifier, tokenOf }) {
      const token = await tokenOf('ann');
      const others = [
        '',
        ' ',
        'null',
        'undefined',
        '[object Object]',
        '..',
        'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.',
        'rt_0123456789abcdef0123',
        'hi_0123456789abcdef0123',
        'x'.repeat(100_000),
      ];
      for (const other of [...others, `${token}x`, `x${token}`, token.slice(1), token.slice(0, -1)]) {
        await isNobody(verifier, other);
      }
    },
  },
];

async function isNobody(verifier: AccountTokenVerifier, token: string): Promise<void> {
  const found = await verifier.verify(token).catch((error: unknown) => error);
  assert.equal(found, undefined, 'what is no token of an account must be undefined, and no error');
}
