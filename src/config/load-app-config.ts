import type { AppConfig } from './app-config.js';
import { ConfigError } from './config.errors.js';
import type { Setting } from './setting.js';
import { SETTINGS, type SettingName, type SettingValues } from './settings.js';

const DAY_MS = 86_400_000;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all settings from environment variables (requirement O1). An empty variable counts as absent.
 * @param options.ownTokenVerifier whether something else verifies tokens, so that no `ACCOUNT_…` setting is needed
 * @throws ConfigError that names every variable that is wrong or missing and what is allowed, never a value
 */
export function loadAppConfig(environment: Environment, { ownTokenVerifier = false } = {}): AppConfig {
  const problems: string[] = [];
  const values = readValues(environment, problems);
  problems.push(...tokenVerificationProblems(environment, ownTokenVerifier));
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(arrange(values));
}

/** What one needs to know to work on the database without serving anybody. */
export interface StoreConfig {
  readonly path: string;
  /** What the addresses of assistants begin with; without a trailing slash. */
  readonly publicBaseUrl: string;
}

const STORE_SETTINGS: SettingName[] = ['A2A_STORE_PATH', 'PORT', 'PUBLIC_BASE_URL'];

/**
 * Reads those settings alone; a mistake in another one is the service's to report.
 * @throws ConfigError as `loadAppConfig` does
 */
export function loadStoreConfig(environment: Environment): StoreConfig {
  const problems: string[] = [];
  const values = readValues(environment, problems, STORE_SETTINGS);
  if (problems.length > 0) throw new ConfigError(problems);
  return { path: values.A2A_STORE_PATH, publicBaseUrl: publicBaseUrlOf(values) };
}

function readValues(
  environment: Environment,
  problems: string[],
  names = Object.keys(SETTINGS) as SettingName[],
): SettingValues {
  const values = new Map<string, unknown>();
  for (const name of names) {
    const setting: Setting<unknown> = SETTINGS[name];
    const text = given(environment, name) ?? setting.fallback;
    if (text === undefined) continue;
    const parsed = setting.schema.safeParse(text);
    if (parsed.success) values.set(name, parsed.data);
    else problems.push(`${name} must be ${setting.allowed}`);
  }
  return Object.fromEntries(values) as unknown as SettingValues;
}

/** Exactly one way to verify tokens: with two, a token that one refuses could pass by the other. */
function tokenVerificationProblems(environment: Environment, ownTokenVerifier: boolean): string[] {
  const secret = given(environment, 'ACCOUNT_JWT_SECRET') !== undefined;
  const jwks = given(environment, 'ACCOUNT_JWKS_URL') !== undefined;
  if (secret && jwks) {
    return ['ACCOUNT_JWT_SECRET and ACCOUNT_JWKS_URL exclude each other: set one of them'];
  }
  if (!secret && !jwks && !ownTokenVerifier) {
    return [
      'ACCOUNT_JWT_SECRET or ACCOUNT_JWKS_URL must be set: the HS256 secret of account tokens ' +
        '(at least 32 bytes), or the URL of the key set that signs them',
    ];
  }
  return [];
}

function given(environment: Environment, name: SettingName): string | undefined {
  const text = environment[name];
  return text === undefined || text.trim() === '' ? undefined : text;
}

function arrange(values: SettingValues): AppConfig {
  return {
    http: {
      port: values.PORT,
      host: values.HOST,
      publicBaseUrl: publicBaseUrlOf(values),
      corsOrigins: values.CORS_ORIGINS ?? [],
      directRoutes: values.HTTP_DIRECT_ROUTES,
      requestTimeoutMs: values.HTTP_REQUEST_TIMEOUT_MS,
      keepAliveMs: values.HTTP_KEEP_ALIVE_MS,
    },
    store: { path: values.A2A_STORE_PATH },
    directory: { file: values.DIRECTORY_FILE },
    accounts: {
      jwtSecret: values.ACCOUNT_JWT_SECRET,
      jwksUrl: values.ACCOUNT_JWKS_URL,
      issuer: values.ACCOUNT_JWT_ISSUER,
      audience: values.ACCOUNT_JWT_AUDIENCE,
    },
    ...arrangeWork(values),
    sse: { keepaliveMs: values.SSE_KEEPALIVE_MS },
    logging: { level: values.LOG_LEVEL },
    metrics: { enabled: values.METRICS_ENABLED },
    docs: { enabled: values.DOCS_ENABLED },
  };
}

function publicBaseUrlOf(values: SettingValues): string {
  return new URL(values.PUBLIC_BASE_URL ?? `http://localhost:${values.PORT}`).href.replace(/\/+$/, '');
}

function arrangeWork(values: SettingValues): Pick<AppConfig, 'tasks' | 'limits' | 'maintenance' | 'relay'> {
  return {
    tasks: {
      waitBudgetMs: values.A2A_WAIT_BUDGET_MS,
      v03WaitBudgetMs: values.A2A_V03_WAIT_BUDGET_MS,
      messagesPerHour: values.A2A_MESSAGES_PER_HOUR,
      streamsPerAccount: values.A2A_STREAMS_PER_ACCOUNT,
      retentionMs: values.A2A_RETENTION_DAYS * DAY_MS,
    },
    limits: {
      rpcPerMinute: values.A2A_RPC_PER_MINUTE,
      loginFailuresPerMinute: values.A2A_LOGIN_FAILURES_PER_MINUTE,
    },
    maintenance: {
      pruneIntervalMs: values.A2A_PRUNE_SECONDS * 1000,
      reconcileIntervalMs: values.A2A_RECONCILE_SECONDS * 1000,
      reconcileBatch: values.A2A_RECONCILE_BATCH,
    },
    relay: {
      heartbeatMs: values.RELAY_HEARTBEAT_MS,
      submitTimeoutMs: values.RELAY_SUBMIT_TIMEOUT_MS,
      statusTimeoutMs: values.RELAY_STATUS_TIMEOUT_MS,
      cancelTimeoutMs: values.RELAY_CANCEL_TIMEOUT_MS,
      maxInFlight: values.RELAY_MAX_IN_FLIGHT,
    },
  };
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value) as unknown[]) {
    if (typeof member === 'object' && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
