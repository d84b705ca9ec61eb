import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import {
  DURABLE_CAPABILITY,
  JsonRpcPeer,
  RefusedError,
  SUBPROTOCOL,
  emptyResult,
  helloResult,
  submitParams,
  updateResult,
  type JobReport,
  type SubmitParams,
} from '../src/relay-protocol/index.js';

const CALL_MS = 30_000;
/** A quick model's distance of two words. */
const PIECE_MS = 20;
const METHOD_NOT_FOUND = -32601;

/**
 * A daemon that echoes at once and keeps jobs in memory alone: what is measured is the service, not the daemon's
 * disk. A text that begins with "hold" is never finished, so that it can be canceled.
 */
export class DaemonLink {
  private readonly revisions = new Map<string, number>();
  private readonly peer: JsonRpcPeer;

  private constructor(readonly socket: WebSocket) {
    this.peer = new JsonRpcPeer({
      send: (text) => {
        if (socket.readyState !== WebSocket.OPEN) return false;
        socket.send(text);
        return true;
      },
      methods: {
        'job.submit': async (params) => this.submit(submitParams.parse(params)),
        'job.status': async (params) => ({
          jobs: (params as { jobIds: string[] }).jobIds.map((jobId) => this.working(jobId)),
        }),
        'job.cancel': async (params) => this.cancel((params as { jobId: string }).jobId),
        'job.forget': async () => ({}),
      },
      maxInFlight: 100_000,
      onHandlerError: (method, error) => console.error(method, error),
    });
    socket.on('message', (data) => this.peer.receive((data as Buffer).toString('utf8')));
    socket.on('close', () => this.peer.close());
    socket.on('error', (error) => console.error(error.message));
  }

  /** @throws when the service refuses it */
  static async open(url: string, token: string): Promise<DaemonLink> {
    const headers = { Authorization: `Bearer ${token}` };
    const socket = new WebSocket(url, SUBPROTOCOL, { headers, perMessageDeflate: false });
    const link = new DaemonLink(socket);
    await once(socket, 'open');
    const hello = {
      protocol: 1,
      daemon: { name: 'bench', version: '1', instanceId: token.slice(-12) },
      capabilities: [DURABLE_CAPABILITY],
      agents: ['*'],
    };
    await link.peer.call('relay.hello', hello, { timeoutMs: CALL_MS, result: helloResult });
    return link;
  }

  /** Reports progress, each time after the last was acknowledged. @returns how often */
  async reportUntil(until: number, jobId: string): Promise<number> {
    let count = 0;
    for (; performance.now() < until; count += 1) {
      this.revisions.set(jobId, this.revision(jobId) + 1);
      await this.update(this.working(jobId, `step ${count}`));
    }
    return count;
  }

  /** Says pieces of output of a job, with a moment between them, and finishes it. @returns how many */
  async speak(jobId: string, pieces: number): Promise<number> {
    for (let sequence = 0; sequence < pieces; sequence += 1) {
      this.peer.notify('job.delta', { jobId, sequence, text: `piece ${sequence} of the answer. ` });
      await pause(PIECE_MS);
    }
    await this.finish(jobId, 'the answer');
    return pieces;
  }

  /** One question and its answer, without any work behind it. @throws for any other answer than the expected one */
  async roundTrip(): Promise<void> {
    try {
      await this.peer.call('bench.none', {}, { timeoutMs: CALL_MS, result: emptyResult });
    } catch (error) {
      if (error instanceof RefusedError && error.code === METHOD_NOT_FOUND) return;
      throw error;
    }
    throw new Error('a method that does not exist was answered');
  }

  private submit({ jobId, message }: SubmitParams): object {
    this.revisions.set(jobId, 1);
    // After the answer, which is on its way once this returns.
    if (!message.text.startsWith('hold')) setImmediate(() => void this.finish(jobId, message.text));
    return { state: 'running', revision: 1 };
  }

  private async finish(jobId: string, reply: string): Promise<void> {
    await this.update({ jobId, state: 'succeeded', revision: 2, reply, updatedAt: now() });
    this.revisions.delete(jobId);
  }

  private cancel(jobId: string): JobReport {
    const revision = this.revision(jobId) + 1;
    this.revisions.delete(jobId);
    return { jobId, state: 'canceled', revision, updatedAt: now() };
  }

  private async update(report: JobReport): Promise<void> {
    await this.peer.call('job.updated', report, { timeoutMs: CALL_MS, result: updateResult });
  }

  private working(jobId: string, statusText = 'working'): JobReport {
    return { jobId, state: 'running', revision: this.revision(jobId), statusText, updatedAt: now() };
  }

  private revision(jobId: string): number {
    return this.revisions.get(jobId) ?? 1;
  }
}

function now(): string {
  return new Date().toISOString();
}
