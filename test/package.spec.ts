import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { contentProblems } from './package/contents.js';
import { foreignImports } from './package/foreign-imports.js';
import { codeWithoutFile, stagesOf } from './package/page-stages.js';

describe('the check of what an application imports', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'hello-imports-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const importing = (text: string, file = 'src/deep/er/file.ts') => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    return foreignImports(folder);
  };

  it.each([
    ["import { serve } from 'hello-api';"],
    ["import { startDaemon } from 'hello-api/daemon';"],
    ["import 'hello-api/testing'; export * from 'hello-api/relay-protocol';"],
    ["import { x } from '../../other.js'; import { y } from '../../../test/y.js';"],
    ["import { Module } from '@nestjs/common'; import fs from 'node:fs';"],
    ["const text = \"import { x } from 'hello-api/dist/x.js'\"; // import 'hello-api/src/x.js'"],
  ])('lets pass: %s', (text) => {
    expect(importing(text)).toEqual([]);
  });

  it.each([
    ["import { x } from 'hello-api/dist/src/index.js';", 'hello-api/dist/src/index.js'],
    ['import { x } from "hello-api/src/index.js";', 'hello-api/src/index.js'],
    ["import {\n  x,\n} from\n  'hello-api/dist/x.js';", 'hello-api/dist/x.js'],
    ["import type { X } from 'hello-api/dist/x.js';", 'hello-api/dist/x.js'],
    ["export * from 'hello-api/dist/x.js';", 'hello-api/dist/x.js'],
    ["import 'hello-api/dist/x.js';", 'hello-api/dist/x.js'],
    ["const x = await import('hello-api/dist/x.js');", 'hello-api/dist/x.js'],
    ['const x = await import(`hello-api/dist/x.js`);', 'hello-api/dist/x.js'],
    ["const x = require('hello-api/dist/x.js');", 'hello-api/dist/x.js'],
    ["import x = require('hello-api/dist/x.js');", 'hello-api/dist/x.js'],
    ["type X = import('hello-api/dist/x.js').X;", 'hello-api/dist/x.js'],
    ["import { x } from 'hello-api/testing/rule.js';", 'hello-api/testing/rule.js'],
    ["import { x } from '../../../../../src/index.js';", '../../../../../src/index.js'],
    ["import { x } from '/srv/hello-api/src/index.js';", '/srv/hello-api/src/index.js'],
    [
      "import { x } from '../../../node_modules/hello-api/dist/x.js';",
      '../../../node_modules/hello-api/dist/x.js',
    ],
  ])('refuses: %s', (text, name) => {
    expect(importing(text)).toEqual([`src/deep/er/file.ts imports ${name}`]);
  });

  it.each(['a.ts', 'src/a.mts', 'test/deep/a.js', 'tools/a.cjs'])('looks into %s', (file) => {
    expect(importing("import 'hello-api/dist/x.js';", file)).toHaveLength(1);
  });

  it('leaves alone what was installed or built', () => {
    expect(importing("import 'hello-api/dist/x.js';", 'node_modules/p/a.js')).toEqual([]);
    expect(importing("import 'hello-api/dist/x.js';", 'dist/a.js')).toEqual([]);
  });

  it('finds nothing in the example', () => {
    expect(foreignImports(join(__dirname, '..', 'examples', 'nest-app'))).toEqual([]);
  });
});

describe('the check of what the package holds', () => {
  const exports = { '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' } };
  const good = ['package.json', 'README.md', 'bin/hello.mjs', 'dist/src/index.js', 'dist/src/index.d.ts'];

  it('lets the package pass', () => {
    expect(contentProblems(good, exports)).toEqual([]);
  });

  it.each([
    'dist/src/a.spec.js',
    'dist/test/support/test-api.js',
    'test/a.js',
    'src/index.ts',
    'dist/src/index.js.map',
    'data/a2a.sqlite',
    'a2a.sqlite-wal',
    'bench/run.js',
    '.env',
    'dist/.env.local',
    'server.pem',
    'examples/nest-app/src/main.ts',
    'dist/src/data/x.js',
    'hello-api-0.1.0.tgz',
  ])('refuses %s', (path) => {
    expect(contentProblems([...good, path], exports)).toEqual([`${path} should not be in the package`]);
  });

  it('misses what is exported and not there', () => {
    expect(contentProblems(['dist/src/index.js'], exports)).toEqual([
      'dist/src/index.d.ts is exported, and missing',
    ]);
  });
});

describe('the files that a page prints', () => {
  const fence = '```';
  const printed = (path: string, text: string) => `${fence}ts title="${path}"\n${text}\n${fence}\n`;

  it('are all files with a name; a file that is printed again begins a new stage', () => {
    const page = [
      printed('a.ts', 'one'),
      'text',
      printed('b.ts', 'two'),
      printed('a.ts', 'three'),
      printed('b.ts', 'four'),
      printed('c.ts', 'five'),
    ];
    expect(stagesOf(page.join('\n')).map((files) => Object.fromEntries(files))).toEqual([
      { 'a.ts': 'one\n', 'b.ts': 'two\n' },
      { 'a.ts': 'three\n', 'b.ts': 'four\n', 'c.ts': 'five\n' },
    ]);
  });

  it('are all code of docs/extending.md: none of it is untried', () => {
    const page = readFileSync(join(__dirname, '..', 'docs', 'extending.md'), 'utf8');
    expect(codeWithoutFile(page)).toEqual([]);
    expect(codeWithoutFile(`${fence}ts\nnot tried\n${fence}\n`)).toEqual(['not tried\n']);
  });
});
