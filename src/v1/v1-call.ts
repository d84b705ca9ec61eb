import type { Agent } from '../directory/index.js';
import type { A2ACall } from '../rpc/index.js';

/** A call of the 1.0 endpoint: its destination is the assistant that the address named. */
export type V1Call = A2ACall<Agent>;
