import { z } from 'zod';

export const PROTOCOL_VERSION = 1;
export const SUBPROTOCOL = 'hello.relay.v1';
export const DURABLE_CAPABILITY = 'durable-a2a-v1';
export const MAX_FRAME_BYTES = 2 * 1024 * 1024;
export const MAX_JOBS_PER_QUESTION = 50;
/** A reply is cut to this many code points by the daemon (requirement S10). */
export const MAX_REPLY_CODE_POINTS = 100_000;

export const JOB_STATES = [
  'queued',
  'running',
  'input_required',
  'succeeded',
  'failed',
  'canceled',
  'rejected',
] as const;
export type JobState = (typeof JOB_STATES)[number];

export function isFinished(state: JobState): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'canceled' || state === 'rejected';
}

/** Words with which a daemon refuses; each of those for `job.submit` says for certain that the job was not taken. */
export const REFUSALS = [
  'queue_full',
  'unknown_agent',
  'draining',
  'invalid_job',
  'conflict',
  'unknown_job',
  'not_waiting',
] as const;
export type Refusal = (typeof REFUSALS)[number];

const id = z.string().min(1).max(128);
const revision = z.number().int().nonnegative();
const instant = z.iso.datetime();

export const jobReport = z.object({
  jobId: id,
  state: z.enum(JOB_STATES),
  revision,
  reply: z.string().optional(),
  /** True when the daemon cut the reply to the limit. */
  replyTruncated: z.boolean().optional(),
  statusText: z.string().max(4000).optional(),
  updatedAt: instant,
});
export type JobReport = z.infer<typeof jobReport>;

/** Taken over as it came: a copy of zod's would lack the key `__proto__` (requirement W8). */
const metadata = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

const jobMessage = z.object({
  messageId: id,
  text: z.string(),
  metadata: metadata.optional(),
});
export type JobMessage = z.infer<typeof jobMessage>;

export const helloParams = z.object({
  protocol: z.number().int(),
  daemon: z.object({ name: z.string().max(200), version: z.string().max(200), instanceId: id }),
  capabilities: z.array(z.string().max(100)).max(100),
  agents: z.array(z.string().max(200)).max(10_000),
});
export type HelloParams = z.infer<typeof helloParams>;

export const helloResult = z.object({
  sessionId: id,
  capabilities: z.array(z.string()),
  heartbeatMs: z.number().int().positive(),
  maxFrameBytes: z.number().int().positive(),
  serverTime: instant,
});
export type HelloResult = z.infer<typeof helloResult>;

export const submitParams = z.object({
  jobId: id,
  agent: z.string().min(1).max(200),
  contextId: id,
  caller: z.object({ accountId: z.string().min(1) }),
  origin: z.string(),
  interactive: z.boolean(),
  message: jobMessage,
  createdAt: instant,
  expiresAt: instant,
  traceparent: z.string().optional(),
});
export type SubmitParams = z.infer<typeof submitParams>;

export const submitResult = z.object({ state: z.enum(JOB_STATES), revision });
export type SubmitResult = z.infer<typeof submitResult>;

export const statusParams = z.object({ jobIds: z.array(id).max(MAX_JOBS_PER_QUESTION) });
export const statusResult = z.object({
  jobs: z.array(z.union([jobReport, z.object({ jobId: id, state: z.literal('unknown') })])),
});
export type StatusResult = z.infer<typeof statusResult>;

export const jobIdParams = z.object({ jobId: id });
export const inputParams = z.object({ jobId: id, message: jobMessage });
export const forgetParams = z.object({ jobIds: z.array(id) });
export const emptyResult = z.object({});

export const updateResult = z.object({ acknowledged: revision, known: z.boolean().optional() });
export const deltaParams = z.object({
  jobId: id,
  sequence: z.number().int().nonnegative(),
  text: z.string(),
});
export type DeltaParams = z.infer<typeof deltaParams>;
