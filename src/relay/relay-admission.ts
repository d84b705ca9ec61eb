import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import type { VerifyClientCallbackAsync } from 'ws';
import { LoginFailures, TooManyRequestsFailure, describeError } from '../common/index.js';
import { RelayAuthenticator } from './relay-authenticator.service.js';
import { RelaySessions } from './relay-sessions.registry.js';

type Refuse = (status: number, error: string, headers?: Record<string, string>) => void;

/** Decides before the upgrade who may have a socket of the relay (R1, B129). */
@Injectable()
export class RelayAdmission {
  private readonly logger = new Logger('Relay');

  constructor(
    private readonly sessions: RelaySessions,
    private readonly authenticator: RelayAuthenticator,
    private readonly loginFailures: LoginFailures,
  ) {}

  /** @param done of `ws`: whether to upgrade, or the status, body and headers of the refusal */
  async decide(request: IncomingMessage, done: Parameters<VerifyClientCallbackAsync>[1]): Promise<void> {
    const refuse: Refuse = (status, error, headers) =>
      done(false, status, JSON.stringify({ error }), { 'Content-Type': 'application/json', ...headers });
    if (this.sessions.stopped) {
      refuse(503, 'The service is shutting down', { 'Retry-After': '1' });
      return;
    }
    try {
      if (await this.authenticator.admits(request)) done(true);
      else this.refuseToken(request, refuse);
    } catch (error) {
      // Not a 401: on that a daemon gives up, and nobody has said that its token is bad.
      this.logger.error({ msg: 'the directory could not be asked', error: describeError(error) });
      refuse(503, 'The service is not available at the moment', { 'Retry-After': '5' });
    }
  }

  private refuseToken({ headers, socket }: IncomingMessage, refuse: Refuse): void {
    try {
      if (headers.authorization !== undefined) this.loginFailures.note('relay_token', socket.remoteAddress);
      refuse(401, 'A valid relay token is required', { 'WWW-Authenticate': 'Bearer' });
    } catch (tooMany) {
      if (!(tooMany instanceof TooManyRequestsFailure)) throw tooMany;
      refuse(tooMany.status, tooMany.message, tooMany.headers());
    }
  }
}
