/**
 * Where a promise is proven when the cases of `test/e2e` do not prove it for assistants behind the relay and in the
 * process alike. `requirement-executors.spec.ts` compares this with the files: every other promise must be cited in a
 * suite that runs on both.
 */
export interface OneExecutor {
  /** `none`: whatever runs the jobs has no part in it; `own cases`: both, each in cases of its own. */
  executor: 'relay' | 'process' | 'none' | 'own cases';
  why: string;
}

export const ON_ONE_EXECUTOR: Record<string, OneExecutor> = {
  C6: { executor: 'none', why: 'the address of no assistant' },
  S8: {
    executor: 'relay',
    why: 'the process is never offline, and nothing is lost on the way; its full line is that of the daemon',
  },
  R1: { executor: 'relay', why: 'tokens of computers; the process needs none' },
  R2: { executor: 'relay', why: 'the language of a link; the process agrees on nothing with itself' },
  R3: { executor: 'relay', why: 'links that die; there is none in the process' },
  R4: {
    executor: 'relay',
    why: 'frames of a link that are repeated; in the process no link breaks, and K4 holds',
  },
  R5: { executor: 'relay', why: 'a computer that comes back; the process is asked at its start alone' },
  R6: {
    executor: 'own cases',
    why: 'a daemon restarts alone, an assistant of the process with the service (assistants.spec.ts)',
  },
  R7: { executor: 'relay', why: 'computers that lie; what runs in the process is trusted' },
  K1: { executor: 'none', why: 'the database file, before any assistant runs' },
  O1: { executor: 'none', why: 'settings are read before any assistant runs' },
  O3: { executor: 'none', why: 'the files of the container' },
  O4: { executor: 'none', why: 'commands of this repository' },
};
