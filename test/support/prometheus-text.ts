/** One line with a value. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface MetricFamily {
  name: string;
  type: string;
  help: string;
  samples: Sample[];
}

const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
/** Prometheus reads NaN in any spelling, and the client library has its own. */
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?(?:\d[\d.e+-]*|\+?Inf)|[Nn]a[Nn])$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
const TYPES = ['counter', 'gauge', 'histogram', 'summary'];
/** Units that are no base units, and words that belong to types (https://prometheus.io/docs/practices/naming). */
const BAD_UNIT =
  /_(milliseconds|ms|microseconds|us|nanoseconds|minutes|hours|days|kilobytes|kb|megabytes|mb|percent)(_|$)/;
/** The Node.js metrics of the client library, whose names are known to differ. */
const NOT_OURS = /^(process|nodejs)_/;
const MOST_SERIES = 1000;

/**
 * Reads the Prometheus text format and checks it as `promtool check metrics` does: form, HELP and TYPE in front of the
 * samples, names, units, no series twice, complete histograms.
 * @throws Error that lists every problem
 */
export function readMetrics(text: string): Map<string, MetricFamily> {
  const problems: string[] = [];
  const families = new Map<string, MetricFamily>();
  if (!text.endsWith('\n')) problems.push('the last line does not end');
  let current: MetricFamily | undefined;
  for (const line of text.split('\n').filter((candidate) => candidate !== '')) {
    if (line.startsWith('#')) current = readComment(line, families, problems) ?? current;
    else readSample(line, current, problems);
  }
  for (const family of families.values()) checkFamily(family, problems);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return families;
}

function readComment(
  line: string,
  families: Map<string, MetricFamily>,
  problems: string[],
): MetricFamily | undefined {
  const [, kind, name = '', rest = ''] = COMMENT.exec(line) ?? [];
  if (kind === undefined) {
    problems.push(`not a HELP or TYPE line: ${line}`);
    return undefined;
  }
  const known = families.get(name);
  if (kind === 'HELP') {
    if (known) problems.push(`${name} is described twice`);
    const family: MetricFamily = { name, type: '', help: rest, samples: [] };
    families.set(name, family);
    return family;
  }
  if (!known || known.samples.length > 0) problems.push(`the TYPE of ${name} does not follow its HELP`);
  if (!TYPES.includes(rest)) problems.push(`${name} has the unknown type ${rest}`);
  if (known) known.type = rest;
  return known;
}

function readSample(line: string, family: MetricFamily | undefined, problems: string[]): void {
  const [, name = '', labelText = '', value = ''] = SAMPLE.exec(line) ?? [];
  const labels = readLabels(labelText);
  if (name === '' || !labels) {
    problems.push(`not a sample: ${line}`);
    return;
  }
  if (!family || !namesOf(family).includes(name)) problems.push(`${name} stands outside of its family`);
  family?.samples.push({ name, labels, value: value.endsWith('Inf') ? Infinity : Number(value) });
}

function readLabels(text: string): Record<string, string> | undefined {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? [];
    if (name === undefined || value === undefined || name in labels) return undefined;
    labels[name] = value;
  }
  return labels;
}

function namesOf({ name, type }: MetricFamily): string[] {
  if (type === 'histogram') return [`${name}_bucket`, `${name}_sum`, `${name}_count`];
  return type === 'summary' ? [name, `${name}_sum`, `${name}_count`] : [name];
}

function checkFamily(family: MetricFamily, problems: string[]): void {
  const { name, type, help, samples } = family;
  if (type === '') problems.push(`${name} has no TYPE`);
  if (help.trim() === '') problems.push(`${name} has no HELP`);
  const keys = samples.map((sample) => seriesKey(sample));
  if (new Set(keys).size < keys.length) problems.push(`${name} has a series twice`);
  if (type === 'histogram') checkHistogram(family, problems);
  if (NOT_OURS.test(name)) return;
  if (samples.some(({ value }) => Number.isNaN(value)))
    problems.push(`${name} has a value that is no number`);
  if ((type === 'counter') !== name.endsWith('_total')) problems.push(`${name}: _total belongs to counters`);
  if (/_(count|sum|bucket|info)$/.test(name)) problems.push(`${name} ends like a part of another type`);
  if (BAD_UNIT.test(name)) problems.push(`${name} has no base unit`);
  if (name !== name.toLowerCase() || name.includes(':')) problems.push(`${name} is not snake_case`);
  if (samples.length > MOST_SERIES) problems.push(`${name} has ${samples.length} series`);
}

function checkHistogram({ name, samples }: MetricFamily, problems: string[]): void {
  const groups = groupByLabels(samples);
  for (const [key, group] of groups) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => (labels['le'] === '+Inf' ? Infinity : Number(labels['le'])));
    const counts = buckets.map(({ value }) => value);
    const count = group.find((sample) => sample.name === `${name}_count`)?.value;
    const ascending = (numbers: number[]) =>
      numbers.every((one, at) => at === 0 || one >= (numbers[at - 1] ?? 0));
    if (bounds.at(-1) !== Infinity || !ascending(bounds)) problems.push(`${name}${key}: bounds`);
    if (!ascending(counts) || counts.at(-1) !== count) problems.push(`${name}${key}: counts`);
    if (!group.some((sample) => sample.name === `${name}_sum`)) problems.push(`${name}${key}: no sum`);
  }
}

function groupByLabels(samples: Sample[]): Map<string, Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const labels = Object.fromEntries(Object.entries(sample.labels).filter(([name]) => name !== 'le'));
    const key = seriesKey({ ...sample, name: '', labels });
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  return groups;
}

function seriesKey({ name, labels }: Sample): string {
  const sorted = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${name}{${sorted.map(([label, value]) => `${label}=${value}`).join(',')}}`;
}

/** The value of one series. @throws when there is none */
export function valueOf(
  families: Map<string, MetricFamily>,
  name: string,
  labels: Record<string, string> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(count|sum|bucket)$/, ''));
  const wanted = seriesKey({ name, labels, value: 0 });
  const sample = family?.samples.find((candidate) => seriesKey(candidate) === wanted);
  if (!sample) throw new Error(`no series ${wanted}`);
  return sample.value;
}
