import {
  ServerResponse,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from 'node:http';

/**
 * A response that holds headers back until they are sent, and sends them in one list: Node checks, files and copies each
 * one that is set by itself. Whoever uses Node's own methods meanwhile finds the headers there, as always.
 */
export class PreparedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** Names and values in turn; nothing once they are Node's. */
  #held: string[] | undefined = [];
  /** What was sent past Node's own store. */
  #sent: string[] | undefined;

  /** Sets a header, or sets it anew. */
  prepareHeader(name: string, value: string): void {
    const held = this.#held;
    if (!held) {
      this.setHeader(name, value);
      return;
    }
    const place = placeOf(held, name);
    if (place < 0) held.push(name, value);
    else held[place + 1] = value;
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Node's overloads
  override writeHead(status: number, ...rest: any[]): this {
    const held = this.#held;
    const headers: unknown = rest[0];
    if (held && rest.length === 1 && Array.isArray(headers) && areOthers(headers as unknown[], held)) {
      this.#held = undefined;
      this.#sent = held.concat(headers as string[]);
      return super.writeHead(status, this.#sent);
    }
    this.#handOver();
    return super.writeHead(status, ...(rest as []));
  }

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.#handOver();
    return super.setHeader(name, value);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    this.#handOver();
    return super.appendHeader(name, value);
  }

  override removeHeader(name: string): void {
    this.#handOver();
    super.removeHeader(name);
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    this.#handOver();
    return this.#sent ? headersOf(this.#sent)[name.toLowerCase()] : super.getHeader(name);
  }

  override hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined;
  }

  override getHeaders(): OutgoingHttpHeaders {
    this.#handOver();
    return this.#sent ? headersOf(this.#sent) : super.getHeaders();
  }

  override getHeaderNames(): string[] {
    return Object.keys(this.getHeaders());
  }

  #handOver(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (let place = 0; place < held.length; place += 2)
      super.setHeader(held[place] as string, held[place + 1] as string);
  }
}

/** Sets a header of a response of any kind. */
export function prepareHeader(response: ServerResponse, name: string, value: string): void {
  if (response instanceof PreparedResponse) response.prepareHeader(name, value);
  else response.setHeader(name, value);
}

/** Where a name stands in a list of names and values, however it is written. */
function placeOf(list: readonly string[], name: string): number {
  for (let place = 0; place < list.length; place += 2) {
    const other = list[place] as string;
    if (other === name) return place;
    if (other.length === name.length && other.toLowerCase() === name.toLowerCase()) return place;
  }
  return -1;
}

/** Whether these are names and values in turn, and none of the names is held. */
function areOthers(headers: readonly unknown[], held: readonly string[]): boolean {
  for (let place = 0; place < headers.length; place += 2) {
    const name = headers[place];
    if (typeof name !== 'string' || placeOf(held, name) >= 0) return false;
  }
  return true;
}

function headersOf(list: readonly string[]): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (let place = 0; place < list.length; place += 2)
    headers[(list[place] as string).toLowerCase()] = list[place + 1];
  return headers;
}
