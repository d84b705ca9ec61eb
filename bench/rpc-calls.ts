import type { Answer } from './http-connection.js';
import type { Call } from './load.js';
import type { System } from './systems/system.js';

/** The members of answers that are checked. */
export interface WireTask {
  id: string;
  status: { state: string; timestamp: string };
  artifacts?: { parts: { text: string }[] }[];
}

export interface RpcRequest<Result> {
  accountId: string;
  method: string;
  params: object;
  /** Another address than the system's own. */
  path?: string;
  /** `A2A-Version`; 1.0 by default. */
  version?: string;
  /** Whether the result is the right one. */
  isRight: (result: Result) => boolean;
  /** The code of the error that is the right answer instead. */
  error?: number;
}

interface RpcAnswer<Result> {
  result?: Result;
  error?: { code: number };
}

/** A JSON-RPC call whose answer must have status 200 and a right result; anything else fails the run. */
export function rpcCall<Result>(system: System, request: RpcRequest<Result>): Call {
  const { method, params } = request;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const head = [
    `POST ${request.path ?? system.rpcPath} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${system.authorization(request.accountId)}`,
    `A2A-Version: ${request.version ?? '1.0'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const check = (answer: Answer): void => {
    const parsed = answer.status === 200 ? (JSON.parse(answer.body) as RpcAnswer<Result>) : {};
    const isRight =
      request.error === undefined
        ? parsed.result !== undefined && request.isRight(parsed.result)
        : parsed.error?.code === request.error;
    if (!isRight) throw wrong(system, method, answer);
  };
  return { request: `${head.join('\r\n')}\r\n\r\n${body}`, check };
}

/** A GET without credentials of a JSON document. */
export function getCall<Document>(
  system: System,
  path: string,
  isRight: (document: Document) => boolean,
): Call {
  const check = (answer: Answer): void => {
    if (answer.status !== 200 || !isRight(JSON.parse(answer.body) as Document)) {
      throw wrong(system, path, answer);
    }
  };
  return { request: `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, check };
}

function wrong(system: System, what: string, { status, body }: Answer): Error {
  return new Error(`${system.name} gave a wrong answer to ${what}: ${status} ${body.slice(0, 500)}`);
}
