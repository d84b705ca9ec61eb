import { createLogger } from './create-logger.js';
import { requestLines, type RequestLine } from './request-line.js';

const LINE: RequestLine = {
  requestId: '01a22e69-ee5b-730d-a4f7-1ec917234b1f',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  method: 'POST',
  route: '/a2a/:address/:handle',
  path: '/a2a/@alice/helper',
  status: 200,
  durationMs: 12,
};

/** The same line by pino and by hand, with the same time. */
function bothWays(level: 'info' | 'debug', line: RequestLine, from = 'debug'): [string[], string[]] {
  const written = [[], []] as [string[], string[]];
  const [byPino, byHand] = written.map((lines) => ({
    write: (text: string) => void lines.push(text.replace(/"time":"[\dT:.-]+Z"/, '"time":"…"')),
  })) as [{ write: (text: string) => void }, { write: (text: string) => void }];
  createLogger(from, byPino)[level](line, 'request completed');
  requestLines(createLogger(from, byHand), byHand)[level](line, 'request completed');
  return written;
}

describe('requestLines', () => {
  it.each<[string, Partial<RequestLine>]>([
    ['as it usually is', {}],
    ['without a trace and a path', { traceId: undefined, path: undefined }],
    ['with signs that JSON escapes', { requestId: '"\\/<', path: '/a2a/@a/"\\\u0001\u007fé\ud800' }],
    [
      'with credentials',
      { requestId: 'rt_abcdefgh12345', path: '/a2a/eyJhbGciOi.eyJzdWIi.c2ln/hi_abcdefgh12345' },
    ],
    ['with credentials in escapes', { path: '/a2a/@a/b%3Fk=secret%26k%3Dsecret&k=secret' }],
    ['with a bearer header', { path: '/a2a/BEARER abc.def', requestId: 'Bearer' }],
    ['with what only looks like one', { path: '/a2a/@a/work_item', requestId: 'chi_square' }],
  ])('[O2] [H2] writes a line %s, byte for byte as pino does', (_, more) => {
    const [byPino, byHand] = bothWays('info', { ...LINE, ...more });
    expect(byHand).toEqual(byPino);
    expect(byHand).toHaveLength(1);
  });

  it('[O2] leaves out what is below the level set', () => {
    expect(bothWays('debug', LINE, 'info')).toEqual([[], []]);
    expect(bothWays('debug', LINE, 'debug')[1]).toHaveLength(1);
  });
});
