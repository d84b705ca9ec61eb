import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { UnauthenticatedError } from './accounts.errors.js';
import type { CallerAccount } from './account-token-verifier.js';

/**
 * The caller of a handler: of the HTTP request, or of the call object that is the first argument in the context type `a2a`.
 * @throws UnauthenticatedError when nobody was authenticated; a handler that forgot its guard must not run for nobody
 */
export function callerOf(context: ExecutionContext): CallerAccount {
  const carrier =
    context.getType<string>() === 'a2a'
      ? context.getArgByIndex<{ caller?: CallerAccount }>(0)
      : context.switchToHttp().getRequest<{ caller?: CallerAccount }>();
  if (!carrier.caller) throw new UnauthenticatedError(false);
  return carrier.caller;
}

/** Injects the authenticated account (`CallerAccount`) into a handler's parameter. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext) => callerOf(context));
