import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Distribution } from '../common/index.js';

type Labels = Readonly<Record<string, string>>;

export interface Family {
  name: string;
  help: string;
  /** Names of labels whose values come from small, fixed sets (requirement H2). */
  labelNames?: readonly string[];
}

/** One series of a family at the moment of reading. */
export type Series<T> = readonly [labels: Labels, value: T];

type Read<T> = () => Iterable<Series<T>> | Promise<Iterable<Series<T>>>;

/** A counter whose numbers are kept by the module that counts, and read when somebody asks for them. */
export function counter(registry: Registry, family: Family, read: Read<number>): void {
  new Counter<string>({
    ...family,
    registers: [registry],
    async collect() {
      this.reset();
      for (const [labels, value] of await read()) this.inc({ ...labels }, value);
    },
  });
}

/** A gauge that is read when somebody asks for it. */
export function gauge(registry: Registry, family: Family, read: Read<number>): void {
  new Gauge<string>({
    ...family,
    registers: [registry],
    async collect() {
      this.reset();
      for (const [labels, value] of await read()) this.set({ ...labels }, value);
    },
  });
}

/** A histogram over distributions that a module keeps. */
export function histogram(
  registry: Registry,
  family: Family,
  read: () => Iterable<Series<Distribution>>,
): void {
  new DistributionHistogram({ ...family, registers: [registry] }, read);
}

/** The library's histogram wants every value by itself; this one shows what has been counted already. */
class DistributionHistogram extends Histogram<string> {
  constructor(
    options: Family & { registers: Registry[] },
    private readonly read: () => Iterable<Series<Distribution>>,
  ) {
    super(options);
  }

  override async get() {
    return this.getForPromString();
  }

  /** What the registry asks for when it writes the text format. */
  async getForPromString() {
    const { name, help } = this as unknown as Family;
    const values = [...this.read()].flatMap(([labels, distribution]) =>
      samplesOf(name, labels, distribution),
    );
    return { name, help, type: 'histogram', aggregator: 'sum', values } as unknown as Awaited<
      ReturnType<Histogram<string>['get']>
    >;
  }
}

function samplesOf(name: string, labels: Labels, distribution: Distribution): object[] {
  const { bounds, count, sum } = distribution;
  const counts = distribution.cumulative();
  return [
    ...bounds.map((bound, place) => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: String(bound) },
      value: counts[place],
    })),
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
