import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { testSettings } from './index.js';

it('makes a folder for each application, and listens once for the end of the process', () => {
  const before = process.listenerCount('exit');
  const folders = Array.from({ length: 12 }, () => dirname(String(testSettings().A2A_STORE_PATH)));
  expect(new Set(folders).size).toBe(12);
  expect(folders.every((folder) => existsSync(folder))).toBe(true);
  expect(process.listenerCount('exit') - before).toBeLessThanOrEqual(1);
});
