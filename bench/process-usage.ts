import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const TICK_SECONDS = 1 / ticksPerSecond();
const QUIET_MS = 100;
const LONGEST_DRAIN_MS = 10_000;

/** @throws with one line when this machine does not tell what a process used */
export function requireProcFileSystem(): void {
  if (!existsSync('/proc/self/stat')) {
    throw new Error('bench reads the CPU time of processes from /proc, which this machine does not have');
  }
}

/** CPU seconds that a process has used until now, user and system, all threads; exact to a hundredth. */
export function cpuSeconds(pid: number): number {
  return parseCpuTicks(readFileSync(`/proc/${pid}/stat`, 'utf8')) * TICK_SECONDS;
}

/** Resident memory of a process now, in MB of 1,048,576 bytes. */
export function memoryMb(pid: number): number {
  return parseResidentKb(readFileSync(`/proc/${pid}/status`, 'utf8')) / 1024;
}

/**
 * Waits until a process uses no CPU any more, so that work which it put off is counted to those who caused it.
 * @throws when it is still busy after ten seconds
 */
export async function untilQuiet(pid: number): Promise<void> {
  const deadline = performance.now() + LONGEST_DRAIN_MS;
  for (let before = cpuSeconds(pid); ;) {
    await pause(QUIET_MS);
    const now = cpuSeconds(pid);
    // One tick may be housekeeping.
    if (now - before < 1.5 * TICK_SECONDS) return;
    if (performance.now() > deadline) throw new Error(`process ${pid} does not come to rest`);
    before = now;
  }
}

/** `utime` + `stime` of a line of /proc/PID/stat. The name of the program, in brackets, may hold blanks and brackets. */
export function parseCpuTicks(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (!Number.isFinite(ticks)) throw new Error(`This is no line of /proc/PID/stat: ${stat}`);
  return ticks;
}

/** `VmRSS` of the text of /proc/PID/status, in kB. */
export function parseResidentKb(status: string): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  if (!found) throw new Error('The process has ended, or /proc says nothing of its memory');
  return Number(found[1]);
}

function ticksPerSecond(): number {
  try {
    return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100;
  } catch {
    return 100;
  }
}
