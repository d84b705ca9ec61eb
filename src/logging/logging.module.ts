import { type DynamicModule, Module, type NestModule, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { IdGenerator } from '../common/index.js';
import { AppConfig, configWarnings, readEnvironment } from '../config/index.js';
import type { DestinationStream } from 'pino';
import { createLogger } from './create-logger.js';
import { standardOutput } from './log-output.js';
import { requestLines, type RequestLogger } from './request-line.js';
import { requestLog } from './request-log.middleware.js';

/** A class of its own as token, since pino's logger is an interface. */
export abstract class RootLogger {
  abstract readonly pino: ReturnType<typeof createLogger>;
  abstract readonly requests: RequestLogger;
}

/**
 * Structured logs and request ids. Needs `AppConfig` and `IdGenerator` from global modules. Nest's own logger is
 * given by the start, before there are modules.
 */
@Module({})
export class LoggingModule implements NestModule, OnModuleInit {
  /** @param destination where lines go instead of standard output */
  static register(destination: DestinationStream = standardOutput()): DynamicModule {
    return {
      module: LoggingModule,
      providers: [
        {
          provide: RootLogger,
          inject: [AppConfig],
          useFactory: ({ logging }: AppConfig): RootLogger => {
            const pino = createLogger(logging.level, destination);
            return { pino, requests: requestLines(pino, destination) };
          },
        },
      ],
      exports: [RootLogger],
    };
  }

  constructor(
    private readonly config: AppConfig,
    private readonly root: RootLogger,
    private readonly ids: IdGenerator,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Settings that are valid and yet look like a mistake (requirement O1). */
  onModuleInit(): void {
    for (const warning of configWarnings(readEnvironment(), this.config)) {
      this.root.pino.warn({ context: 'Settings' }, warning);
    }
  }

  /** In front of every route, so that an address that the router cannot even decode has its id and its line too. */
  configure(): void {
    const log = requestLog(this.root.requests, () => this.ids.next());
    this.host.httpAdapter.use(log);
  }
}
