import { Module } from '@nestjs/common';
import { DocsController } from './docs.controller.js';

/** The description of the API at `/docs`. Needs `AppConfig` from a global module. */
@Module({ controllers: [DocsController] })
export class DocsModule {}
