const MAX_LINE_UNITS = 1024 * 1024;

/** The stream is not what a chat endpoint sends. */
export class BadStreamError extends Error {
  override name = 'BadStreamError';
}

/**
 * Reads the `data` of server-sent events from a body of bytes. Characters and line ends may be torn over chunks;
 * comments, other fields and the event's name are skipped. Yields the last event also when its blank line is missing.
 * @throws BadStreamError for a line beyond all measure
 */
export async function* sseData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of lines(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line[5] === ' ' ? 6 : 5));
    }
  }
  if (data.length > 0) yield data.join('\n');
}

async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > MAX_LINE_UNITS) throw new BadStreamError('a line is too long');
    for (const part of parts) yield part.endsWith('\r') ? part.slice(0, -1) : part;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
