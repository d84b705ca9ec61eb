import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as accounts from '../src/accounts/index.js';
import * as a2a from '../src/a2a/index.js';
import * as common from '../src/common/index.js';
import { SETTINGS } from '../src/config/settings.js';
import { PUBLIC_REPORTS, REQUIREMENTS } from './requirements.js';
import { tableRows } from './support/markdown-tables.js';

const task = { taskId: 't', contextId: 'c' };

/** One of every class that leaves the service as an error. */
const ERRORS: (a2a.JsonRpcError | common.HttpFailure)[] = [
  new a2a.ParseError(),
  new a2a.InvalidRequestError(),
  new a2a.MethodNotFoundError(),
  new a2a.InvalidParamsError([]),
  new a2a.InternalError('request'),
  new a2a.TaskNotFoundError(),
  new a2a.TaskNotCancelableError(),
  new a2a.PushNotificationNotSupportedError(),
  new a2a.UnsupportedOperationError(''),
  new a2a.ContentTypeNotSupportedError(''),
  new a2a.ExtendedCardNotConfiguredError(),
  new a2a.StreamInterruptedError(''),
  new a2a.VersionNotSupportedError(''),
  new accounts.UnauthenticatedError(false),
  new common.NotFoundFailure(),
  new common.MethodNotAllowedFailure('POST'),
  new common.PayloadTooLargeFailure(1),
  new common.TooManyRequestsFailure('', 1),
  new common.UnavailableFailure(''),
  new accounts.KeySetUnavailableError(),
  new common.StorageUnavailableError(),
  new common.WaitTimeoutFailure(task),
];

/** Classes that others are made of, and the one with which methods of others refuse; the service throws none of them. */
const BASES = ['JsonRpcError', 'A2AError', 'HttpFailure', 'UnauthorizedFailure', 'RefusedFailure'];

describe('docs/errors.md', () => {
  const rows = tableRows('docs/errors.md');

  it.each(ERRORS.map((error) => [error.constructor.name, error] as const))(
    '[W4] [W5] says of %s what it is',
    (name, error) => {
      const row = rows.find((candidate) => candidate['class'] === name);
      const isHttp = error instanceof common.HttpFailure;
      expect(row).toMatchObject({
        HTTP: String(isHttp ? error.status : 200),
        log: error.logLevel,
        ...(isHttp
          ? { headers: Object.keys(error.headers()).join(', ') }
          : { code: String(error.code), reason: error instanceof a2a.A2AError ? error.reason : '' }),
      });
    },
  );

  it('[W4] has a row for every class of error, and for no other', () => {
    const classes = Object.entries({ ...a2a, ...accounts, ...common })
      .filter(([, value]) => typeof value === 'function' && isError(value.prototype))
      .map(([name]) => name)
      .filter((name) => !BASES.includes(name));
    expect(rows.map((row) => row['class']).sort()).toEqual(classes.sort());
  });
});

describe('docs/limits.md', () => {
  it.each(tableRows('docs/limits.md').map((row) => [row['limit'] ?? '', row] as const))(
    '[O1] says the real value of: %s',
    (_, row) => {
      expect(Number(row['value'])).toBe(valueOf(row['set by'] ?? ''));
      expect(Object.keys({ ...REQUIREMENTS, ...PUBLIC_REPORTS })).toContain(row['id']);
    },
  );

  it('[O1] has every setting that is a number', () => {
    const numbers = Object.entries(SETTINGS).filter(
      ([name, { fallback }]) => name !== 'PORT' && /^\d+$/.test(fallback ?? ''),
    );
    const listed = tableRows('docs/limits.md').map((row) => row['set by']);
    expect(listed).toEqual(expect.arrayContaining(numbers.map(([name]) => name)));
  });
});

describe('docs/extending.md', () => {
  const code = sourcesIn(join(__dirname, '..', 'src'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const texts = tableRows('docs/extending.md')
    .map((row) => /^`?([^`]*)/.exec(row['what you read'] ?? '')?.[1] ?? '')
    // Those of the compiler, of Node and of Nest, and answers by their numbers, are not ours.
    .filter((text) => text.includes(' ') && !/^(HTTP|Nest|Cannot|-\d)/.test(text));

  it.each(texts)('explains what is really said: %s', (text) => {
    for (const piece of text.split('…').map((part) => part.trim())) expect(code).toContain(piece);
  });

  it('explains at least what stops a start', () => {
    expect(texts.length).toBeGreaterThanOrEqual(10);
  });
});

describe('docs/choices.md', () => {
  it('names only what tests hold', () => {
    const proven = Object.entries({ ...REQUIREMENTS, ...PUBLIC_REPORTS })
      .filter(([, { status }]) => status === 'proven')
      .map(([id]) => id);
    expect(proven).toEqual(expect.arrayContaining(tableRows('docs/choices.md').map((row) => row['id'])));
  });
});

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map((path) => join(folder, path));
}

function isError(prototype: unknown): boolean {
  return prototype instanceof Error;
}

/** @param source a setting's name, or `` `NAME` in path `` for a constant of the code */
function valueOf(source: string): number {
  const [, constant, file] = /^`(\w+)` in (\S+)$/.exec(source) ?? [];
  if (!constant || !file) return Number(SETTINGS[source as keyof typeof SETTINGS].fallback);
  const code = readFileSync(join(__dirname, '..', file), 'utf8');
  const [, product = ''] = new RegExp(`const ${constant} = ([\\d_ *]+);`).exec(code) ?? [];
  return product
    .split('*')
    .map((factor) => Number(factor.replaceAll('_', '')))
    .reduce((one, other) => one * other, 1);
}
