import { readFile, readdir } from 'node:fs/promises';

const PROCESSES = '/proc';

/**
 * Ends programs of jobs that a killed daemon left running: those that carry one of the ids in their environment.
 * A recorded process id would not do, since the system gives ids out again. Where there is no `/proc` nothing
 * can be found and nothing is done.
 * @returns how many processes were ended
 */
export async function endLeftoverPrograms(jobIds: readonly string[]): Promise<number> {
  if (jobIds.length === 0) return 0;
  const marks = new Set(jobIds.map((jobId) => `HELLO_JOB_ID=${jobId}`));
  const names = await readdir(PROCESSES).catch(() => []);
  let ended = 0;
  for (const name of names) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    // Processes of other users cannot be read, and others end while this looks at them.
    const environment = await readFile(`${PROCESSES}/${name}/environ`, 'utf8').catch(() => '');
    if (environment.split('\0').some((variable) => marks.has(variable)) && kill(Number(name))) ended += 1;
  }
  return ended;
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
