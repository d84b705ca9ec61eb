import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Environment } from './load-app-config.js';

/** The process's environment; what it lacks comes from a file `.env` in the working directory, if there is one. */
export function readEnvironment(path = '.env'): Environment {
  return { ...readEnvFile(path), ...process.env };
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
