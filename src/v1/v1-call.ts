import type { Agent } from '../directory/index.js';
import type { A2ACall } from '../rpc/index.js';
import type { Destination, TaskScope } from '../tasks/index.js';

/** A call of the 1.0 endpoint: its destination is the assistant that the address named. */
export type V1Call = A2ACall<Agent>;

/** Whose tasks the call may touch (requirement H4). */
export function scopeOf({ caller, destination }: V1Call): TaskScope {
  return { accountId: caller.accountId, agentId: destination.id };
}

export function destinationOf({ destination }: V1Call): Destination {
  return { agentId: destination.id, handle: destination.handle, computerId: destination.computerId };
}
