/** What the relay needs to know from the settings; its own injection token. All times are milliseconds. */
export abstract class RelaySettings {
  /** Where daemons connect, from the root of the server; without a slash at its end. */
  abstract readonly path: string;
  /** Distance of two pings; a link that is silent for a whole one after a ping is dead. */
  abstract readonly heartbeatMs: number;
  abstract readonly submitTimeoutMs: number;
  /** For reconciliation. A caller's GetTask waits a fixed, shorter time. */
  abstract readonly statusTimeoutMs: number;
  abstract readonly cancelTimeoutMs: number;
  /** Requests that one computer may leave unanswered; past that a job is refused as if its queue were full. */
  abstract readonly maxInFlight: number;
}
