import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');
const REQUIREMENTS = join(ROOT, 'examples', 'requirements.txt');
const INSTALL_MS = 300_000;

export type PythonClient = { python: string } | { missing: string };

/**
 * A Python with the official SDK in a virtual environment under .cache/, made on first use and kept for as long as
 * the requirements stay the same.
 * @param requirements the file that names the packages
 * @returns the interpreter, or why there is none
 */
export function preparePythonClient(requirements: string = REQUIREMENTS): PythonClient {
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(ROOT, '.cache', `python-${wanted}`);
  const python = join(folder, 'bin', 'python');
  // Written last, so that an installation that broke off is made anew.
  const complete = join(folder, '.complete');
  if (existsSync(complete) && works(python)) return { python };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const problem =
    failure('python3', ['-m', 'venv', folder]) ??
    failure(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  if (problem !== undefined) return { missing: problem };
  writeFileSync(complete, '');
  return { python };
}

/** Runs a script. @throws with what it wrote to stderr when it fails */
export async function runPython(
  python: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(python, args, { env: { PATH: process.env.PATH, ...env }, timeout: 60_000 });
}

function works(python: string): boolean {
  return spawnSync(python, ['-c', 'import a2a, httpx']).status === 0;
}

function failure(command: string, args: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: INSTALL_MS });
  if (error) return `${command}: ${error.message}`;
  if (status === 0) return undefined;
  return `${command} ${args[1]} failed: ${stderr.trim().split('\n').at(-1) ?? ''}`;
}
