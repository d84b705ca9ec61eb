import { z } from 'zod';

const MAX_TIMEOUT_SECONDS = 24 * 3600;

const handle = z.string().min(1).max(200);
const text = z.string().min(1);
const argv = z.tuple([text], z.string());
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');
const timeoutSeconds = z.number().positive().max(MAX_TIMEOUT_SECONDS).default(600);
/** Names of the daemon's own environment variables that programs may see besides PATH and `HELLO_*`. */
const env = z.array(variable).default([]);

const echoAgent = z.strictObject({ runtime: z.literal('echo'), timeoutSeconds });

const commandAgent = z.strictObject({ runtime: z.literal('command'), command: argv, env, timeoutSeconds });

const openAiAgent = z.strictObject({
  runtime: z.literal('openai'),
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, '')),
  model: text,
  apiKeyEnv: variable.optional(),
  system: text.optional(),
  /** How long the endpoint may be silent. */
  idleSeconds: z.number().positive().max(MAX_TIMEOUT_SECONDS).default(120),
  timeoutSeconds,
});

const workflowStep = z.union(
  [
    z.strictObject({ prompt: text, using: handle }),
    z.strictObject({ command: argv }),
    z.strictObject({ reply: text }),
    z.strictObject({ approval: text }),
  ],
  { error: 'must be one of {prompt, using}, {command}, {reply}, {approval}' },
);

const workflowAgent = z.strictObject({
  runtime: z.literal('workflow'),
  steps: z.array(workflowStep).min(1),
  env,
  timeoutSeconds,
});

const agent = z.discriminatedUnion('runtime', [echoAgent, commandAgent, openAiAgent, workflowAgent]);

/** What `daemon.yaml` holds. Agents go by handle; `*` stands for every other one. */
export const daemonConfig = z
  .strictObject({
    /** Most jobs that run at once. */
    concurrency: z.number().int().min(1).max(1000).default(4),
    /** Most jobs that wait for their turn. */
    queueLimit: z.number().int().min(1).max(100_000).default(100),
    agents: z.record(handle, agent),
  })
  .superRefine((config, context) => {
    for (const [name, entry] of Object.entries(config.agents)) {
      if (entry.runtime !== 'workflow') continue;
      for (const [index, step] of entry.steps.entries()) {
        if (!('using' in step)) continue;
        const used = Object.hasOwn(config.agents, step.using) ? config.agents[step.using] : undefined;
        if (used?.runtime === 'openai') continue;
        const path = ['agents', name, 'steps', index, 'using'];
        context.addIssue({ code: 'custom', path, message: 'must name an agent whose runtime is openai' });
      }
    }
  });

export type DaemonConfig = z.infer<typeof daemonConfig>;
export type AgentConfig = z.infer<typeof agent>;
export type OpenAiAgentConfig = z.infer<typeof openAiAgent>;
export type WorkflowStepConfig = z.infer<typeof workflowStep>;
