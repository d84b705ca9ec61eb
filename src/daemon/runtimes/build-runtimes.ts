import type { AgentConfig, DaemonConfig, OpenAiAgentConfig, WorkflowStepConfig } from '../daemon.config.js';
import { DaemonConfigError } from '../load-daemon-config.js';
import { ChatClient } from './chat-client.js';
import { CommandRuntime } from './command.runtime.js';
import { EchoRuntime } from './echo.runtime.js';
import { OpenAiRuntime } from './openai.runtime.js';
import type { Runtime } from './runtime.js';
import { WorkflowRuntime, type WorkflowStep } from './workflow.runtime.js';

/** A runtime with the limits and the environment that hold for its agent. */
export interface GuardedRuntime {
  runtime: Runtime;
  timeoutMs: number;
  /** Class and method, for the log, where code of others runs. */
  origin?: string;
  /** Variables of the daemon's own environment that the agent's programs may see. */
  environment: Readonly<Record<string, string>>;
}

/** Runtimes by the agent's handle. */
export class BuiltRuntimes {
  constructor(private readonly byHandle: ReadonlyMap<string, GuardedRuntime>) {}

  get handles(): string[] {
    return [...this.byHandle.keys()];
  }

  for(agent: string): GuardedRuntime | undefined {
    return this.byHandle.get(agent) ?? this.byHandle.get('*');
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const CUSTOM_TIMEOUT_MS = 600_000;

/**
 * Makes the runtimes of a configuration. `custom` ones, made in code, take their handle whatever the file says.
 * @throws DaemonConfigError when a variable that an entry names is not set, or there is no agent at all
 */
export function buildRuntimes(
  config: DaemonConfig,
  environment: Environment,
  custom: Readonly<Record<string, Runtime>> = {},
): BuiltRuntimes {
  const clients = chatClients(config, environment);
  const built = new Map<string, GuardedRuntime>();
  for (const [name, agent] of Object.entries(config.agents)) {
    built.set(name, {
      runtime: build(name, agent, { config, clients }),
      timeoutMs: agent.timeoutSeconds * 1000,
      environment: pick(environment, ['PATH', ...('env' in agent ? agent.env : [])]),
    });
  }
  for (const [name, runtime] of Object.entries(custom)) {
    built.set(name, { runtime, timeoutMs: CUSTOM_TIMEOUT_MS, environment: pick(environment, ['PATH']) });
  }
  if (built.size === 0) throw new DaemonConfigError(['agents: there are none, so that nothing could run']);
  return new BuiltRuntimes(built);
}

interface Parts {
  config: DaemonConfig;
  clients: ReadonlyMap<string, ChatClient>;
}

function build(name: string, agent: AgentConfig, parts: Parts): Runtime {
  switch (agent.runtime) {
    case 'echo':
      return new EchoRuntime();
    case 'command':
      return new CommandRuntime(agent.command);
    case 'openai':
      return new OpenAiRuntime(clientOf(name, parts), agent.system);
    case 'workflow':
      return new WorkflowRuntime(agent.steps.map((step) => buildStep(step, parts)));
  }
}

function buildStep(step: WorkflowStepConfig, parts: Parts): WorkflowStep {
  if ('command' in step) return { kind: 'command', argv: step.command };
  if ('reply' in step) return { kind: 'reply', text: step.reply };
  if ('approval' in step) return { kind: 'approval', question: step.approval };
  const used = parts.config.agents[step.using];
  const system = used?.runtime === 'openai' ? used.system : undefined;
  return { kind: 'prompt', prompt: step.prompt, client: clientOf(step.using, parts), system };
}

function clientOf(name: string, { clients }: Parts): ChatClient {
  const client = clients.get(name);
  if (!client) throw new DaemonConfigError([`agents.${name}: must have the runtime openai`]);
  return client;
}

function chatClients(config: DaemonConfig, environment: Environment): Map<string, ChatClient> {
  const clients = new Map<string, ChatClient>();
  const problems: string[] = [];
  for (const [name, agent] of Object.entries(config.agents)) {
    if (agent.runtime !== 'openai') continue;
    const apiKey = agent.apiKeyEnv === undefined ? undefined : environment[agent.apiKeyEnv];
    if (agent.apiKeyEnv !== undefined && !apiKey) {
      problems.push(`agents.${name}.apiKeyEnv: the environment variable ${agent.apiKeyEnv} is not set`);
    }
    clients.set(name, chatClient(agent, apiKey));
  }
  if (problems.length > 0) throw new DaemonConfigError(problems);
  return clients;
}

function chatClient(agent: OpenAiAgentConfig, apiKey: string | undefined): ChatClient {
  return new ChatClient({
    baseUrl: agent.baseUrl,
    model: agent.model,
    apiKey,
    idleMs: agent.idleSeconds * 1000,
  });
}

function pick(environment: Environment, names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
