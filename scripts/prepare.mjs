// What a fresh clone needs before anything runs: a Node that is new enough, the packages, the built program.
// Node builtins only, since it runs before the packages are there.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Written last by `scripts/build.mjs`; a build that broke off leaves none. */
export const buildStamp = join(root, 'dist', '.complete');

const sources = ['src', 'ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** Ends the program with one line when this Node is too old to run any of it. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node.js ${process.versions.node} is too old; install 20.19 or newer (https://nodejs.org).`);
}

/** Runs `npm ci` unless the installed packages are those of package-lock.json. */
export function ensureInstalled() {
  // npm writes this file when an installation is complete.
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && mtime(installed) >= mtime(join(root, 'package-lock.json'))) return;
  console.log('Installing packages (npm ci) …');
  run('npm', ['ci', '--no-audit', '--no-fund'], 'npm ci failed; its output above says why.');
}

/** Builds `dist` unless it is complete and newer than everything it is made from. */
export function ensureBuilt() {
  const builtAt = existsSync(buildStamp) ? mtime(buildStamp) : 0;
  if (sources.every((name) => newestIn(join(root, name)) <= builtAt)) return;
  console.log('Building (npm run build) …');
  run('npm', ['run', '--silent', 'build'], 'the build failed; its output above says why.');
}

/** Prints one line on stderr and ends the program with code 1. */
export function fail(reason) {
  console.error(`hello-api: ${reason}`);
  process.exit(1);
}

function run(command, args, complaint) {
  // On Windows npm is a script that only a shell can start.
  const shell = process.platform === 'win32';
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell });
  if (error) fail(`cannot run ${command}: ${error.message}`);
  if (status !== 0) fail(complaint);
}

function mtime(path) {
  return statSync(path).mtimeMs;
}

/** A folder's own time counts too: it changes when a file in it is removed. */
function newestIn(path) {
  const own = mtime(path);
  if (!statSync(path).isDirectory()) return own;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestIn(join(path, name))), own);
}
