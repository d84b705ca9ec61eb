import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { writeFiles } from './try-page.js';

const ENTRY_POINTS = ['hello-api', 'hello-api/relay-protocol', 'hello-api/daemon', 'hello-api/testing'];

/** Files that are really in the package, by the ways in which somebody may try to get at them. */
const DEEP_IMPORTS = [
  'hello-api/dist/src/index.js',
  'hello-api/dist/src/tasks/index.js',
  'hello-api/dist/src/tasks',
  'hello-api/src/index.js',
  'hello-api/index.js',
];

/**
 * Compiles, in a project that has the package installed, a file that uses all entry points, with the declarations of every package
 * checked, and one that reaches into the package: of all that, nothing but the latter may be refused, by the compiler and by Node.
 */
export function checkTypes(folder: string): void {
  const files = new Map([
    ['checks/user.ts', exportsOf(ENTRY_POINTS)],
    ['checks/intruder.ts', exportsOf(DEEP_IMPORTS)],
  ]);
  writeFiles(files, folder);
  assert.deepEqual(
    compiling(folder, [...files.keys()]),
    DEEP_IMPORTS.map((name) => `checks/intruder.ts TS2307 ${name}`),
  );
  assert.deepEqual(
    importing(folder, DEEP_IMPORTS),
    DEEP_IMPORTS.map(() => 'ERR_PACKAGE_PATH_NOT_EXPORTED'),
  );
}

function exportsOf(names: string[]): string {
  return names.map((name, index) => `export * as e${index} from '${name}';\n`).join('');
}

/** @returns for each error its file, its code, and the first name in its text */
function compiling(folder: string, files: string[]): string[] {
  const program = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags =
    '--ignoreConfig --noEmit --strict --module nodenext --target ES2023 --lib ES2023 --types node --skipLibCheck false';
  const args = [program, ...flags.split(' '), ...files];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const errors = stdout.split('\n').filter((line) => /error TS\d+:/.test(line));
  return errors.map((line) => line.replace(/^([^(]+)\(.*?error (TS\d+): [^']*'([^']*)'.*$/, '$1 $2 $3'));
}

/** @returns the code of the error with which Node refuses each */
function importing(folder: string, names: string[]): string[] {
  const tries = `for (const name of ${JSON.stringify(names)})
    await import(name).then(() => console.log(name + ' is open'), ({ code }) => console.log(code));`;
  const args = ['--input-type=module', '--eval', tries];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout.trim().split('\n');
}
