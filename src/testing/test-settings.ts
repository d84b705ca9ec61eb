import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signAccountToken } from '../accounts/index.js';
import type { ModuleSettings } from '../config/index.js';

const SECRET = 'the-secret-of-tests-which-is-no-secret';
const HOUR_SECONDS = 3600;

/** Removed by one listener: Node warns of a leak when there is one for each. */
const folders: string[] = [];

/**
 * Settings for one application under test: a store in a folder of its own, which is gone at the end of the process, and
 * tokens as `signTestToken` makes them.
 * @param changes settings that stand instead, or besides
 */
export function testSettings(changes: ModuleSettings = {}): ModuleSettings {
  const folder = mkdtempSync(join(tmpdir(), 'hello-api-test-'));
  if (folders.length === 0) process.once('exit', removeFolders);
  folders.push(folder);
  return {
    A2A_STORE_PATH: join(folder, 'a2a.sqlite'),
    ACCOUNT_JWT_SECRET: SECRET,
    PUBLIC_BASE_URL: 'http://localhost',
    ...changes,
  };
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** @returns an access token of the account, valid for an hour in an application with `testSettings` */
export function signTestToken(accountId: string): Promise<string> {
  return signAccountToken({ secret: SECRET, accountId, ttlSeconds: HOUR_SECONDS });
}
