import { Logger } from '@nestjs/common';
import type { RequestLogger } from './request-line.js';

/** Writes the lines of requests to the logger of the Nest application, whichever it has chosen. */
export function applicationLog(): RequestLogger {
  const logger = new Logger('Http');
  return {
    info: (line, msg) => logger.log({ msg, ...line }),
    debug: (line, msg) => logger.debug({ msg, ...line }),
  };
}
