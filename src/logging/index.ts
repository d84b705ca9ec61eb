export { applicationLog } from './application-log.js';
export { createLogger } from './create-logger.js';
export { LoggingModule, RootLogger } from './logging.module.js';
export { oncePerRequest } from './once-per-request.js';
export { PinoLoggerService } from './pino-logger.service.js';
export { requestLog } from './request-log.middleware.js';
