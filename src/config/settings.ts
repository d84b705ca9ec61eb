import { flag, httpUrl, oneOf, originList, secret, text, textOr, wholeNumber } from './setting.js';

const HOUR_MS = 3_600_000;
const NO_WHITESPACE = /^\S+$/;

/**
 * Every environment variable that the service reads, with its default and its bounds. `.env.example` lists the
 * same names and defaults; a test compares the two. Upper bounds of times keep timers within 31 bits.
 */
export const SETTINGS = {
  NODE_ENV: textOr('development', 'a word, such as production', NO_WHITESPACE),
  PORT: wholeNumber(3000, 0, 65_535),
  HOST: textOr('127.0.0.1', 'an IP address or a host name', /^[A-Za-z0-9.:_-]+$/),
  PUBLIC_BASE_URL: httpUrl({ query: false }),
  CORS_ORIGINS: originList(),
  HTTP_REQUEST_TIMEOUT_MS: wholeNumber(30_000, 100, HOUR_MS),
  HTTP_DIRECT_ROUTES: flag(true),
  HTTP_KEEP_ALIVE_MS: wholeNumber(65_000, 0, HOUR_MS),

  A2A_STORE_PATH: textOr('./data/a2a.sqlite', 'the path of a file', /^(?!:memory:$)(?!file:)[^\0]*[^\0/\s]$/),
  DIRECTORY_FILE: text('the path of a YAML or JSON file', /^[^\0]*[^\0/\s]$/),

  ACCOUNT_JWT_SECRET: secret(32),
  ACCOUNT_JWKS_URL: httpUrl({ query: true }),
  ACCOUNT_JWT_ISSUER: text('the issuer (iss) of account tokens, without blanks', NO_WHITESPACE),
  ACCOUNT_JWT_AUDIENCE: text('the audience (aud) of account tokens, without blanks', NO_WHITESPACE),

  A2A_WAIT_BUDGET_MS: wholeNumber(25_000, 1, HOUR_MS),
  A2A_V03_WAIT_BUDGET_MS: wholeNumber(120_000, 1, HOUR_MS),
  A2A_MESSAGES_PER_HOUR: wholeNumber(200, 1, 1_000_000),
  A2A_STREAMS_PER_ACCOUNT: wholeNumber(1000, 1, 1_000_000),
  A2A_RPC_PER_MINUTE: wholeNumber(600, 1, 1_000_000),
  A2A_LOGIN_FAILURES_PER_MINUTE: wholeNumber(300, 1, 1_000_000),
  A2A_RETENTION_DAYS: wholeNumber(7, 1, 3650),
  A2A_PRUNE_SECONDS: wholeNumber(3600, 1, 86_400),
  A2A_RECONCILE_SECONDS: wholeNumber(15, 1, 86_400),
  A2A_RECONCILE_BATCH: wholeNumber(50, 1, 50),

  RELAY_HEARTBEAT_MS: wholeNumber(20_000, 10, HOUR_MS),
  RELAY_SUBMIT_TIMEOUT_MS: wholeNumber(10_000, 1, HOUR_MS),
  RELAY_STATUS_TIMEOUT_MS: wholeNumber(5000, 1, HOUR_MS),
  RELAY_CANCEL_TIMEOUT_MS: wholeNumber(10_000, 1, HOUR_MS),
  RELAY_MAX_IN_FLIGHT: wholeNumber(64, 1, 10_000),

  SSE_KEEPALIVE_MS: wholeNumber(3000, 10, 30_000),
  LOG_LEVEL: oneOf('info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  METRICS_ENABLED: flag(true),
  DOCS_ENABLED: flag(false),
} as const;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<S> = S extends { fallback: string; schema: { _output: infer T } }
  ? T
  : S extends { schema: { _output: infer T } }
    ? T | undefined
    : never;

/** The value of every setting, by the name of its variable. */
export type SettingValues = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };
