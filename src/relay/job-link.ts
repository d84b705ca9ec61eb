import type { CallOptions } from '../relay-protocol/index.js';

/** A way to the daemon of one computer: a session over a socket, or a daemon in this process. */
export interface JobLink {
  /** Whether durable jobs can be spoken about now (R2). */
  readonly isDurable: boolean;
  /** Whether new jobs are taken as well. */
  readonly takesJobs: boolean;
  /** What a log line says of the link; no secret, no text. */
  readonly about: { readonly computerId: string };
  /**
   * @throws NotSentError when the request was certainly not sent
   * @throws UnansweredError when its fate is not known
   * @throws RefusedError when the daemon says no
   */
  call<R>(method: string, params: object, options: CallOptions<R>): Promise<R>;
}
