/**
 * A result as JSON keeps it, and as later runs will get it. Nothing at all is a result as well.
 * @param what whose result it is, for the message
 * @throws TypeError for what JSON would lose without a word or cannot write, naming where it is
 */
export function asKept(result: unknown, what: string): unknown {
  if (result === undefined) return undefined;
  const found = (where: string, value: unknown): never => {
    throw new TypeError(
      `${what}: its result cannot be kept, since JSON has no form for ${nameOf(value)}${where === '' ? '' : ` (at ${where})`}`,
    );
  };
  const paths = new WeakMap<object, string>();
  const text = writeJson(result, what, function (this: object, key: string, value: unknown): unknown {
    const where = key === '' ? '' : pathTo(paths.get(this) ?? '', key, this);
    if (value !== undefined && !hasForm(value)) found(where, value);
    if (typeof value === 'object' && value !== null) paths.set(value, where);
    return value;
  });
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

type Replacer = (this: object, key: string, value: unknown) => unknown;

/** Circles are the only thing of which JSON itself complains then; its message has several lines. */
function writeJson(result: unknown, what: string, replacer: Replacer): string | undefined {
  try {
    return JSON.stringify(result, replacer);
  } catch (error) {
    if (!(error instanceof TypeError) || error.message.startsWith(what)) throw error;
    throw new TypeError(`${what}: its result cannot be kept, since it contains itself`, { cause: error });
  }
}

function hasForm(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (['function', 'symbol', 'bigint'].includes(typeof value)) return false;
  return !(value instanceof Map || value instanceof Set || value instanceof Error);
}

function nameOf(value: unknown): string {
  if (typeof value === 'object') return `a ${(value as object).constructor.name}`;
  return typeof value === 'number' ? String(value) : `a ${typeof value}`;
}

function pathTo(parent: string, key: string, owner: object): string {
  if (Array.isArray(owner)) return `${parent}[${key}]`;
  return parent === '' ? key : `${parent}.${key}`;
}
