import { Controller, Get, Header, HttpStatus, Res, VERSION_NEUTRAL } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { Readiness } from './readiness.js';

@Controller({ version: VERSION_NEUTRAL })
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process answers: nothing else is checked, so that no restart follows from a full disk. */
  @Get('healthz')
  @Header('Cache-Control', 'no-store')
  alive(): { status: string } {
    return { status: 'ok' };
  }

  /** 200 when every probe is ready, else 503; the body names each probe and nothing more. */
  @Get('readyz')
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: ServerResponse): Promise<object> {
    const { ready, body } = await this.readiness.report();
    response.statusCode = ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE;
    return body;
  }
}
