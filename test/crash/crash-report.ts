import { readFileSync } from 'node:fs';
import type { FilesOfRun } from './files.js';
import { COUNTED, type Ledger } from './ledger.js';

/** How often the API's log names an outcome of a submission that callers cannot tell from others. */
export function submissionsInLog(apiLog: string): Map<string, number> {
  const log = readFileSync(apiLog, 'utf8');
  const lines = log.split('\n').filter((line) => line.includes('a job was not accepted'));
  const full = lines.filter((line) => line.includes('"queue_full"')).length;
  const uncertain = lines.filter((line) => !line.includes('"reason"')).length;
  return new Map([
    ['refused because full', full],
    ['submissions left uncertain', uncertain],
  ]);
}

/** The table that a run prints. */
export function report(ledger: Ledger, files: FilesOfRun, log: Map<string, number>): string {
  const rows: [string, number][] = COUNTED.map((name) => [name, ledger.counts.get(name) ?? 0]);
  rows.push(...log);
  const states = new Map<string, number>();
  for (const { state } of files.tasks.values()) states.set(state, (states.get(state) ?? 0) + 1);
  for (const [state, count] of [...states].sort()) rows.push([`tasks ${state}`, count]);
  const unknown = [...files.tasks.keys()].filter((id) => !files.jobs.has(id)).length;
  const runs = [...files.executions.values()];
  rows.push(['tasks whose job never arrived', unknown]);
  rows.push(['jobs executed', runs.length]);
  rows.push(['jobs executed twice', runs.filter((count) => count > 1).length]);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${String(value).padStart(6)}`).join('\n');
}
