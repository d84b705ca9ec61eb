import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request with what a router finds out about it. */
export interface DirectRequest extends IncomingMessage {
  params: Record<string, string>;
  query: Record<string, unknown>;
  originalUrl: string;
  /** Named as Express does, for logs and metrics. */
  route: { path: string };
}

export type DirectResponse = ServerResponse;

export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;
