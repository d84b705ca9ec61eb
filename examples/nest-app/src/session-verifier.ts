import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccountTokenVerifier } from 'hello-api';

const KEY = 'a key that a real team keeps elsewhere';

/** Tokens of the team's own sessions: `<account>.<mark>`. */
@Injectable()
export class SessionVerifier extends AccountTokenVerifier {
  async verify(token: string): Promise<string | undefined> {
    const end = token.lastIndexOf('.');
    const accountId = token.slice(0, Math.max(end, 0));
    if (accountId === '') return undefined;
    const sent = Buffer.from(token.slice(end + 1));
    const right = Buffer.from(markOf(accountId));
    return sent.length === right.length && timingSafeEqual(sent, right) ? accountId : undefined;
  }
}

/** @returns a token of the account */
export function openSession(accountId: string): string {
  return `${accountId}.${markOf(accountId)}`;
}

function markOf(accountId: string): string {
  return createHmac('sha256', KEY).update(accountId).digest('base64url');
}
