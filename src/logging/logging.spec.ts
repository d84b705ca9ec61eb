import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { QueryFailedError } from 'typeorm';
import { createLogger } from './create-logger.js';
import { PinoLoggerService } from './pino-logger.service.js';
import { scrub } from './scrub.js';

function capture(level = 'trace') {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger(level, {
    write: (line) => {
      lines.push(JSON.parse(line) as Record<string, unknown>);
    },
  });
  return { lines, logger, service: new PinoLoggerService(logger) };
}

describe('PinoLoggerService', () => {
  it('[O2] writes one JSON line with level, time, context and message', () => {
    const { lines, service } = capture();
    service.log('Directory read', 'Directory');
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        context: 'Directory',
        msg: 'Directory read',
      },
    ]);
  });

  it('[O2] maps the levels of Nest, and leaves out what is below the level set', () => {
    const { lines, service } = capture('warn');
    service.verbose('a');
    service.debug('b');
    service.log('c');
    service.warn('d');
    service.error('e');
    service.fatal('f');
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', 'd'],
      ['error', 'e'],
      ['fatal', 'f'],
    ]);
  });

  it('[O2] keeps the stack and the context of an error apart', () => {
    const { lines, service } = capture();
    service.error('broken', 'Error: broken\n    at here', 'Relay');
    service.error({ msg: 'refused', jobs: 3 }, 'Relay');
    expect(lines).toMatchObject([
      { msg: 'broken', stack: 'Error: broken\n    at here', context: 'Relay' },
      { msg: 'refused', jobs: 3, context: 'Relay' },
    ]);
  });

  it('[O1] says of an error that Nest logs and throws nothing that the caller does not say', () => {
    const { lines, service } = capture('info');
    service.error(new Error('no database'), undefined, 'ExceptionHandler');
    service.error(new Error('a fault'), undefined, 'ExceptionsHandler');
    expect(lines.map(({ msg }) => msg)).toEqual(['a fault']);
  });

  it('[O2] writes nothing of a failed statement that holds message text', () => {
    const { lines, service } = capture();
    service.error(new QueryFailedError('INSERT', ['secret message'], new Error('disk full')));
    expect(lines[0]).toMatchObject({ err: { type: 'QueryFailedError', message: 'disk full' } });
    expect(JSON.stringify(lines)).not.toContain('secret message');
  });

  it('[O2] gives lines under a span of the operator the id of its trace', () => {
    const { lines, service } = capture();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    try {
      const under = trace.setSpanContext(context.active(), {
        traceId,
        spanId: '00f067aa0ba902b7',
        traceFlags: 1,
      });
      context.with(under, () => service.log('inside'));
      service.log('outside');
    } finally {
      context.disable();
    }
    expect(lines.map((line) => line['traceId'])).toEqual([traceId, undefined]);
  });

  it('[H2] hides a credential that got into a message', () => {
    const { lines, service } = capture();
    service.warn('refused rt_abcdefgh12345 from Bearer abc.def and hi_abcdefgh12345');
    expect(lines[0]?.msg).toBe('refused rt_[hidden] from Bearer [hidden] and hi_[hidden]');
  });
});

describe('scrub', () => {
  it.each([
    ['"url":"/a2a/@a/b?k=secret"', '"url":"/a2a/@a/b?k=[hidden]"'],
    ['"url":"/a2a/@a/b?x=1&k=secret&y=2"', '"url":"/a2a/@a/b?x=1&k=[hidden]&y=2"'],
    ['"url":"/a2a/@a/b%3Fk=secret"', '"url":"/a2a/@a/b%3Fk=[hidden]"'],
    ['"a":"bearer  x.y","b":1', '"a":"Bearer [hidden]","b":1'],
    ['"t":"eyJhbGciOi.eyJzdWIi.c2ln"', '"t":"[hidden]"'],
    ['"msg":"work_item part_of chi_square"', '"msg":"work_item part_of chi_square"'],
  ])('[H2] takes credentials out of %s and leaves JSON intact', (line, expected) => {
    expect(scrub(line)).toBe(expected);
  });
});
