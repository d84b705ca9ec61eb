import { readFileSync } from 'node:fs';
import type { Figures } from './figures.js';
import type { Machine } from './machine.js';
import { CALL_ROWS } from './rows/call-rows.js';
import { SYSTEM_NAMES, type SystemName } from './systems/system.js';
import { number, table } from './tables.js';
import { judge } from './targets.js';

/** What a run leaves behind as JSON. */
export interface Report extends Figures {
  machine: Machine;
  quick: boolean;
}

const COLUMNS: Record<SystemName, string> = {
  hello: 'hello-api',
  http: 'node:http',
  sdkMemory: 'SDK, memory',
  sdkDatabase: 'SDK, database',
};

/** @throws when there is no such file, or it is no report */
export function readReport(file: string): Report {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Partial<Report>;
  if (!report.ratios || !report.machine) throw new Error(`${file} is no report of npm run bench`);
  return report as Report;
}

/** The report in Markdown, as it stands in docs/performance.md. */
export function renderReport(report: Report): string {
  const { machine, quick } = report;
  const place = `${machine.at.slice(0, 10)}, Node ${machine.node}, ${machine.cpu}, ${machine.cores} cores`;
  const parts = [
    `${quick ? 'Quick run (small sizes: hints alone)' : 'Full run'}, ${place}, ${
      machine.pinned ? 'servers on a core of their own' : 'NOT pinned'
    }.`,
    verdicts(report),
    callTable(report),
    otherFigures(report),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function verdicts(report: Report): string {
  const rows = judge(report).map(({ title, target, value, met }) => {
    const outcome = met === undefined ? 'not measured' : met ? 'met' : 'NOT MET';
    return [title, target, value === undefined ? '–' : number(value), outcome];
  });
  return table(['target', 'is to be', 'is', ''], rows);
}

/** CPU µs a request, and in brackets the latencies p50 / p99 in ms. */
function callTable(report: Report): string {
  const rows = [64, 1].flatMap((connections) =>
    CALL_ROWS.filter(({ name }) => `${name}@${connections}.hello` in report.cpuUs).map(({ name, title }) => [
      `${title}; ${connections} connection${connections === 1 ? '' : 's'}`,
      ...SYSTEM_NAMES.map((system) => cell(report, `${name}@${connections}.${system}`)),
    ]),
  );
  const head = ['CPU µs a request (p50 / p99 ms)', ...SYSTEM_NAMES.map((system) => COLUMNS[system])];
  return rows.length === 0 ? '' : table(head, rows);
}

function cell({ cpuUs, latencyMs }: Report, key: string): string {
  const [cpu, p50, p99] = [cpuUs[key], latencyMs[`${key}.p50`], latencyMs[`${key}.p99`]];
  if (cpu === undefined || p50 === undefined || p99 === undefined) return '–';
  return `${number(cpu)} (${number(p50)} / ${number(p99)})`;
}

/** All that the table of calls does not hold. */
function otherFigures(report: Report): string {
  const { ratios, cpuUs, perSecond, latencyMs, memoryMb, seconds } = report;
  const kinds: [string, Record<string, number>][] = [
    ['ratio', ratios],
    ['CPU µs', cpuUs],
    ['a second', perSecond],
    ['ms', latencyMs],
    ['MB', memoryMb],
    ['s', seconds],
  ];
  const rows = kinds.flatMap(([unit, values]) =>
    Object.entries(values)
      .filter(([name]) => !name.includes('@') || name.startsWith('large.'))
      .map(([name, value]) => [`\`${name}\``, number(value), unit]),
  );
  return table(['figure', 'value', 'unit'], rows);
}
