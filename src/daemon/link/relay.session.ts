import { WebSocket, type RawData } from 'ws';
import { describeError, untilAborted } from '../../common/index.js';
import {
  CloseCode,
  DURABLE_CAPABILITY,
  JsonRpcPeer,
  MAX_FRAME_BYTES,
  PROTOCOL_VERSION,
  SUBPROTOCOL,
  helloResult,
  type HelloParams,
  type HelloResult,
  type MethodHandler,
} from '../../relay-protocol/index.js';
import type { DaemonLogger } from '../daemon-logger.js';
import type { LinkEnd } from './link-end.js';

export interface SessionOptions {
  url: string;
  token: string;
  daemon: HelloParams['daemon'];
  agents: string[];
  methods: Record<string, MethodHandler>;
  logger: DaemonLogger;
  /** The hello was answered: the link can be used. */
  onReady: (session: RelaySession, hello: HelloResult) => void;
}

const OPENING_TIMEOUT_MS = 10_000;
const MAX_IN_FLIGHT = 64;
/** A link that lets this much pile up is not read any more. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;
/** Past this, partial output is dropped: the reply comes whole at the end. */
const CONGESTED_BYTES = 256 * 1024;
/** What the JSON-RPC envelope may add to the parameters. */
const ENVELOPE_BYTES = 256;
const CLOSE_PATIENCE_MS = 1000;

/** WebSocket libraries refuse a frame that is too large by themselves, and close without a text. */
const OVER_LIMIT = `the API sent a frame over ${MAX_FRAME_BYTES / 1024 / 1024} MiB`;
const OVER_LIMIT_OF_API = 'a frame was too large for the API';

/** One connection to the API, from the upgrade to its end. */
export class RelaySession {
  readonly peer: JsonRpcPeer;
  /** Settles once the socket is closed, never rejects. */
  readonly end: Promise<LinkEnd>;
  private readonly socket: WebSocket;
  private readonly over = new AbortController();
  private cause: LinkEnd | undefined;
  private silence: NodeJS.Timeout | undefined;
  private maxFrameBytes = MAX_FRAME_BYTES;
  private lastWrite: Promise<void> = Promise.resolve();

  constructor(private readonly options: SessionOptions) {
    this.socket = new WebSocket(options.url, SUBPROTOCOL, {
      headers: { authorization: `Bearer ${options.token}` },
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      handshakeTimeout: OPENING_TIMEOUT_MS,
      followRedirects: false,
    });
    this.peer = new JsonRpcPeer({
      send: (text) => this.write(text),
      methods: options.methods,
      maxInFlight: MAX_IN_FLIGHT,
      onHandlerError: (method, error) =>
        options.logger.error('A request of the API failed', { method, error: describeError(error) }),
    });
    this.end = this.watch();
  }

  /** Aborted when the link has ended. */
  get ended(): AbortSignal {
    return this.over.signal;
  }

  get congested(): boolean {
    return this.socket.bufferedAmount > CONGESTED_BYTES;
  }

  fits(params: object): boolean {
    return Buffer.byteLength(JSON.stringify(params)) + ENVELOPE_BYTES <= this.maxFrameBytes;
  }

  async drained(): Promise<void> {
    await untilAborted(this.lastWrite, this.ended);
  }

  /** Says goodbye and waits for the end; an API that does not answer is not waited for. */
  async close(code: number, reason: string): Promise<void> {
    if (this.socket.readyState === WebSocket.CONNECTING) this.socket.terminate();
    else this.socket.close(code, reason);
    const patience = setTimeout(() => this.socket.terminate(), CLOSE_PATIENCE_MS);
    await this.end;
    clearTimeout(patience);
  }

  private watch(): Promise<LinkEnd> {
    const { socket } = this;
    socket.on('open', () => void this.open());
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    for (const sign of ['message', 'ping', 'pong'] as const) socket.on(sign, () => this.silence?.refresh());
    socket.on('unexpected-response', (request, response) => {
      this.cause = { kind: 'refused', status: response.statusCode ?? 0 };
      response.resume();
      request.destroy();
      socket.terminate();
    });
    socket.on('error', (error) => (this.cause ??= { kind: 'failed', error: describeSocketError(error) }));
    return new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        clearTimeout(this.silence);
        this.over.abort();
        this.peer.close();
        const isMute = code === CloseCode.frameTooLarge && reason.length === 0;
        const text = isMute ? OVER_LIMIT_OF_API : reason.toString('utf8');
        resolve(this.cause ?? { kind: 'closed', code, reason: text });
      });
    });
  }

  private async open(): Promise<void> {
    const { daemon, agents } = this.options;
    const params: HelloParams = {
      protocol: PROTOCOL_VERSION,
      daemon,
      capabilities: [DURABLE_CAPABILITY],
      agents,
    };
    try {
      const hello = await this.peer.call('relay.hello', params, {
        timeoutMs: OPENING_TIMEOUT_MS,
        result: helloResult,
      });
      if (!hello.capabilities.includes(DURABLE_CAPABILITY)) {
        this.cause = { kind: 'incompatible', missing: `the API does not offer ${DURABLE_CAPABILITY}` };
        this.socket.close(CloseCode.noCommonProtocol, `${DURABLE_CAPABILITY} is required`);
        return;
      }
      this.maxFrameBytes = Math.min(MAX_FRAME_BYTES, hello.maxFrameBytes);
      this.silence = setTimeout(() => this.giveUp('nothing was heard of the API'), hello.heartbeatMs * 2.5);
      this.options.onReady(this, hello);
    } catch (error) {
      // When the API closes the link instead of answering, its close code says more than this error.
      if (this.socket.readyState === WebSocket.OPEN) this.giveUp(`no hello: ${describeError(error)}`);
    }
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (this.over.signal.aborted) return;
    if (isBinary || !this.peer.receive(textOf(data))) {
      this.cause ??= { kind: 'failed', error: 'the API sent a frame that is not the protocol' };
      this.socket.close(CloseCode.badFrame, 'not a frame of the protocol');
    }
  }

  private write(text: string): boolean {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    if (Buffer.byteLength(text) > this.maxFrameBytes) {
      this.options.logger.error('A frame was too large to be sent');
      return false;
    }
    if (this.socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      this.giveUp('the API does not read what it is sent');
      return false;
    }
    this.lastWrite = new Promise((resolve) => this.socket.send(text, () => resolve()));
    return true;
  }

  private giveUp(error: string): void {
    this.cause ??= { kind: 'failed', error };
    this.socket.terminate();
  }
}

function describeSocketError(error: Error & { code?: string }): string {
  return error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' ? OVER_LIMIT : describeError(error);
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}
