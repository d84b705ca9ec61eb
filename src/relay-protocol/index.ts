export { CloseCode } from './close-codes.js';
export { parseFrame, type Frame } from './envelope.js';
export * from './frames.js';
export {
  JsonRpcPeer,
  NotSentError,
  RefusedError,
  UnansweredError,
  joinPeers,
  readParams,
  refusal,
  type CallOptions,
  type MethodHandler,
  type PeerOptions,
} from './json-rpc-peer.js';
