import { createHmac, timingSafeEqual } from 'node:crypto';

/** The shop's own sessions. Their tokens are `<account>.<mark>`; a real shop's would also end. */
export class Sessions {
  constructor(private readonly key: string) {}

  /** @returns a token of the account */
  open(accountId: string): string {
    return `${accountId}.${this.markOf(accountId)}`;
  }

  /** @returns the account of a token, or nothing when it is not valid */
  accountOf(token: string): string | undefined {
    const end = token.lastIndexOf('.');
    const accountId = token.slice(0, Math.max(end, 0));
    if (accountId === '') return undefined;
    const sent = Buffer.from(token.slice(end + 1));
    const right = Buffer.from(this.markOf(accountId));
    return sent.length === right.length && timingSafeEqual(sent, right) ? accountId : undefined;
  }

  private markOf(accountId: string): string {
    return createHmac('sha256', this.key).update(accountId).digest('base64url');
  }
}
