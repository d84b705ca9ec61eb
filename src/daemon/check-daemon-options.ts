import { daemonConfig } from './daemon.config.js';
import { DaemonConfigError } from './load-daemon-config.js';

/**
 * Looks at what TypeScript would have refused, before anything is opened.
 * @throws DaemonConfigError naming every option that is missing or of wrong form
 */
export function checkDaemonOptions(options: unknown): void {
  if (!isRecord(options)) throw new DaemonConfigError(['options: are missing']);
  const { url, token, dataDir, config, logger, runtimes = {} } = options;
  const problems = [
    ...textProblems({ url, token, dataDir }),
    ...configProblems(config),
    ...runtimeProblems(runtimes),
    ...(logger === undefined ? [] : lackOf('logger', logger, ['info', 'warn', 'error'])),
  ];
  if (problems.length > 0) throw new DaemonConfigError(problems);
}

function textProblems(texts: Record<string, unknown>): string[] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [] : [`${name}: must be text, and not empty`],
  );
}

function configProblems(config: unknown): string[] {
  if (config === undefined) return ['config: is missing'];
  const issues = daemonConfig.safeParse(config).error?.issues ?? [];
  return issues.map(({ path, message }) => `${['config', ...path].join('.')}: ${message}`);
}

function runtimeProblems(runtimes: unknown): string[] {
  if (!isRecord(runtimes)) return ['runtimes: must be an object of runtimes by handle'];
  return Object.entries(runtimes).flatMap(([name, runtime]) => lackOf(`runtimes.${name}`, runtime, ['run']));
}

function lackOf(name: string, value: unknown, methods: string[]): string[] {
  const given = (value ?? {}) as Record<string, unknown>;
  return methods
    .filter((method) => typeof given[method] !== 'function')
    .map((method) => `${name}: has no method ${method}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
