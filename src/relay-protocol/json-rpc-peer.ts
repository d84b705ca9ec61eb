import type { z } from 'zod';
import { parseFrame, type Frame, type RpcId } from './envelope.js';

const SERVER_ERROR = -32000;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** The other side answered with an error. `reason` is the protocol's word when there is one. */
export class RefusedError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly reason: string | undefined,
  ) {
    super(message);
    this.name = 'RefusedError';
  }
}

/** The request was certainly never written to the socket. */
export class NotSentError extends Error {
  override name = 'NotSentError';
}

/** The request was written and its fate is not known: no answer in time, or the link ended first. */
export class UnansweredError extends Error {
  override name = 'UnansweredError';
}

export interface CallOptions<R> {
  timeoutMs: number;
  /** What the answer must look like; another one counts as unanswered. */
  result: z.ZodType<R>;
}

/** Answers one method. A thrown `RefusedError` goes to the caller as it is; anything else as an internal error. */
export type MethodHandler = (params: unknown) => Promise<object>;

export interface PeerOptions {
  /** Writes one frame. Returns false when it was certainly not written. */
  send: (text: string) => boolean;
  /** Requests and notifications by method; a notification's answer is dropped. */
  methods: Record<string, MethodHandler>;
  maxInFlight: number;
  /** A handler failed in a way that is no refusal. */
  onHandlerError: (method: string, error: unknown) => void;
}

interface PendingCall {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/**
 * One side of a JSON-RPC 2.0 conversation over a link of text frames. Both the API and the daemon speak
 * through one; the socket itself is the owner's business.
 */
export class JsonRpcPeer {
  /** Made with the first call: most links of a server are silent. */
  private pending: Map<RpcId, PendingCall> | undefined;
  private nextId = 1;
  private closed = false;

  constructor(private readonly options: PeerOptions) {}

  get inFlight(): number {
    return this.pending?.size ?? 0;
  }

  /**
   * Sends a request and waits for its answer.
   * @throws NotSentError when the link is closed or too many calls are unanswered
   * @throws UnansweredError after the time-out, or when the link ends
   * @throws RefusedError when the other side says no
   */
  async call<R>(method: string, params: object, { timeoutMs, result }: CallOptions<R>): Promise<R> {
    if (this.closed) throw new NotSentError('the link is closed');
    if (this.inFlight >= this.options.maxInFlight) throw new NotSentError('too many unanswered requests');
    const id = this.nextId++;
    const pending = (this.pending ??= new Map<RpcId, PendingCall>());
    const answer = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(new UnansweredError(`no answer to ${method} within ${timeoutMs} ms`));
      }, timeoutMs);
      pending.set(id, { resolve, reject, timer });
    });
    if (!this.options.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))) {
      this.take(id);
      throw new NotSentError('the link did not take the request');
    }
    const parsed = result.safeParse(await answer);
    if (!parsed.success) throw new UnansweredError(`the answer to ${method} has an unknown form`);
    return parsed.data;
  }

  notify(method: string, params: object): void {
    if (!this.closed) this.options.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /**
   * Takes one frame in.
   * @returns false when it is not a frame of the protocol; the owner then ends the link
   */
  receive(text: string): boolean {
    const frame = parseFrame(text);
    if (!frame) return false;
    if (frame.kind === 'request') void this.handle(frame);
    else if (frame.kind === 'invalid') this.reply(frame.id, fault(INVALID_REQUEST, frame.fault));
    else if (frame.kind !== 'ignored') this.settle(frame);
    return true;
  }

  /** Ends the conversation: what is unanswered stays unanswered. */
  close(): void {
    this.closed = true;
    for (const id of [...(this.pending?.keys() ?? [])]) {
      this.take(id)?.reject(new UnansweredError('the link ended before the answer'));
    }
  }

  private take(id: RpcId): PendingCall | undefined {
    const call = this.pending?.get(id);
    if (call) {
      clearTimeout(call.timer);
      this.pending?.delete(id);
    }
    return call;
  }

  private settle(frame: Extract<Frame, { kind: 'result' | 'error' | 'unreadable' }>): void {
    const call = this.take(frame.id);
    if (!call) return;
    if (frame.kind === 'result') call.resolve(frame.result);
    else if (frame.kind === 'error') call.reject(new RefusedError(frame.code, frame.message, frame.reason));
    else call.reject(new UnansweredError('the answer has an unknown form'));
  }

  private async handle({ id, method, params }: Extract<Frame, { kind: 'request' }>): Promise<void> {
    const answer = await this.answer(method, params);
    if (id !== undefined) this.reply(id, answer);
  }

  private reply(id: RpcId | null, answer: object): void {
    if (!this.closed) this.options.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }

  private async answer(method: string, params: unknown): Promise<object> {
    // Read for each request: an owner with thousands of peers makes the table when one asks.
    const { methods } = this.options;
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!handler) return fault(METHOD_NOT_FOUND, 'unknown method');
    if (typeof params !== 'object' || params === null || Array.isArray(params)) {
      return fault(INVALID_PARAMS, 'params: must be an object');
    }
    try {
      return { result: await handler(params) };
    } catch (error) {
      if (!(error instanceof RefusedError)) {
        this.options.onHandlerError(method, error);
        return fault(INTERNAL_ERROR, 'internal error');
      }
      const data = error.reason === undefined ? undefined : { reason: error.reason };
      return { error: { code: error.code, message: error.message, data } };
    }
  }
}

function fault(code: number, message: string): object {
  return { error: { code, message } };
}

/** A refusal in the protocol's own words (code -32000 and `data.reason`). */
export function refusal(reason: string, message: string): RefusedError {
  return new RefusedError(SERVER_ERROR, message, reason);
}

/**
 * Reads the parameters of a method.
 * @throws RefusedError (-32602) naming the first field that is wrong
 */
export function readParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') || 'params';
  throw new RefusedError(INVALID_PARAMS, `${field}: ${issue?.message ?? 'invalid'}`, undefined);
}

/**
 * Joins two sides in one process. Frames are text as on a socket, and arrive in order and never within the call that
 * sends them.
 */
export function joinPeers(
  left: Omit<PeerOptions, 'send'>,
  right: Omit<PeerOptions, 'send'>,
): { left: JsonRpcPeer; right: JsonRpcPeer } {
  const sendTo = (other: () => JsonRpcPeer) => (text: string) => {
    setImmediate(() => other().receive(text));
    return true;
  };
  const peers: { left: JsonRpcPeer; right: JsonRpcPeer } = {
    left: new JsonRpcPeer({ ...left, send: sendTo(() => peers.right) }),
    right: new JsonRpcPeer({ ...right, send: sendTo(() => peers.left) }),
  };
  return peers;
}
