import { refuseForeignPorts, type PortProvider } from './port-providers.js';

const PARTS = ['path', 'operations', 'imports', 'ports'] as const;
const SYNC_OPTIONS: readonly string[] = [...PARTS, 'settings'];
const ASYNC_OPTIONS: readonly string[] = [...PARTS, 'inject', 'useFactory'];

/** Unreserved characters of RFC 3986, so that an address is the same however it is written. */
const SEGMENT = /^[A-Za-z0-9._~-]+$/;

/** @throws Error of one line that names the option, for what TypeScript would have refused and for a path that is none */
export function checkOptions(options: unknown): void {
  const given = recordOf('HelloApiModule.forRoot', options, SYNC_OPTIONS);
  checkSettings('HelloApiModule.forRoot: settings', given['settings']);
}

/** As `checkOptions`, for `forRootAsync`. */
export function checkAsyncOptions(options: unknown): void {
  const given = recordOf('HelloApiModule.forRootAsync', options, ASYNC_OPTIONS);
  if (typeof given['useFactory'] !== 'function') {
    throw new Error('HelloApiModule.forRootAsync: useFactory: must be a function that returns the settings');
  }
  checkList('HelloApiModule.forRootAsync: inject', given['inject']);
}

/** @param origin whence the settings come, for the message */
export function checkSettings(origin: string, settings: unknown): void {
  if (isRecord(settings)) return;
  throw new Error(`${origin}: must be an object with settings, by the names of .env.example`);
}

function recordOf(origin: string, options: unknown, known: readonly string[]): Record<string, unknown> {
  if (!isRecord(options)) throw new Error(`${origin}: needs an object with ${known.join(', ')}`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`${origin}: ${unknown}: is no option; the options are ${known.join(', ')}`);
  }
  checkPath(`${origin}: path`, options['path']);
  checkList(`${origin}: imports`, options['imports']);
  if (!['boolean', 'undefined'].includes(typeof options['operations'])) {
    throw new Error(`${origin}: operations: must be true or false`);
  }
  refuseForeignPorts(options['ports'] as PortProvider[] | undefined);
  return options;
}

function checkPath(origin: string, path: unknown): void {
  if (path === undefined) return;
  const segments = typeof path === 'string' ? path.split('/').filter((part) => part !== '') : [''];
  const isFit = (part: string) => SEGMENT.test(part) && part !== '.' && part !== '..';
  if (segments.every(isFit)) return;
  throw new Error(`${origin}: must be text, segments of letters, digits, -, ., _ and ~ with / between them`);
}

function checkList(origin: string, list: unknown): void {
  if (list !== undefined && !Array.isArray(list)) throw new Error(`${origin}: must be a list`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
