import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage once. V8 lets a heap grow to several times what is alive before it looks for old garbage, so that what a
 * start has left (a fifth of the memory, more with a large directory) would stay for as long as the service is quiet (ADR 0021).
 * V8 shows its collector to a context that is made while the flag is set.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  try {
    (runInNewContext('gc') as () => void)();
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
