import { ConfigError } from './config.errors.js';
import { loadAppConfig, type Environment } from './load-app-config.js';

const SECRET = 's'.repeat(32);
const load = (environment: Environment) => loadAppConfig({ ACCOUNT_JWT_SECRET: SECRET, ...environment });

function problemsOf(environment: Environment): readonly string[] {
  try {
    loadAppConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadAppConfig', () => {
  it('[O1] fills in the documented defaults', () => {
    expect(load({})).toEqual({
      http: {
        port: 3000,
        host: '127.0.0.1',
        publicBaseUrl: 'http://localhost:3000',
        corsOrigins: [],
        directRoutes: true,
        requestTimeoutMs: 30_000,
        keepAliveMs: 65_000,
      },
      store: { path: './data/a2a.sqlite' },
      directory: { file: undefined },
      accounts: { jwtSecret: SECRET, jwksUrl: undefined, issuer: undefined, audience: undefined },
      tasks: {
        waitBudgetMs: 25000,
        v03WaitBudgetMs: 120000,
        messagesPerHour: 200,
        streamsPerAccount: 1000,
        retentionMs: 604800000,
      },
      limits: { rpcPerMinute: 600, loginFailuresPerMinute: 300 },
      maintenance: { pruneIntervalMs: 3600000, reconcileIntervalMs: 15000, reconcileBatch: 50 },
      relay: {
        heartbeatMs: 20000,
        submitTimeoutMs: 10000,
        statusTimeoutMs: 5000,
        cancelTimeoutMs: 10000,
        maxInFlight: 64,
      },
      sse: { keepaliveMs: 3000 },
      logging: { level: 'info' },
      metrics: { enabled: true },
      docs: { enabled: false },
    });
  });

  it('[O1] names every bad variable at once with what is allowed, and never shows a value', () => {
    const environment = {
      ACCOUNT_JWT_SECRET: 'too-short-secret',
      PORT: '70000',
      A2A_WAIT_BUDGET_MS: '25s',
      METRICS_ENABLED: 'False',
      LOG_LEVEL: 'loud',
    };
    expect(problemsOf(environment)).toEqual([
      'PORT must be a whole number from 0 to 65535',
      'ACCOUNT_JWT_SECRET must be at least 32 bytes long',
      'A2A_WAIT_BUDGET_MS must be a whole number from 1 to 3600000',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
      'METRICS_ENABLED must be true or false',
    ]);
    expect(() => loadAppConfig(environment)).toThrow(/PORT must be[^]*METRICS_ENABLED must be/);
    for (const value of Object.values(environment)) {
      expect(problemsOf(environment).join()).not.toContain(value);
    }
  });

  it('[O1] takes "false" for false', () => {
    expect(load({ METRICS_ENABLED: 'false', DOCS_ENABLED: 'true' })).toMatchObject({
      metrics: { enabled: false },
      docs: { enabled: true },
    });
  });

  it.each(['0', 'no', 'TRUE', 'true '])('[O1] takes %j for neither true nor false', (text) => {
    expect(problemsOf({ ACCOUNT_JWT_SECRET: SECRET, DOCS_ENABLED: text })).toEqual([
      'DOCS_ENABLED must be true or false',
    ]);
  });

  it('[O1] treats an empty variable as absent', () => {
    expect(load({ PORT: '', DIRECTORY_FILE: ' ' })).toMatchObject({
      http: { port: 3000 },
      directory: { file: undefined },
    });
  });

  it.each(['', '1.5', '-1', '0', '1e3', '0x10', ' 5', '99999999999999999999'])(
    '[O1] accepts no number but a whole one within bounds: %j',
    (text) => {
      const expected = text === '' ? [] : ['A2A_RPC_PER_MINUTE must be a whole number from 1 to 1000000'];
      expect(problemsOf({ ACCOUNT_JWT_SECRET: SECRET, A2A_RPC_PER_MINUTE: text })).toEqual(expected);
    },
  );

  it('[H1] refuses to start without a way to verify tokens, and says what to set', () => {
    expect(problemsOf({})).toEqual([
      expect.stringMatching(/^ACCOUNT_JWT_SECRET or ACCOUNT_JWKS_URL must be set/),
    ]);
  });

  it('[H1] refuses two ways to verify tokens', () => {
    expect(
      problemsOf({ ACCOUNT_JWT_SECRET: SECRET, ACCOUNT_JWKS_URL: 'https://id.example/jwks.json' }),
    ).toEqual(['ACCOUNT_JWT_SECRET and ACCOUNT_JWKS_URL exclude each other: set one of them']);
  });

  it('[H1] accepts a key set instead of a secret', () => {
    const { accounts } = loadAppConfig({ ACCOUNT_JWKS_URL: 'https://id.example/jwks.json?v=2' });
    expect(accounts).toMatchObject({
      jwtSecret: undefined,
      jwksUrl: 'https://id.example/jwks.json?v=2',
    });
  });

  it.each([
    ['https://h', 'https://h'],
    ['https://h/', 'https://h'],
    ['https://h/x', 'https://h/x'],
    ['https://h/x/', 'https://h/x'],
    ['HTTPS://H:443/x//', 'https://h/x'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('[B46] keeps the path of the public URL and no trailing slash: %s', (text, expected) => {
    expect(load({ PUBLIC_BASE_URL: text }).http.publicBaseUrl).toBe(expected);
  });

  it.each([
    'example.com',
    'ftp://h',
    'https://',
    'https://h/?a=b',
    'https://h/#part',
    'https://user:password@h',
    'https://@h',
    'https:/h',
    'https://h/a b',
    'https://h:99999',
    ' https://h',
  ])('[C2] refuses a public URL from which no card can be built: %s', (text) => {
    expect(problemsOf({ ACCOUNT_JWT_SECRET: SECRET, PUBLIC_BASE_URL: text })).toEqual([
      'PUBLIC_BASE_URL must be an absolute http:// or https:// URL without credentials, query or fragment',
    ]);
  });

  it('[C2] derives the public URL from the port', () => {
    expect(load({ PORT: '8081' }).http.publicBaseUrl).toBe('http://localhost:8081');
  });

  it('[B56] reads origins from a list and refuses anything that is not an origin', () => {
    expect(load({ CORS_ORIGINS: 'https://a.example, http://localhost:5173' }).http.corsOrigins).toEqual([
      'https://a.example',
      'http://localhost:5173',
    ]);
    expect(load({ CORS_ORIGINS: '*' }).http.corsOrigins).toEqual(['*']);
    for (const text of ['a.example', 'https://a.example/', 'https://a.example,*', ',', 'null']) {
      expect(problemsOf({ ACCOUNT_JWT_SECRET: SECRET, CORS_ORIGINS: text })).toEqual([
        expect.stringMatching(/^CORS_ORIGINS must be /),
      ]);
    }
  });

  it('[K1] refuses a store that is not a file', () => {
    for (const text of [':memory:', 'file:a.db', './data/']) {
      expect(problemsOf({ ACCOUNT_JWT_SECRET: SECRET, A2A_STORE_PATH: text })).toEqual([
        'A2A_STORE_PATH must be the path of a file',
      ]);
    }
  });

  it('[O1] is read-only', () => {
    const config = load({}) as { http: { port: number } };
    expect(() => {
      config.http.port = 1;
    }).toThrow(TypeError);
  });
});
