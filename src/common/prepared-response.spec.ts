import { once } from 'node:events';
import { createServer, ServerResponse, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PreparedResponse, prepareHeader } from './prepared-response.js';

type Answer = (response: ServerResponse) => void;

/** What a client gets, and what the response says of its headers afterwards. */
async function answered(kind: typeof PreparedResponse | typeof ServerResponse, answer: Answer) {
  let afterwards: unknown;
  const listener = (_: IncomingMessage, response: ServerResponse) => {
    prepareHeader(response, 'X-One', 'first');
    prepareHeader(response, 'Cache-Control', 'no-store');
    prepareHeader(response, 'x-one', '1');
    answer(response);
    const headers = response.getHeaders();
    afterwards = [
      headers,
      response.getHeaderNames().sort(),
      response.getHeader('x-ONE'),
      response.hasHeader('no'),
    ];
  };
  const server = createServer({ ServerResponse: kind }, listener).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { status, headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const got = { ...Object.fromEntries(headers), date: 'now' };
    return { status, headers: got, afterwards };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('PreparedResponse', () => {
  it.each<[string, Answer]>([
    [
      'headers in a list',
      (response) => response.writeHead(201, ['ETag', '"a"', 'Content-Length', '0']).end(),
    ],
    ['one of a list that was prepared', (response) => response.writeHead(200, ['X-ONE', '2']).end()],
    ['headers in an object', (response) => response.writeHead(202, { ETag: '"a"', 'X-One': '2' }).end()],
    ['a status alone', (response) => response.writeHead(204).end()],
    ['a status with a text', (response) => response.writeHead(200, 'Fine', { ETag: '"a"' }).end()],
    ['nothing but an end', (response) => response.end()],
    ['a header set over it', (response) => response.setHeader('X-One', '2').end()],
    [
      'a header set later',
      (response) => (
        response.setHeader('Vary', 'Origin'),
        prepareHeader(response, 'X-One', '3'),
        response.end()
      ),
    ],
    ['a value added', (response) => response.appendHeader('X-One', '2').end()],
    ['a header taken away', (response) => (response.removeHeader('X-One'), response.end())],
    [
      'a header looked at',
      (response) => void (response.hasHeader('x-one') && response.writeHead(200, ['A', '1']).end()),
    ],
  ])('sends and tells the same as Node with %s', async (_, answer) => {
    const expected = await answered(ServerResponse, answer);
    expect(await answered(PreparedResponse, answer)).toEqual(expected);
  });
});
