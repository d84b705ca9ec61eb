import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication, ModuleMetadata, NestApplicationOptions } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { signAccountToken } from '../../src/accounts/index.js';
import { SECRET } from './test-api.js';

/** A folder for the files of one application, and settings that put them there. */
export class TeamFiles {
  readonly folder = mkdtempSync(join(tmpdir(), 'hello-team-'));

  get settings() {
    return {
      A2A_STORE_PATH: join(this.folder, 'a2a.sqlite'),
      ACCOUNT_JWT_SECRET: SECRET,
      PUBLIC_BASE_URL: 'https://team.example',
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** An application of a team, on a port of its own. */
export async function startTeamApp(
  imports: ModuleMetadata['imports'],
  {
    options = { rawBody: true },
    prepare = () => undefined,
    ...more
  }: Pick<ModuleMetadata, 'controllers' | 'providers'> & {
    options?: NestApplicationOptions;
    prepare?: (app: INestApplication) => void;
  } = {},
) {
  const module = await Test.createTestingModule({ imports: imports ?? [], ...more }).compile();
  const app = module.createNestApplication({ logger: false, ...options });
  prepare(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return { app, url, call: (request: TeamCall) => call(url, request) };
}

export interface TeamCall {
  path: string;
  method: string;
  params?: object;
  account?: string;
  token?: string;
  body?: string;
  /** Of the protocol; 1.0 if absent. */
  version?: string;
}

/** One JSON-RPC call with everything that a good client sends. */
async function call(url: string, { path, method, params = {}, account = 'caller', ...given }: TeamCall) {
  const token =
    given.token ?? (await signAccountToken({ secret: SECRET, accountId: account, ttlSeconds: 60 }));
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'a2a-version': given.version ?? '1.0',
    },
    body: given.body ?? JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}
