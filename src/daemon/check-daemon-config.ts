import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { AgentConfig, DaemonConfig } from './daemon.config.js';
import { DaemonConfigError } from './load-daemon-config.js';
import { buildRuntimes } from './runtimes/index.js';

/**
 * Looks for what would keep the agents of a configuration from running on this computer, without running anything.
 * @param environment what the daemon would have: keys and PATH are looked up in it
 * @returns warnings, each with the entry: a program that is not there now may come later
 * @throws DaemonConfigError for what would keep the daemon from starting, and for paths that lead to no program
 */
export function checkDaemonConfig(
  config: DaemonConfig,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  buildRuntimes(config, environment);
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const [place, program] of programsOf(config)) {
    if (program.includes('/')) {
      if (!isProgram(program)) problems.push(`${place}: ${program} is no executable file`);
    } else if (!isOnPath(program, environment.PATH)) {
      warnings.push(`${place}: there is no program "${program}" on PATH`);
    }
  }
  if (problems.length > 0) throw new DaemonConfigError(problems);
  return warnings;
}

function programsOf(config: DaemonConfig): [place: string, program: string][] {
  return Object.entries(config.agents).flatMap(([name, agent]) => programsOfAgent(`agents.${name}`, agent));
}

function programsOfAgent(place: string, agent: AgentConfig): [place: string, program: string][] {
  if (agent.runtime === 'command') return [[`${place}.command`, agent.command[0]]];
  if (agent.runtime !== 'workflow') return [];
  return agent.steps.flatMap((step, index): [string, string][] =>
    'command' in step ? [[`${place}.steps.${index}.command`, step.command[0]]] : [],
  );
}

function isOnPath(program: string, path: string | undefined): boolean {
  return (path ?? '').split(delimiter).some((folder) => isProgram(join(folder, program)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
