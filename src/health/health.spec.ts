import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { HealthModule } from './health.module.js';
import { ReadinessProbe } from './readiness-probe.js';
import { Readiness } from './readiness.js';

class DatabaseProbe extends ReadinessProbe {
  readonly name: string = 'database';
  answer: () => boolean | Promise<boolean> = () => true;
  isReady(): boolean | Promise<boolean> {
    return this.answer();
  }
}

class RelayProbe extends DatabaseProbe {
  override readonly name: string = 'relay';
}

describe('health', () => {
  let app: INestApplication<App>;
  beforeEach(async () => {
    const module = await Test.createTestingModule({
      imports: [HealthModule.register({ probes: [DatabaseProbe, RelayProbe] })],
    }).compile();
    app = await module.createNestApplication<INestApplication<App>>({ logger: false }).init();
  });
  afterEach(() => app.close());

  const get = (path: string) => request(app.getHttpServer()).get(path);

  it('[O2] is ready when every probe is, and says so uncached', async () => {
    const { body, headers } = await get('/readyz').expect(200);
    expect(body).toMatchObject({
      status: 'ok',
      details: { accepting: { status: 'up' }, database: { status: 'up' }, relay: { status: 'up' } },
    });
    expect(headers['cache-control']).toMatch(/no-store/);
  });

  it.each<[string, () => boolean | Promise<boolean>]>([
    ['says no', () => false],
    [
      'throws',
      () => {
        throw new Error('SELECT secret');
      },
    ],
    ['rejects', () => Promise.reject(new Error('SELECT secret'))],
    ['does not answer', () => new Promise(() => undefined)],
  ])('[O2] is not ready when a probe %s, and gives no reason', async (_name, answer) => {
    app.get(RelayProbe, { strict: false }).answer = answer;
    const { body } = await get('/readyz').expect(503);
    expect(body).toMatchObject({ status: 'error', error: { relay: { status: 'down' } } });
    expect(JSON.stringify(body)).not.toMatch(/secret/);
    await get('/healthz').expect(200, { status: 'ok' });
  });

  it('[R8] is not ready from the beginning of a shutdown, but alive', async () => {
    app.get(Readiness, { strict: false }).turnOff();
    const { body } = await get('/readyz').expect(503);
    expect(body).toMatchObject({ error: { accepting: { status: 'down' } } });
    await get('/healthz').expect(200);
  });
});
