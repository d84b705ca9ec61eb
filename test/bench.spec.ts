import { callFigures } from '../bench/call-figures.js';
import { mergeFigures, figures } from '../bench/figures.js';
import { atLeast } from '../bench/load.js';
import { medianWindow, type Window } from '../bench/measure.js';
import { parseCpuTicks, parseResidentKb } from '../bench/process-usage.js';
import { listOrder, plannedTask, plannedTasks } from '../bench/seed-plan.js';
import { median, percentile } from '../bench/statistics.js';
import { table } from '../bench/tables.js';
import { judge } from '../bench/targets.js';

const window = (cpuUs: number, rest: Partial<Window> = {}): Window => ({
  cpuUs,
  perSecond: 1000,
  p50Ms: 1,
  p99Ms: 2,
  ...rest,
});

describe('the arithmetic of the benchmark', () => {
  it('takes the middle value, and the mean of two', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 9, 1, 2])).toBe(5.5);
    expect(() => median([])).toThrow('no values');
  });

  it('takes the nearest rank as a percentile, by number and not by text', () => {
    const values = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect(percentile(values, 99)).toBe(99);
    expect(percentile(values, 100)).toBe(100);
    expect(percentile([10, 9], 50)).toBe(9);
    expect(percentile([7], 99)).toBe(7);
    expect(() => percentile([], 99)).toThrow('no values');
  });

  it('adds user and system time, whatever the program is called', () => {
    const rest = 'R 1 2 3 4 -1 4194304 102 0 0 0 250 31 7 8 20 0 1 0 1166444';
    expect(parseCpuTicks(`17209 (node) ${rest}`)).toBe(281);
    expect(parseCpuTicks(`17209 (a) b (c d) ${rest}`)).toBe(281);
    expect(() => parseCpuTicks('17209 (node) R')).toThrow('no line');
  });

  it('reads the resident memory', () => {
    expect(parseResidentKb('Name:\tnode\nVmHWM:\t 99 kB\nVmRSS:\t  81234 kB\n')).toBe(81_234);
    expect(() => parseResidentKb('Name:\tnode\n')).toThrow('ended');
  });

  it('goes on until both the requests and the time are reached', () => {
    const goesOn = atLeast({ requests: 10, ms: 100 });
    expect(goesOn({ requests: 9, ms: 500 })).toBe(true);
    expect(goesOn({ requests: 50, ms: 99 })).toBe(true);
    expect(goesOn({ requests: 10, ms: 100 })).toBe(false);
  });

  it('takes the median of every figure by itself', () => {
    const windows = [window(1, { p99Ms: 30 }), window(3, { p99Ms: 10 }), window(2, { p99Ms: 20 })];
    expect(medianWindow(windows)).toEqual(window(2, { p99Ms: 20 }));
  });

  it('calls a ratio above 1 what hello-api does with less CPU, at 64 connections', () => {
    const bySystem = new Map([
      ['hello' as const, window(50)],
      ['sdkMemory' as const, window(200)],
      ['http' as const, window(25)],
    ]);
    const windows = new Map([
      ['send@64', bySystem],
      ['send@1', new Map(bySystem).set('hello', window(80))],
    ]);
    const found = callFigures({
      windows,
      memoryMb: new Map([['hello' as const, { atStart: 90, atEnd: 120 }]]),
    });
    expect(found.ratios).toEqual({ send_vs_sdk_memory: 4, send_vs_http: 0.5 });
    expect(found.cpuUs).toMatchObject({ 'send@64.hello': 50, 'send@1.hello': 80 });
    expect(found.memoryMb).toEqual({ 'calls.hello.atStart': 90, 'calls.hello.atEnd': 120 });
  });

  it('judges what was measured and nothing else', () => {
    const found = mergeFigures([
      figures({ ratios: { send_vs_sdk_memory: 1.9 } }),
      figures({ ratios: { list_page1000_vs_page1: 1.3 } }),
    ]);
    const verdicts = new Map(judge(found).map(({ title, met }) => [title, met]));
    expect(verdicts.get('SendMessage: CPU beside the SDK in memory')).toBe(false);
    expect(verdicts.get('Page 1,000 of a million tasks: CPU beside page 1')).toBe(true);
    expect(verdicts.get('Card: CPU beside the SDK')).toBeUndefined();
  });

  it('plans the same tasks each time, and lists them by status and then by id', () => {
    const tasks = plannedTasks(500, 1_764_500_000_000);
    expect(tasks[7]).toEqual(plannedTask(7, 500, 1_764_500_000_000));
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(500);
    expect(tasks.every((task) => task.statusAtMs >= task.createdAtMs)).toBe(true);
    expect(tasks.every((task) => task.statusAtMs <= 1_764_500_000_000)).toBe(true);
    const twins = [
      { ...plannedTask(1, 9, 0), statusAtMs: 5 },
      { ...plannedTask(2, 9, 0), statusAtMs: 5 },
    ];
    expect(listOrder(twins)).toEqual([twins[1]?.id, twins[0]?.id]);
  });

  it('writes tables that Markdown reads', () => {
    expect(table(['a', 'long title'], [['1', 'x']])).toBe(
      '| a   | long title |\n| --- | ---------- |\n| 1   | x          |',
    );
  });
});
