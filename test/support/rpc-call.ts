import { randomUUID } from 'node:crypto';

export interface RpcAnswer {
  status: number;
  headers: Headers;
  body: any;
}

/** One JSON-RPC call as any HTTP client makes it. */
export async function rpcCall(
  target: { url: string; token: string; version?: string },
  method: string,
  params: object,
): Promise<RpcAnswer> {
  const response = await fetch(target.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${target.token}`,
      'content-type': 'application/json',
      'a2a-version': target.version ?? '1.0',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Parameters of a SendMessage with one text part. */
export function textMessage(
  text: string,
  options: { messageId?: string; returnImmediately?: boolean } = {},
): object {
  const { messageId = randomUUID(), returnImmediately = true } = options;
  return {
    message: { messageId, role: 'ROLE_USER', parts: [{ text }] },
    configuration: { returnImmediately },
  };
}

/**
 * Asks for a task until `done` says so.
 * @throws with the last answer when that takes too long
 */
export async function taskUntil(
  target: { url: string; token: string },
  id: string,
  done: (task: any) => boolean,
  withinMs = 60_000,
): Promise<any> {
  const until = Date.now() + withinMs;
  for (;;) {
    const { body } = await rpcCall(target, 'GetTask', { id });
    if (body.result && done(body.result)) return body.result;
    if (Date.now() > until) throw new Error(`the task did not get there: ${JSON.stringify(body)}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}

export const isCompleted = (task: any): boolean => task.status.state === 'TASK_STATE_COMPLETED';
