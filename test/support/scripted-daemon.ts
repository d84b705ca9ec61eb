import { once } from 'node:events';
import { WebSocket } from 'ws';
import {
  DURABLE_CAPABILITY,
  JsonRpcPeer,
  SUBPROTOCOL,
  emptyResult,
  inputParams,
  helloResult,
  refusal,
  submitParams,
  updateResult,
  type JobMessage,
  type JobReport,
  type JobState,
  type SubmitParams,
} from '../../src/relay-protocol/index.js';

/** How long it waits for an answer of the API. */
const PATIENCE_MS = 60_000;

export interface Job {
  params: SubmitParams;
  state: JobState;
  revision: number;
  reply?: string;
  statusText?: string;
  /** Answers to its questions, in the order in which they were taken. */
  answers: JobMessage[];
}

/** What the daemon does with a new job; by default it starts to run and waits for the test. */
export type OnSubmit = (job: Job, daemon: ScriptedDaemon) => void | Promise<void>;

export interface ScriptedDaemonOptions {
  url: string;
  token: string;
  onSubmit?: OnSubmit;
  /** What it does once a job goes on with an answer; by default it runs and waits for the test. */
  onAnswer?: OnSubmit;
  /** Replaces the answer to a method of the API. */
  methods?: Record<string, (params: unknown) => Promise<object>>;
  capabilities?: string[];
}

/** A daemon that does what a test tells it, over a real socket. It keeps every job once, like a real one. */
export class ScriptedDaemon {
  readonly jobs = new Map<string, Job>();
  /** Every `job.submit` that arrived, repeated ones included. */
  readonly submissions: SubmitParams[] = [];
  private waiters: { count: number; resolve: () => void }[] = [];

  private constructor(
    readonly socket: WebSocket,
    private readonly peer: JsonRpcPeer,
  ) {}

  static async connect(options: ScriptedDaemonOptions): Promise<ScriptedDaemon> {
    const socket = new WebSocket(options.url, SUBPROTOCOL, {
      headers: { Authorization: `Bearer ${options.token}` },
      perMessageDeflate: false,
    });
    const holder: { daemon?: ScriptedDaemon } = {};
    const daemonOf = () => holder.daemon as ScriptedDaemon;
    const peer = new JsonRpcPeer({
      send: (text) => {
        if (socket.readyState !== WebSocket.OPEN) return false;
        socket.send(text);
        return true;
      },
      methods: {
        'job.submit': (params) => daemonOf().submit(submitParams.parse(params), options.onSubmit),
        'job.status': (params) => daemonOf().status((params as { jobIds: string[] }).jobIds),
        'job.cancel': (params) => daemonOf().cancel((params as { jobId: string }).jobId),
        'job.input': (params) => daemonOf().input(inputParams.parse(params), options.onAnswer),
        'job.forget': async () => ({}),
        ...options.methods,
      },
      maxInFlight: 10_000,
      onHandlerError: (method, error) => console.error(`scripted daemon failed in ${method}`, error),
    });
    const daemon = new ScriptedDaemon(socket, peer);
    holder.daemon = daemon;
    socket.on('message', (data) => peer.receive((data as Buffer).toString('utf8')));
    socket.on('close', () => peer.close());
    socket.on('error', () => undefined);
    await once(socket, 'open');
    await peer.call(
      'relay.hello',
      {
        protocol: 1,
        daemon: { name: 'scripted', version: '1', instanceId: `scripted-${Math.random()}` },
        capabilities: options.capabilities ?? [DURABLE_CAPABILITY],
        agents: ['*'],
      },
      { timeoutMs: PATIENCE_MS, result: helloResult },
    );
    return daemon;
  }

  /** Takes over the jobs of an earlier connection, as a daemon that reconnects does. */
  adopt(earlier: ScriptedDaemon): void {
    for (const [id, job] of earlier.jobs) this.jobs.set(id, job);
  }

  /** Shows a piece of a job's reply. */
  delta(jobId: string, sequence: number, text: string): void {
    this.notify('job.delta', { jobId, sequence, text });
  }

  /** Moves a job on and reports it, waiting for the acknowledgement. */
  async report(
    jobId: string,
    state: JobState,
    more: { reply?: string; statusText?: string } = {},
  ): Promise<void> {
    const job = this.jobs.get(jobId);
    if (!job) throw new Error(`no job ${jobId}`);
    Object.assign(job, { state, revision: job.revision + 1 }, more);
    await this.sendUpdate(reportOf(jobId, job));
  }

  async complete(jobId: string, reply = 'done'): Promise<void> {
    await this.report(jobId, 'succeeded', { reply });
  }

  isAtWork(jobId: string): boolean {
    return this.jobs.get(jobId)?.state === 'running';
  }

  endOf(jobId: string): JobState | undefined {
    return this.jobs.get(jobId)?.state;
  }

  /** Sends any update, true or not. */
  async sendUpdate(report: JobReport): Promise<{ acknowledged: number; known?: boolean | undefined }> {
    return this.peer.call('job.updated', report, { timeoutMs: PATIENCE_MS, result: updateResult });
  }

  notify(method: string, params: object): void {
    this.peer.notify(method, params);
  }

  async call(method: string, params: object): Promise<object> {
    return this.peer.call(method, params, { timeoutMs: PATIENCE_MS, result: emptyResult });
  }

  /** Resolves once that many submissions have arrived. */
  async submitted(count: number): Promise<void> {
    if (this.submissions.length >= count) return;
    await new Promise<void>((resolve) => this.waiters.push({ count, resolve }));
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }

  private async submit(params: SubmitParams, onSubmit: OnSubmit | undefined): Promise<object> {
    this.submissions.push(params);
    const known = this.jobs.get(params.jobId);
    const job: Job = known ?? { params, state: 'running', revision: 1, answers: [] };
    this.jobs.set(params.jobId, job);
    if (!known) await onSubmit?.(job, this);
    this.waiters = this.waiters.filter(({ count, resolve }) => {
      if (this.submissions.length < count) return true;
      resolve();
      return false;
    });
    return { state: job.state, revision: job.revision };
  }

  private async status(jobIds: string[]): Promise<object> {
    return {
      jobs: jobIds.map((jobId) => {
        const job = this.jobs.get(jobId);
        return job ? reportOf(jobId, job) : { jobId, state: 'unknown' };
      }),
    };
  }

  private async input(
    { jobId, message }: { jobId: string; message: JobMessage },
    onAnswer: OnSubmit | undefined,
  ): Promise<object> {
    const job = this.jobs.get(jobId);
    if (job?.answers.at(-1)?.messageId === message.messageId) return reportOf(jobId, job);
    if (job?.state !== 'input_required') throw refusal('not_waiting', 'the job does not wait');
    job.answers.push(message);
    Object.assign(job, { state: 'running', revision: job.revision + 1, statusText: undefined });
    const report = reportOf(jobId, job);
    await onAnswer?.(job, this);
    return report;
  }

  private async cancel(jobId: string): Promise<object> {
    const job = this.jobs.get(jobId);
    if (!job) throw refusal('unknown_job', 'no such job');
    if (job.state === 'running' || job.state === 'queued' || job.state === 'input_required') {
      Object.assign(job, { state: 'canceled', revision: job.revision + 1 });
    }
    return reportOf(jobId, job);
  }
}

function reportOf(jobId: string, job: Job): JobReport {
  return {
    jobId,
    state: job.state,
    revision: job.revision,
    ...(job.reply === undefined ? {} : { reply: job.reply }),
    ...(job.statusText === undefined ? {} : { statusText: job.statusText }),
    updatedAt: new Date().toISOString(),
  };
}
