import {
  CloseCode,
  DURABLE_CAPABILITY,
  type HelloParams,
  type HelloResult,
  PROTOCOL_VERSION,
  RefusedError,
  helloParams,
  parseFrame,
  readParams,
} from '../relay-protocol/index.js';

/** What the API can do; a session has what both sides can do (R2). */
const CAPABILITIES = [DURABLE_CAPABILITY];

export type Greeting =
  | { kind: 'hello'; id: string | number; params: HelloParams }
  | { kind: 'bad'; code: CloseCode; reason: string };

/** Reads the first frame of a daemon: a valid `relay.hello` request or a reason to close the link. */
export function readGreeting(text: string): Greeting {
  const frame = parseFrame(text);
  if (!frame) return { kind: 'bad', code: CloseCode.badFrame, reason: 'not a JSON-RPC 2.0 frame' };
  if (frame.kind !== 'request' || frame.method !== 'relay.hello' || frame.id === undefined) {
    return { kind: 'bad', code: CloseCode.badFrame, reason: 'the first frame must be a relay.hello request' };
  }
  // Before the rest is looked at: another version may have another form.
  const { protocol } = (frame.params ?? {}) as { protocol?: unknown };
  if (typeof protocol === 'number' && protocol !== PROTOCOL_VERSION) {
    return {
      kind: 'bad',
      code: CloseCode.noCommonProtocol,
      reason: `only protocol ${PROTOCOL_VERSION} is spoken`,
    };
  }
  try {
    return { kind: 'hello', id: frame.id, params: readParams(helloParams, frame.params) };
  } catch (error) {
    const detail = error instanceof RefusedError ? error.message : 'wrong parameters';
    return { kind: 'bad', code: CloseCode.badFrame, reason: `relay.hello: ${detail}` };
  }
}

/** @returns the frame that answers a greeting */
export function welcome(
  greeting: Extract<Greeting, { kind: 'hello' }>,
  result: Omit<HelloResult, 'capabilities'>,
): string {
  const agreed = CAPABILITIES.filter((name) => greeting.params.capabilities.includes(name));
  return JSON.stringify({
    jsonrpc: '2.0',
    id: greeting.id,
    result: { ...result, capabilities: agreed } satisfies HelloResult,
  });
}
