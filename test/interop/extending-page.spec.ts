import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { stagesOf, type PageFiles } from '../package/page-stages.js';
import { run } from '../package/processes.js';
import { writeFiles } from '../package/try-page.js';

const root = join(__dirname, '..', '..');

/** As the page's `tsc` does, but for the check of types, which `npm run pack:check` has. */
function built(files: PageFiles): PageFiles {
  const sources = [...files].filter(([path]) => path.endsWith('.ts'));
  return new Map(
    sources.map(([path, text]) => {
      const { code } = transformSync(text, {
        configFile: false,
        swcrc: false,
        module: { type: 'es6' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      });
      return [join('dist', path.replace(/\.ts$/, '.js')), code];
    }),
  );
}

describe('the project of docs/extending.md', () => {
  let folder: string;
  beforeAll(() => {
    // Below the repository, where Node finds all packages but ours, which is linked.
    mkdirSync(join(root, '.cache'), { recursive: true });
    folder = mkdtempSync(join(root, '.cache', 'page-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'hello-api'), 'junction');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('passes the tests that the page prints, with everything that the page adds', () => {
    const files = stagesOf(readFileSync(join(root, 'docs', 'extending.md'), 'utf8')).at(-1);
    expect(files).toBeDefined();
    const compiled = built(files ?? new Map());
    writeFiles(new Map([...(files ?? []), ...compiled]), folder);
    const tests = [...compiled.keys()].filter((path) => path.endsWith('.test.js'));
    const output = run(process.execPath, ['--test', '--test-reporter=tap', ...tests], { cwd: folder });
    expect(output).toMatch(/^# pass [1-9]\d*$/m);
    expect(output).toMatch(/^# fail 0$/m);
  }, 240_000);
});
