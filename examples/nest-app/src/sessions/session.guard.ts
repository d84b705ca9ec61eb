import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Sessions } from './sessions.js';

/** A request to the shop's own controllers, with its account. */
export interface ShopRequest {
  headers: { authorization?: string };
  accountId?: string;
}

/** The same sessions, for the shop's own controllers. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly sessions: Sessions) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ShopRequest>();
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const accountId = this.sessions.accountOf(token);
    if (accountId === undefined) throw new UnauthorizedException();
    request.accountId = accountId;
    return true;
  }
}
