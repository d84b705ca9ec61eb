import { Controller, Get, Module, Param, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { AppConfig, loadAppConfig } from '../config/index.js';
import { MetricsModule } from './metrics.module.js';

@Controller()
class Things {
  @Get('things/:id')
  read(@Param('id') id: string): string {
    return id;
  }
}

async function start(enabled: boolean): Promise<INestApplication<App>> {
  const config = loadAppConfig({ ACCOUNT_JWT_SECRET: 's'.repeat(32), METRICS_ENABLED: String(enabled) });
  @Module({ providers: [{ provide: AppConfig, useValue: config }], exports: [AppConfig] })
  class Settings {}
  const module = await Test.createTestingModule({
    imports: [{ module: Settings, global: true }, MetricsModule],
    controllers: [Things],
  }).compile();
  return await module.createNestApplication<INestApplication<App>>({ logger: false }).init();
}

describe('/metrics', () => {
  let app: INestApplication<App>;
  afterEach(() => app.close());

  it('[O2] [H2] measures requests by route template and status, without ids, names or queries', async () => {
    app = await start(true);
    await request(app.getHttpServer()).get('/things/id-secret?k=key-secret').expect(200);
    await request(app.getHttpServer()).get('/nowhere/path-secret').expect(404);
    const { text, headers } = await request(app.getHttpServer()).get('/metrics').expect(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0.0.4/);
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/things/:id",status="200"} 1',
    );
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="none",status="404"} 1');
    expect(text).toMatch(/^process_cpu_seconds_total /m);
    expect(text).not.toMatch(/secret/);
  });

  it('[O2] is not there when METRICS_ENABLED is false', async () => {
    app = await start(false);
    await request(app.getHttpServer()).get('/metrics').expect(404, { error: 'Not found' });
  });

  it('[O2] serves two applications in one process', async () => {
    const other = await start(true);
    app = await start(true);
    await request(other.getHttpServer()).get('/things/1').expect(200);
    const { text } = await request(app.getHttpServer()).get('/metrics').expect(200);
    expect(text).not.toContain('route="/things/:id"');
    await other.close();
  });
});
