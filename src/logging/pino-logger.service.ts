import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

/** Under this name Nest logs what it throws as well; whoever called says it, in the one line of a failed start. */
const ALSO_THROWN = 'ExceptionHandler';

/** Nest's logger interface on pino: one JSON line for each message, with its context. */
export class PinoLoggerService implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest passes the stack, where there is one, before the context. */
  error(message: unknown, ...rest: unknown[]): void {
    const [stack] = rest;
    if (rest.at(-1) === ALSO_THROWN) this.write('debug', message, rest);
    else if (typeof stack === 'string' && stack.includes('\n'))
      this.write('error', message, rest.slice(1), { stack });
    else this.write('error', message, rest);
  }

  private write(level: Level, message: unknown, rest: unknown[], fields: object = {}): void {
    if (!this.logger.isLevelEnabled(level)) return;
    const context = rest.findLast((value) => typeof value === 'string');
    const line = { ...(context === undefined ? {} : { context }), ...fields };
    if (message instanceof Error) this.logger[level]({ ...line, err: message }, message.message);
    else if (typeof message === 'object' && message !== null) this.logger[level]({ ...line, ...message });
    else this.logger[level](line, String(message));
  }
}
