import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { describeError } from '../common/index.js';
import {
  daemonConfig,
  type AgentConfig,
  type DaemonConfig,
  type WorkflowStepConfig,
} from './daemon.config.js';

/** As in the directory file: a job for another handle will never come. */
const HANDLE = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The configuration cannot be used; each problem names the entry and field. */
export class DaemonConfigError extends Error {
  override name = 'DaemonConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`the daemon's configuration is not valid: ${problems.join('; ')}`);
  }
}

/** @throws DaemonConfigError, also when the file cannot be read */
export async function loadDaemonConfig(file: string): Promise<DaemonConfig> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new DaemonConfigError([describeError(error)]);
  }
  return parseDaemonConfig(text, dirname(resolve(file)));
}

/**
 * Reads the text of a `daemon.yaml`.
 * @param baseDir the folder of the file: programs run elsewhere, so what names a file beside it is made absolute
 * @throws DaemonConfigError
 */
export function parseDaemonConfig(text: string, baseDir: string = process.cwd()): DaemonConfig {
  const raw = readYaml(text);
  const parsed = daemonConfig.safeParse(raw);
  const problems = [
    ...wrongHandles(raw),
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`),
  ];
  if (!parsed.success || problems.length > 0) throw new DaemonConfigError(problems);
  const agents = Object.entries(parsed.data.agents).map(([name, agent]) => [name, located(agent, baseDir)]);
  return { ...parsed.data, agents: Object.fromEntries(agents) as DaemonConfig['agents'] };
}

/**
 * The configuration for `--runtime NAME`, where every agent answers through that runtime.
 * @throws DaemonConfigError for a runtime that needs settings of its own
 */
export function defaultDaemonConfig(runtime: string): DaemonConfig {
  if (runtime !== 'echo') {
    throw new DaemonConfigError([
      `runtime: "${runtime}" needs a configuration file; without one only "echo" can run`,
    ]);
  }
  return daemonConfig.parse({ agents: { '*': { runtime } } });
}

function readYaml(text: string): unknown {
  const document = parseDocument(text);
  // Below its first line the parser draws the place.
  const problems = document.errors.map(({ message }) => message.split('\n', 1).join('').replace(/:$/, ''));
  if (problems.length > 0) throw new DaemonConfigError(problems);
  try {
    return document.toJS() ?? {};
  } catch (error) {
    // For example aliases that unfold to more than any file needs.
    throw new DaemonConfigError([describeError(error)]);
  }
}

/** Looked for before the schema reads the file: it leaves keys such as `__proto__` out without a word. */
function wrongHandles(raw: unknown): string[] {
  const agents = typeof raw === 'object' && raw !== null && 'agents' in raw ? raw.agents : undefined;
  if (typeof agents !== 'object' || agents === null || Array.isArray(agents)) return [];
  const wrong = Object.keys(agents).filter((name) => name !== '*' && !HANDLE.test(name));
  return wrong.map(
    (name) =>
      `agents.${name}: no assistant can have this handle (1 to 64 of a-z, 0-9, - and _, beginning with a letter or digit; or *)`,
  );
}

function located(agent: AgentConfig, baseDir: string): AgentConfig {
  if (agent.runtime === 'command') return { ...agent, command: locate(agent.command, baseDir) };
  if (agent.runtime !== 'workflow') return agent;
  return { ...agent, steps: agent.steps.map((step) => locatedStep(step, baseDir)) };
}

function locatedStep(step: WorkflowStepConfig, baseDir: string): WorkflowStepConfig {
  return 'command' in step ? { command: locate(step.command, baseDir) } : step;
}

/** The program when it is written as a path, and any argument that names an existing file. */
function locate([program, ...args]: [string, ...string[]], baseDir: string): [string, ...string[]] {
  const isPath = program.includes('/');
  return [isPath ? resolve(baseDir, program) : program, ...args.map((each) => locateArgument(each, baseDir))];
}

function locateArgument(argument: string, baseDir: string): string {
  if (argument === '' || argument.startsWith('-') || isAbsolute(argument)) return argument;
  const path = resolve(baseDir, argument);
  return existsSync(path) && statSync(path).isFile() ? path : argument;
}
