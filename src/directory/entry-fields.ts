import { z } from 'zod';
import { isSecretHash } from '../common/index.js';

const MAX_ID = 128;

/** Rules of single fields, the same for the directory file and for commands. Messages name no values: some are secret. */
export const id = z
  .string({ error: 'must be text' })
  .min(1, 'must not be empty')
  .max(MAX_ID, `must have at most ${MAX_ID} characters`)
  .regex(/^\P{C}*$/u, 'must not contain control characters')
  .refine((value) => value.trim() === value, 'must not begin or end with a blank');

/** The id is a segment of the 0.3 address, beside the `@username` of the 1.0 one. */
export const agentId = id
  .refine((value) => !value.startsWith('@'), 'must not begin with @')
  .refine((value) => !/[/\\]/.test(value) && value !== '.' && value !== '..', 'must not be a path');

/** The computer on which the assistants of this process run. */
export const IN_PROCESS = 'in-process';

export const computerId = id.refine(
  (value) => value !== IN_PROCESS,
  `must not be ${IN_PROCESS}, which is the name of the computer on which assistants in code run`,
);

/** A username or a handle. */
export const addressName = z
  .string({ error: 'must be text' })
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    'must be 1 to 64 lower-case letters, digits, - or _, beginning with a letter or digit',
  );

export const text = (max: number) =>
  z.string({ error: 'must be text' }).max(max, `must have at most ${max} characters`);

export const secret = (prefix: string) =>
  text(256).regex(new RegExp(`^${prefix}[\\x21-\\x7e]+$`), `must be visible ASCII text${after(prefix)}`);

export const secretHash = z
  .string({ error: 'must be text' })
  .refine(isSecretHash, 'must be sha256: and 64 lower-case hex digits');

export const visibility = z.enum(['public', 'link', 'private'], {
  error: 'must be public, link or private',
});

export const agentTexts = { name: text(200), description: text(4000), version: text(64) };

export const skills = z
  .array(
    z.strictObject({
      id,
      name: text(200).regex(/\S/, 'must not be blank'),
      description: text(4000).nullish(),
      tags: z.array(text(100)).max(50).nullish(),
      examples: z.array(text(4000)).max(50).nullish(),
    }),
    { error: 'must be a list' },
  )
  .max(100);

function after(prefix: string): string {
  return prefix === '' ? '' : ` that begins with ${prefix}`;
}
