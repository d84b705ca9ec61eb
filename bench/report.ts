import { readFileSync } from 'node:fs';
import { combine, type Spread } from './combine.js';
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

const UNITS: Record<keyof Figures, string> = {
  ratios: 'ratio',
  cpuUs: 'CPU µs',
  perSecond: 'a second',
  latencyMs: 'ms',
  memoryMb: 'MB',
  seconds: 's',
};

/** @throws when there is no such file, or it is no report */
export function readReport(file: string): Report {
  const report = parsed(file) as Partial<Report> | null;
  if (!report?.ratios || !report.machine) throw new Error(`${file} is no report of npm run bench`);
  return report as Report;
}

function parsed(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--render ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`, {
      cause: error,
    });
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * One run, or the medians of several with their spread, in Markdown, as it stands in docs/performance.md.
 * @throws for no runs
 */
export function renderReports(reports: readonly Report[]): string {
  const { medians, spread } = combine(reports);
  const show = figureWriter(medians, reports.length > 1 ? spread : undefined);
  const parts = [
    reports.map(headline).join('\n'),
    verdicts(
      medians,
      show,
      reports.some(({ quick }) => quick),
    ),
    callTable(medians),
    others(medians, show),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

type FigureWriter = (kind: keyof Figures, name: string) => string;

/** @param spread of several runs; absent for one */
function figureWriter(medians: Figures, spread: Spread | undefined): FigureWriter {
  return (kind, name) => {
    const value = medians[kind][name];
    if (value === undefined) return '–';
    const range = spread?.[kind][name];
    return range ? `${number(value)} (${number(range[0])}–${number(range[1])})` : number(value);
  };
}

function headline({ machine, quick }: Report): string {
  const size = quick ? 'Quick run (small sizes: hints alone)' : 'Full run';
  const place = machine.pinned ? 'servers on a core of their own' : 'NOT pinned';
  return `${size}, ${machine.at.slice(0, 10)}, Node ${machine.node}, ${machine.cpu}, ${machine.cores} cores, ${place}.`;
}

function verdicts(medians: Figures, show: FigureWriter, quick: boolean): string {
  const rows = judge(medians, quick).map(({ title, target, figure, value, met }) => {
    const open = value === undefined ? 'not measured' : 'smaller: no verdict';
    const outcome = met === undefined ? open : met ? 'met' : 'NOT MET';
    return [title, target, show(...figure), outcome];
  });
  return table(['target', 'is to be', 'is', ''], rows);
}

/** CPU µs a request, and in brackets the latencies p50 / p99 in ms. */
function callTable(medians: Figures): string {
  const rows = [64, 1].flatMap((connections) =>
    CALL_ROWS.filter(({ name }) => `${name}@${connections}.hello` in medians.cpuUs).map(({ name, title }) => [
      `${title}; ${connections} connection${connections === 1 ? '' : 's'}`,
      ...SYSTEM_NAMES.map((system) => cell(medians, `${name}@${connections}.${system}`)),
    ]),
  );
  const head = ['CPU µs a request (p50 / p99 ms)', ...SYSTEM_NAMES.map((system) => COLUMNS[system])];
  return rows.length === 0 ? '' : table(head, rows);
}

function cell({ cpuUs, latencyMs }: Figures, key: string): string {
  const [cpu, p50, p99] = [cpuUs[key], latencyMs[`${key}.p50`], latencyMs[`${key}.p99`]];
  if (cpu === undefined || p50 === undefined || p99 === undefined) return '–';
  return `${number(cpu)} (${number(p50)} / ${number(p99)})`;
}

/** All that the table of calls does not hold. */
function others(medians: Figures, show: FigureWriter): string {
  const rows = (Object.keys(UNITS) as (keyof Figures)[]).flatMap((kind) =>
    Object.keys(medians[kind])
      .filter((name) => !name.includes('@') || name.startsWith('large.'))
      .map((name) => [`\`${name}\``, show(kind, name), UNITS[kind]]),
  );
  return table(['figure', 'value', 'unit'], rows);
}
