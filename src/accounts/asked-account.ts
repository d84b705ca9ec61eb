import { HttpException, Logger } from '@nestjs/common';
import { HttpFailure, asError, describeError, isStorageFailure, stackOf } from '../common/index.js';
import { isAccountId } from './account-id.js';
import { KeySetUnavailableError } from './accounts.errors.js';

/** How long a verifier may take; past it nobody knows whose the credential is (docs/extending.md). */
export const VERIFIER_LIMIT_MS = 10_000;

/** Ways of a verifier of others to say that a credential is not valid. */
const REFUSALS: readonly number[] = [401, 403];

const NOT_YET = Symbol('not yet');
const notYet = Promise.resolve(NOT_YET);
const logger = new Logger('Accounts');

/** Whom a port is asked about, and how it is called in the log. */
export interface Question {
  credential: string;
  ask: (credential: string) => unknown;
  /** Class and method. */
  origin: string;
}

/**
 * Asks a port whose a credential is. What it answers may be code of others, so that nothing but the id of an account lets
 * anybody in: `null` is as good as `undefined`, and an error of class 401 or 403 is a credential that is not valid.
 * @returns the account, or `undefined` when the credential is not valid
 * @throws KeySetUnavailableError when the port throws anything else, answers anything else, or takes longer than ten seconds
 * @throws HttpFailure what the port threw on purpose
 */
export async function askedAccount({ credential, ask, origin }: Question): Promise<string | undefined> {
  let answer: unknown;
  try {
    answer = await withinLimit(ask(credential));
  } catch (thrown) {
    const error = asError(thrown);
    if (REFUSALS.includes(statusOf(error) ?? 0)) return undefined;
    if (error instanceof HttpFailure || isStorageFailure(error)) throw error;
    // The text is that of others, and may quote what it was about (requirement H2).
    const withoutCredential = (text: string | undefined) => text?.replaceAll(credential, '[credential]');
    const msg = `${origin} failed: ${withoutCredential(describeError(error))}`;
    logger.error({ msg, stack: withoutCredential(stackOf(error)) });
    throw new KeySetUnavailableError({ cause: error });
  }
  if (answer === undefined || answer === null) return undefined;
  if (isAccountId(answer)) return answer;
  logger.error(
    `${origin} answered neither the id of an account (a text) nor undefined, but ${formOf(answer)}`,
  );
  throw new KeySetUnavailableError();
}

/** Nothing of the answer itself, which may be a session with secrets, or the credential. */
function formOf(answer: unknown): string {
  return typeof answer === 'string'
    ? `a text of ${answer.length} characters`
    : `a value of type ${typeof answer}`;
}

/** Most answers are known at once: only who has to wait needs a timer. */
async function withinLimit(answer: unknown): Promise<unknown> {
  const first = await Promise.race([answer, notYet]);
  if (first !== NOT_YET) return first;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${VERIFIER_LIMIT_MS / 1000} seconds`)),
      VERIFIER_LIMIT_MS,
    );
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  return error instanceof HttpFailure ? error.status : undefined;
}
