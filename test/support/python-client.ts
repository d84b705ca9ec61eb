import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
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
  const cache = join(ROOT, '.cache');
  const folder = join(cache, `python-${wanted}`);
  const python = join(folder, 'bin', 'python');
  if (works(python)) return { python };
  // Made aside and put in place whole: another worker of the tests may be at the same, and one of them is enough.
  mkdirSync(cache, { recursive: true });
  const own = mkdtempSync(`${folder}-`);
  const problem =
    failure('python3', ['-m', 'venv', own]) ??
    failure(join(own, 'bin', 'python'), [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements],
    ]);
  if (problem === undefined) putInPlace(own, folder, python);
  rmSync(own, { recursive: true, force: true });
  return problem === undefined ? { python } : { missing: problem };
}

/** What lies there already stays when it works. */
function putInPlace(own: string, folder: string, python: string): void {
  try {
    renameSync(own, folder);
  } catch (error) {
    if (works(python)) return;
    if (!existsSync(folder)) throw error;
    rmSync(folder, { recursive: true, force: true });
    renameSync(own, folder);
  }
}

/** Runs a script. @throws with what it wrote to stderr when it fails */
export async function runPython(
  python: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(python, args, { env: { PATH: process.env.PATH, ...env }, timeout: 110_000 });
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
