import { z } from 'zod';
import { errorCode } from '../error-code.js';
import { ReplyText } from './reply-text.js';
import { RuntimeFailure } from './runtime.js';
import { BadStreamError, sseData } from './sse-events.js';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ChatSettings {
  /** Without a trailing slash, up to and including the version: `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  model: string;
  apiKey: string | undefined;
  /** How long the endpoint may be silent, before and between the pieces of its answer. */
  idleMs: number;
}

export interface ChatReply {
  reply: string;
  replyTruncated: boolean;
}

const MAX_ERROR_BYTES = 16 * 1024;
const MAX_ERROR_TEXT = 300;

const choice = z.object({
  delta: z.object({ content: z.string().nullish() }).nullish(),
  message: z.object({ content: z.string().nullish() }).nullish(),
  finish_reason: z.string().nullish(),
});
const answer = z.object({ choices: z.array(choice).optional(), error: z.unknown().optional() });
const errorBody = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform((body) => body.error.message),
  z.object({ error: z.string() }).transform((body) => body.error),
]);

/** Speaks to one OpenAI-compatible `/chat/completions` endpoint. The key never shows in an error. */
export class ChatClient {
  constructor(private readonly settings: ChatSettings) {}

  /**
   * Asks for one answer, streamed.
   * @throws RuntimeFailure with an explanation for the caller; the signal's reason after an abort
   */
  async complete(
    messages: ChatMessage[],
    emit: (text: string) => void,
    signal: AbortSignal,
  ): Promise<ChatReply> {
    const idle = new IdleAbort(this.settings.idleMs);
    const ended = new AbortController();
    try {
      const response = await this.post(messages, AbortSignal.any([signal, idle.signal, ended.signal]));
      idle.refresh();
      if (!response.ok) throw new RuntimeFailure(await this.explainStatus(response));
      return await this.read(watched(response, idle), isStream(response), new ReplyText(emit));
    } catch (error) {
      signal.throwIfAborted();
      if (idle.signal.aborted) throw new RuntimeFailure('The model did not answer in time.');
      if (error instanceof RuntimeFailure) throw error;
      throw new RuntimeFailure(explainTransport(error), { cause: error });
    } finally {
      idle.stop();
      // An answer that is not read to its end would keep the connection busy.
      ended.abort();
    }
  }

  private post(messages: ChatMessage[], signal: AbortSignal): Promise<Response> {
    const { baseUrl, model, apiKey } = this.settings;
    return fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, messages, stream: true }),
      // A redirect would carry the conversation to a place nobody configured.
      redirect: 'error',
      signal,
    });
  }

  private async read(body: AsyncIterable<Uint8Array>, stream: boolean, text: ReplyText): Promise<ChatReply> {
    if (!stream) {
      text.push(this.parse(await wholeText(body)).choices?.[0]?.message?.content ?? '');
      return this.finished(text);
    }
    let complete = false;
    for await (const data of sseData(body)) {
      if (data.trim() === '[DONE]') return this.finished(text);
      const first = this.parse(data).choices?.[0];
      text.push(first?.delta?.content ?? '');
      if (text.truncated) return this.finished(text);
      complete ||= typeof first?.finish_reason === 'string';
    }
    if (!complete) throw new RuntimeFailure('The answer of the model broke off.');
    return this.finished(text);
  }

  private finished(text: ReplyText): ChatReply {
    const reply = text.toString();
    if (reply === '') throw new RuntimeFailure('The model gave an empty answer.');
    return { reply, replyTruncated: text.truncated };
  }

  private parse(json: string): z.infer<typeof answer> {
    const body = parseJson(json);
    const reported = errorBody.safeParse(body);
    if (reported.success)
      throw new RuntimeFailure(`The model reported an error: ${this.clean(reported.data)}`);
    const parsed = answer.safeParse(body);
    if (!parsed.success || parsed.data.error) throw new BadStreamError('not a chat answer');
    return parsed.data;
  }

  private async explainStatus(response: Response): Promise<string> {
    const text = await beginningOf(response);
    const reported = errorBody.safeParse(parseJson(text));
    const detail = reported.success ? `: ${this.clean(reported.data)}` : '';
    return `The model answered with HTTP ${response.status}${detail}`;
  }

  private clean(text: string): string {
    const { apiKey } = this.settings;
    const safe = apiKey ? text.replaceAll(apiKey, '[key]') : text;
    return safe.replace(/\s+/g, ' ').slice(0, MAX_ERROR_TEXT);
  }
}

/** Aborts when nothing was heard for some time. */
class IdleAbort {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  readonly signal = this.controller.signal;

  constructor(idleMs: number) {
    this.timer = setTimeout(() => this.controller.abort(), idleMs);
  }

  refresh(): void {
    this.timer.refresh();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

async function* watched(response: Response, idle: IdleAbort): AsyncGenerator<Uint8Array> {
  for await (const chunk of response.body ?? []) {
    idle.refresh();
    yield chunk as Uint8Array;
  }
}

function isStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').includes('text/event-stream');
}

async function wholeText(body: AsyncIterable<Uint8Array>, limit = 4 * 1024 * 1024): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw new BadStreamError('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function beginningOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array);
    size += (chunk as Uint8Array).length;
    if (size >= MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function explainTransport(error: unknown): string {
  if (error instanceof BadStreamError) return 'The model sent something that is not a chat answer.';
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined;
  const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH'].includes(errorCode(cause) ?? '');
  return unreachable ? 'The model could not be reached.' : 'The connection to the model failed.';
}
