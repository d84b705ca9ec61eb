import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { AssistantJob } from 'hello-api';

/** The shop's own people do not order here. */
@Injectable()
export class CustomersOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const [job] = context.getArgs<[AssistantJob]>();
    return !job.accountId.startsWith('staff-');
  }
}
