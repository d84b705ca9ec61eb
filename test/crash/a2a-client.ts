import { Agent, request, type IncomingMessage } from 'node:http';
import { SignJWT } from 'jose';
import { ACCOUNTS } from './message-plan.js';
import { JWT_SECRET } from './crash-site.js';

/** A task of a 1.0 answer, as far as it is looked at. */
export interface WireTask {
  id: string;
  status: { state: string; timestamp: string; message?: { parts: { text?: string }[] } };
  artifacts?: { parts: { text?: string }[] }[];
}

/** The results of the methods that are called, in one. */
export interface RpcResult extends Partial<WireTask> {
  task?: WireTask;
  tasks?: WireTask[];
  totalSize?: number;
}

export type RpcOutcome =
  | { kind: 'result'; result: RpcResult }
  | { kind: 'error'; code: number; message: string }
  | { kind: 'http'; status: number; body: { error?: string; taskId?: string } }
  /** No whole answer came: what the call did is not known. */
  | { kind: 'lost' };

export interface RpcCall {
  account: string;
  handle: string;
  method: string;
  params: object;
  idempotencyKey?: string;
}

const ANSWER_MS = 7000;
const TOKEN_SECONDS = 3600;

/** A caller of the 1.0 endpoint for whom lost connections are part of the day. */
export class A2aClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 128 });

  private constructor(
    private readonly port: number,
    private readonly tokens: ReadonlyMap<string, string>,
  ) {}

  static async create(port: number): Promise<A2aClient> {
    const tokens = await Promise.all(
      ACCOUNTS.map(async (account): Promise<[string, string]> => [account, await tokenFor(account)]),
    );
    return new A2aClient(port, new Map(tokens));
  }

  async call(call: RpcCall): Promise<RpcOutcome> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: call.method, params: call.params });
    const answer = await this.post(call, body).catch(() => undefined);
    if (!answer) return { kind: 'lost' };
    if (answer.status !== 200) {
      return {
        kind: 'http',
        status: answer.status,
        body: answer.body as { error?: string; taskId?: string },
      };
    }
    const { result, error } = answer.body as {
      result?: RpcResult;
      error?: { code: number; message: string };
    };
    if (error) return { kind: 'error', code: error.code, message: error.message };
    return { kind: 'result', result: result ?? {} };
  }

  close(): void {
    this.agent.destroy();
  }

  /** @throws when the connection fails, or the answer is not whole in time */
  private post(call: RpcCall, body: string): Promise<{ status: number; body: unknown }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          agent: this.agent,
          host: '127.0.0.1',
          port: this.port,
          path: `/a2a/@owner/${call.handle}`,
          method: 'POST',
          headers: {
            authorization: `Bearer ${this.tokens.get(call.account) ?? ''}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'a2a-version': '1.0',
            ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
          },
        },
        (response) => {
          readJson(response).then(
            (json) => resolve({ status: response.statusCode ?? 0, body: json }),
            reject,
          );
        },
      );
      const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), ANSWER_MS);
      sent.on('close', () => clearTimeout(timer));
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** The task that a result is, if it is one. */
export function taskIn({ id, status, artifacts }: RpcResult): WireTask | undefined {
  if (id === undefined || !status) return undefined;
  return { id, status, ...(artifacts && { artifacts }) };
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  if (!response.complete) throw new Error('the answer broke off');
  return JSON.parse(text);
}

async function tokenFor(account: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return await new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(account)
    .setIssuedAt(now)
    .setExpirationTime(now + TOKEN_SECONDS)
    .sign(new TextEncoder().encode(JWT_SECRET));
}
