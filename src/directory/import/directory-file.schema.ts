import { z } from 'zod';
import {
  addressName,
  agentId,
  agentTexts,
  computerId,
  id,
  secret,
  secretHash,
  skills,
  visibility,
} from '../entry-fields.js';

const account = z.strictObject({ id, username: addressName });

const computer = z.strictObject({
  id: computerId,
  account: id,
  relayToken: secret('rt_').optional(),
  relayTokenHash: secretHash.optional(),
});

const agent = z.strictObject({
  id: agentId,
  account: id,
  handle: addressName,
  computer: id,
  visibility: visibility.nullish(),
  linkKey: secret('').nullish(),
  linkKeyHash: secretHash.nullish(),
  published: z.boolean({ error: 'must be true or false' }).nullish(),
  name: agentTexts.name.nullish(),
  description: agentTexts.description.nullish(),
  version: agentTexts.version.nullish(),
  skills: skills.nullish(),
});

const apiKey = z.strictObject({ account: id, key: secret('hi_').optional(), keyHash: secretHash.optional() });

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
