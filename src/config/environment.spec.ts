import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readEnvironment } from './environment.js';
import { SETTINGS } from './settings.js';

describe('readEnvironment', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hello-env-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('[O1] takes from the .env file what the environment lacks', () => {
    const path = join(folder, '.env');
    writeFileSync(path, 'HELLO_TEST_ONLY=from-file\nPATH=from-file\n');
    expect(readEnvironment(path)).toMatchObject({ HELLO_TEST_ONLY: 'from-file', PATH: process.env.PATH });
  });

  it('[O1] needs no .env file', () => {
    expect(readEnvironment(join(folder, '.env'))).toEqual({ ...process.env });
  });

  it('[O1] fails on a .env file that cannot be read, instead of starting without it', () => {
    expect(() => readEnvironment(folder)).toThrow(/EISDIR/);
  });
});

describe('.env.example', () => {
  const example = readFileSync(join(__dirname, '../../.env.example'), 'utf8');
  const defaults = Object.entries(SETTINGS).flatMap(([name, { fallback }]) =>
    fallback === undefined ? [] : [[name, fallback]],
  );
  const withoutDefault = Object.entries(SETTINGS).flatMap(([name, { fallback }]) =>
    fallback === undefined ? [name] : [],
  );

  it('[O1] lists every setting that has a default, with it, and no other', () => {
    expect(parseEnv(example)).toEqual(Object.fromEntries(defaults));
  });

  it('[O1] lists every setting without a default, commented out, and no other', () => {
    const commented = [...example.matchAll(/^# ([A-Z][A-Z0-9_]+)=$/gm)].map(([, name]) => name);
    expect(commented.sort()).toEqual(withoutDefault.sort());
  });
});
