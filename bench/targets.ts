import type { Figures } from './figures.js';

type FigureName = readonly [kind: keyof Figures, name: string];

/** What hello-api has to reach on the machine that it is measured on. */
export interface Target {
  title: string;
  /** Its kind and name among the figures. */
  figure: FigureName;
  atLeast?: number;
  atMost?: number;
}

export const TARGETS: readonly Target[] = [
  ratio('SendMessage: CPU beside the SDK in memory', 'send_vs_sdk_memory', 2),
  ratio('SendMessage: CPU beside the SDK with its database', 'send_vs_sdk_database', 8),
  ratio('GetTask: CPU beside the SDK in memory', 'get_vs_sdk_memory', 2),
  ratio('ListTasks of 10,000: CPU beside the SDK in memory', 'list_vs_sdk_memory', 10),
  ratio('Card: CPU beside the SDK', 'card_vs_sdk_memory', 3),
  ratio('SendMessage: CPU beside bare node:http', 'send_vs_http', 0.2),
  ratio('GetTask: CPU beside bare node:http', 'get_vs_http', 0.3),
  {
    title: 'Page 1,000 of a million tasks: CPU beside page 1',
    figure: ['ratios', 'list_page1000_vs_page1'],
    atMost: 1.3,
  },
  {
    title: 'GetTask while 100,000 tasks are pruned: p99 above the one before, ms',
    figure: ['latencyMs', 'prune.p99Added'],
    atMost: 50,
  },
  {
    title: '10,000 idle daemons: memory, MB',
    figure: ['memoryMb', 'idle.10000'],
    atMost: 200,
  },
  {
    title: '1,000 daemons: round trips a CPU second',
    figure: ['perSecond', 'relay.1000.roundTripsPerCpuSecond'],
    atLeast: 8_000,
  },
  {
    title: 'Soak: memory at the end beside that after the first minute',
    figure: ['ratios', 'soak_memory_growth'],
    atMost: 1.05,
  },
  {
    title: 'After pruning, as many new tasks: size of the file beside the one before',
    figure: ['ratios', 'prune_file_growth'],
    atMost: 1.02,
  },
];

export interface Verdict {
  title: string;
  figure: FigureName;
  target: string;
  value: number | undefined;
  /** Absent when the part of the run that finds the figure was left out, and for the small sizes of a quick run. */
  met: boolean | undefined;
}

export function judge(figures: Figures, quick = false): Verdict[] {
  return TARGETS.map(({ title, figure, atLeast = -Infinity, atMost = Infinity }) => {
    const [kind, name] = figure;
    const value = figures[kind][name];
    const target = atLeast > -Infinity ? `≥ ${atLeast}` : `≤ ${atMost}`;
    return {
      title,
      figure,
      target,
      value,
      met: value === undefined || quick ? undefined : value >= atLeast && value <= atMost,
    };
  });
}

function ratio(title: string, name: string, atLeast: number): Target {
  return { title, figure: ['ratios', name], atLeast };
}
