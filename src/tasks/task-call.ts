import type { CallOrigin } from '../common/index.js';
import type { Destination, TaskScope } from './task.js';

/** A call of either wire, as far as it says whose tasks it may touch and where its messages go. */
export interface TaskCall extends CallOrigin {
  readonly caller: { readonly accountId: string };
  readonly destination: { readonly id: string; readonly handle: string; readonly computerId: string };
}

/** Whose tasks the call may touch (requirement H4). */
export function scopeOf({ caller, destination }: TaskCall): TaskScope {
  return { accountId: caller.accountId, agentId: destination.id };
}

/** Where messages of the call go. */
export function destinationOf({ destination }: TaskCall): Destination {
  return { agentId: destination.id, handle: destination.handle, computerId: destination.computerId };
}

/** Where work for the call comes from. */
export function originOf({ requestId, traceparent }: TaskCall): CallOrigin {
  return { requestId, traceparent };
}
