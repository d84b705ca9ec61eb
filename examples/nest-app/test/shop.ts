import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getRepositoryToken } from '@nestjs/typeorm';
import request from 'supertest';
import type { ObjectLiteral, Repository } from 'typeorm';
import { Sessions } from '../src/sessions/sessions.js';
import { ShopModule } from '../src/shop.module.js';
import { PREFIX, shopSettings } from '../src/shop.settings.js';

/** What the outside knows the shop by; a proxy takes it to wherever the shop listens. */
export const SHOP_URL = 'https://shop.example';
export const BASE_URL = `${SHOP_URL}/api/assistants`;

/** The whole shop on a free port, with its files in a folder of its own. */
export class TestShop {
  private constructor(
    private readonly folder: string,
    private app: INestApplication,
  ) {}

  static async start(): Promise<TestShop> {
    const folder = mkdtempSync(join(tmpdir(), 'shop-test-'));
    return new TestShop(folder, await startedApp(folder));
  }

  /** A stop and a start on the same files. */
  async restart(): Promise<void> {
    await this.app.close();
    this.app = await startedApp(this.folder);
  }

  async stop(): Promise<void> {
    await this.app.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get server(): Server {
    return this.app.getHttpServer() as Server;
  }

  /** `http://127.0.0.1:…`, where the shop listens. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  tokenOf(accountId: string): string {
    return this.get(Sessions).open(accountId);
  }

  get<T>(token: abstract new (...args: never[]) => T): T {
    return this.app.get(token, { strict: false });
  }

  repository<T extends ObjectLiteral>(entity: Type<T>): Repository<T> {
    return this.app.get(getRepositoryToken(entity), { strict: false });
  }

  /** A folder for a daemon of the test. */
  folderOf(name: string): string {
    return join(this.folder, name);
  }

  /** One JSON-RPC call of an account. */
  call(path: string, method: string, params: object, account = 'ann') {
    const call = request(this.server)
      .post(`/api/assistants${path}`)
      .set('Authorization', `Bearer ${this.tokenOf(account)}`);
    // Without the header a call means 0.3.
    if (path.includes('@')) void call.set('A2A-Version', '1.0');
    return call.send({ jsonrpc: '2.0', id: 1, method, params }).expect(200);
  }
}

async function startedApp(folder: string): Promise<INestApplication> {
  const settings = shopSettings({ SHOP_DATA: folder, SHOP_URL, SESSION_KEY: 'of tests' });
  const module = await Test.createTestingModule({ imports: [ShopModule.register(settings)] }).compile();
  const app = module.createNestApplication({ rawBody: true, logger: ['error'] });
  app.setGlobalPrefix(PREFIX);
  await app.listen(0, '127.0.0.1');
  return app;
}
