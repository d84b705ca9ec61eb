/** Most characters that a log gets of a text that was thrown, and of a stack. */
const MAX_TEXT = 1_000;
const MAX_STACK = 8_000;

/** Members of a thrown object that say what is wrong; of the others only the names are told, since they may hold messages. */
const TELLING: readonly string[] = ['name', 'code', 'status', 'statusCode', 'message'];
const MAX_MEMBERS = 10;
const MAX_MEMBER = 200;

/** How deep errors that consist of errors are followed: one may contain itself. */
const MAX_DEPTH = 3;

/**
 * One line for a log about anything that was thrown; never a stack. Never throws, whatever it is given: code of others may
 * throw what has no text, and whose getters and traps throw in their turn.
 */
export function describeError(error: unknown): string {
  return describe(error, 0);
}

/** The stack of an error, for a log; bounded, and absent where there is none that can be read. Never throws. */
export function stackOf(error: unknown): string | undefined {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === 'string' ? stack.slice(0, MAX_STACK) : undefined;
  } catch {
    return undefined;
  }
}

/** Stands for what was thrown and is no error, or none that can be read. */
class ThrownValue extends Error {
  override name = 'ThrownValue';
}

/**
 * What was thrown as an error of which class and message can be read without being thrown at again. To be called where
 * things come from code of others, before anything is asked of them.
 */
export function asError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error && typeof thrown.message === 'string') return thrown;
  } catch {
    // As good as no error.
  }
  return new ThrownValue(describeError(thrown));
}

function describe(thrown: unknown, depth: number): string {
  try {
    return textOf(thrown, depth);
  } catch {
    return 'something that cannot be read';
  }
}

function textOf(thrown: unknown, depth: number): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0 && depth < MAX_DEPTH) {
    return thrown.errors.map((error) => describe(error, depth + 1)).join('; ');
  }
  if (thrown instanceof Error && typeof thrown.message === 'string') return thrown.message || thrown.name;
  if (typeof thrown === 'function') return `function ${String(thrown.name)}`;
  if (typeof thrown === 'object' && thrown !== null) return objectText(thrown);
  return String(thrown).slice(0, MAX_TEXT);
}

function objectText(thrown: object): string {
  const given = thrown as Record<string, unknown>;
  const { constructor } = given;
  const name = typeof constructor === 'function' ? constructor.name : 'Object';
  const names = Object.keys(thrown);
  const members = names.slice(0, MAX_MEMBERS).map((member) => {
    const value = TELLING.includes(member) ? given[member] : undefined;
    const told = typeof value === 'string' || typeof value === 'number';
    const shown = told ? `: ${JSON.stringify(value).slice(0, MAX_MEMBER)}` : '';
    return member.slice(0, MAX_MEMBER) + shown;
  });
  if (names.length > MAX_MEMBERS) members.push('…');
  return members.length === 0 ? `${name} {}` : `${name} { ${members.join(', ')} }`;
}
