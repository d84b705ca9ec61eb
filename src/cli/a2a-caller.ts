import { CliError, ExitCode } from './cli-error.js';

/** What the command needs of a task; the wire has more. */
export interface WireTask {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts?: { text?: string }[] } };
  artifacts?: { parts?: { text?: string }[] }[];
}

/** The answer did not arrive; the request may or may not have. */
export class ConnectionError extends CliError {
  override name = 'ConnectionError';
}

const HTTP_EXIT: Record<number, ExitCode> = {
  401: ExitCode.notAuthorized,
  403: ExitCode.notAuthorized,
  404: ExitCode.noSuchAddress,
  429: ExitCode.limited,
  503: ExitCode.unavailable,
  504: ExitCode.unavailable,
};

const HTTP_WORDS: Record<number, string> = {
  401: 'the access token was not accepted (401)',
  404: 'no such assistant, or not for this token (404)',
  429: 'too many messages (429)',
  503: 'the assistant cannot be reached (503)',
};

const ANSWER_MS = 60_000;

/** Calls one assistant's A2A 1.0 endpoint. */
export class A2ACaller {
  private nextId = 1;

  constructor(
    private readonly endpoint: string,
    private readonly token: string,
  ) {}

  /** Sends a text and comes back at once. The same `messageId` again yields the same task (requirement S5). */
  async send(text: string, options: { messageId: string; contextId?: string }): Promise<WireTask> {
    const { messageId, contextId } = options;
    const message = { messageId, role: 'ROLE_USER', parts: [{ text }], ...(contextId ? { contextId } : {}) };
    const configuration = { returnImmediately: true, historyLength: 0 };
    const result = await this.call('SendMessage', { message, configuration });
    return readTask((result as { task?: unknown } | undefined)?.task);
  }

  async get(taskId: string): Promise<WireTask> {
    return readTask(await this.call('GetTask', { id: taskId, historyLength: 0 }));
  }

  /**
   * @throws ConnectionError when no answer arrived
   * @throws CliError for an HTTP failure or a JSON-RPC error
   */
  private async call(method: string, params: object): Promise<unknown> {
    const { status, text, retryAfter } = await this.post({
      jsonrpc: '2.0',
      id: this.nextId++,
      method,
      params,
    });
    const body = parseJson(text);
    if (status !== 200) throw httpFailure(status, body, retryAfter);
    if (!body) throw new CliError('the answer is not JSON; is this an A2A endpoint?', ExitCode.refused);
    if (body.error !== undefined) throw rpcFailure(body.error);
    return body.result;
  }

  private async post(request: object): Promise<{ status: number; text: string; retryAfter: string | null }> {
    try {
      const response = await fetch(this.endpoint, {
        method: 'POST',
        // A redirect could carry the token to another host.
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${this.token}`,
          'content-type': 'application/json',
          'a2a-version': '1.0',
        },
        body: JSON.stringify(request),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      return {
        status: response.status,
        text: await response.text(),
        retryAfter: response.headers.get('retry-after'),
      };
    } catch (error) {
      const host = new URL(this.endpoint).host;
      throw new ConnectionError(`no answer from ${host} (${networkReason(error)})`, ExitCode.unavailable);
    }
  }
}

/** The reply of a finished task: the text of its artifacts. */
export function replyOf(task: WireTask): string {
  const parts = (task.artifacts ?? []).flatMap((artifact) => artifact.parts ?? []);
  return parts.map((part) => part.text ?? '').join('');
}

/** What the state says of itself, if anything. */
export function explanationOf(task: WireTask): string {
  return (task.status.message?.parts ?? []).map((part) => part.text ?? '').join('');
}

function readTask(value: unknown): WireTask {
  const task = value as Partial<WireTask> | undefined;
  if (typeof task?.id !== 'string' || typeof task.status?.state !== 'string') {
    throw new CliError('the answer holds no task; is this an A2A 1.0 endpoint?', ExitCode.refused);
  }
  return task as WireTask;
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function httpFailure(
  status: number,
  body: Record<string, unknown> | undefined,
  retryAfter: string | null,
): CliError {
  const own = HTTP_WORDS[status] ?? `HTTP ${status}`;
  const detail = typeof body?.error === 'string' ? `: ${body.error}` : '';
  const wait = retryAfter ? `; try again in ${retryAfter} s` : '';
  return new CliError(own + detail + wait, HTTP_EXIT[status] ?? ExitCode.refused);
}

function rpcFailure(error: unknown): CliError {
  const { code, message, data } = { ...(error as { code?: unknown; message?: unknown; data?: unknown }) };
  const fields = wrongFields(data)
    .map((field) => `; ${field}`)
    .join('');
  return new CliError(`refused: ${String(message)} (${String(code)})${fields}`, ExitCode.refused);
}

/** `field: description` for each violation that a `google.rpc.BadRequest` among the details names (requirement W3). */
function wrongFields(details: unknown): string[] {
  return listOf(details)
    .flatMap((detail) => listOf((detail as { fieldViolations?: unknown } | null)?.fieldViolations))
    .map((violation) => {
      const { field, description } = { ...(violation as { field?: unknown; description?: unknown }) };
      return [field, description].filter((text) => typeof text === 'string' && text !== '').join(': ');
    })
    .filter((text) => text !== '');
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `fetch` says only that it failed; the reason is in its cause: ECONNREFUSED, a bad certificate and the like. */
function networkReason(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: unknown; message?: string } };
  if (name === 'TimeoutError') return 'no answer in time';
  return typeof cause?.code === 'string' ? cause.code : (cause?.message ?? message);
}
