import type { DestinationStream, Logger } from 'pino';
import { scrub } from './scrub.js';

/** What is logged of a request that has ended. */
export interface RequestLine {
  /** May be the client's own. */
  requestId: string;
  traceId: string | undefined;
  method: string;
  /** The template of the route. */
  route: string;
  /** The client's own text; only of an address that this service knows. */
  path: string | undefined;
  status: number;
  durationMs: number;
}

/** Where the lines of requests go. */
export type RequestLogger = Record<'info' | 'debug', (line: RequestLine, message: string) => void>;

/** Text that means itself in JSON. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
/** Without any of it there is nothing for `scrub` to find. */
const SUSPECT = /bearer|eyJ|rt_|hi_|[?&%]/i;

/**
 * Writes lines of requests where a logger of `createLogger` writes, as it would: every request has one, and its form is
 * known, while pino looks at each member of any object.
 */
export function requestLines(logger: Logger, destination: DestinationStream): RequestLogger {
  const at = (level: 'info' | 'debug') => (line: RequestLine, message: string) => {
    if (logger.isLevelEnabled(level)) destination.write(textOf(level, line, message));
  };
  return { info: at('info'), debug: at('debug') };
}

/** Members that are not the client's are of fixed sets, and need no escapes. */
function textOf(level: string, line: RequestLine, message: string): string {
  const { requestId, traceId, method, route, path, status, durationMs } = line;
  const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`;
  const where = path === undefined ? '' : `,"path":${quoted(path)}`;
  return (
    `{"level":"${level}","time":"${new Date().toISOString()}","requestId":${quoted(requestId)}${trace}` +
    `,"method":"${method}","route":"${route}"${where},"status":${status},"durationMs":${durationMs},"msg":"${message}"}\n`
  );
}

function quoted(text: string): string {
  const json = PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
  return SUSPECT.test(text) ? scrub(json) : json;
}
