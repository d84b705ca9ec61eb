import { z } from 'zod';
import { isSecretHash } from '../../common/index.js';

const MAX_ID = 128;

const id = z
  .string({ error: 'must be text' })
  .min(1, 'must not be empty')
  .max(MAX_ID, `must have at most ${MAX_ID} characters`)
  .regex(/^\P{C}*$/u, 'must not contain control characters')
  .refine((value) => value.trim() === value, 'must not begin or end with a blank');

/** The id is a segment of the 0.3 address, beside the `@username` of the 1.0 one. */
const agentId = id
  .refine((value) => !value.startsWith('@'), 'must not begin with @')
  .refine((value) => !/[/\\]/.test(value) && value !== '.' && value !== '..', 'must not be a path');

const address = z
  .string({ error: 'must be text' })
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    'must be 1 to 64 lower-case letters, digits, - or _, beginning with a letter or digit',
  );

const text = (max: number) =>
  z.string({ error: 'must be text' }).max(max, `must have at most ${max} characters`);
const secret = (prefix: string) =>
  text(256).regex(new RegExp(`^${prefix}[\\x21-\\x7e]+$`), `must be visible ASCII text${after(prefix)}`);
const hash = z
  .string({ error: 'must be text' })
  .refine(isSecretHash, 'must be sha256: and 64 lower-case hex digits');

function after(prefix: string): string {
  return prefix === '' ? '' : ` that begins with ${prefix}`;
}

const skill = z.strictObject({
  id,
  name: text(200).regex(/\S/, 'must not be blank'),
  description: text(4000).nullish(),
  tags: z.array(text(100)).max(50).nullish(),
  examples: z.array(text(4000)).max(50).nullish(),
});

const account = z.strictObject({ id, username: address });

const computer = z.strictObject({
  id,
  account: id,
  relayToken: secret('rt_').optional(),
  relayTokenHash: hash.optional(),
});

const agent = z.strictObject({
  id: agentId,
  account: id,
  handle: address,
  computer: id,
  visibility: z.enum(['public', 'link', 'private'], { error: 'must be public, link or private' }).nullish(),
  linkKey: secret('').nullish(),
  linkKeyHash: hash.nullish(),
  published: z.boolean({ error: 'must be true or false' }).nullish(),
  name: text(200).nullish(),
  description: text(4000).nullish(),
  version: text(64).nullish(),
  skills: z.array(skill, { error: 'must be a list' }).max(100).nullish(),
});

const apiKey = z.strictObject({ account: id, key: secret('hi_').optional(), keyHash: hash.optional() });

const list = <T extends z.ZodType>(entry: T) => z.array(entry, { error: 'must be a list' });

/** The directory file as it is written (docs: the directory file). Unknown keys are errors: most are typos. */
export const directoryFile = z.strictObject(
  {
    accounts: list(account),
    computers: list(computer).nullish(),
    agents: list(agent).nullish(),
    apiKeys: list(apiKey).nullish(),
  },
  {
    error: (issue) => (issue.code === 'invalid_type' ? 'must be a mapping with the key accounts' : undefined),
  },
);

export type DirectoryFile = z.infer<typeof directoryFile>;
export type AgentEntry = z.infer<typeof agent>;
