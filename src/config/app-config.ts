/**
 * Every setting, validated once at start-up and read-only from then on (requirement O1). The class is its own
 * injection token. Intervals and budgets are milliseconds.
 */
export abstract class AppConfig {
  abstract readonly http: {
    readonly port: number;
    readonly host: string;
    /** Origin and optional path, without a trailing slash. */
    readonly publicBaseUrl: string;
    readonly corsOrigins: readonly string[];
    /** Whether the busiest routes stand in front of Express's router. */
    readonly directRoutes: boolean;
    /** How long a request may take to arrive, head and body. */
    readonly requestTimeoutMs: number;
    /** How long a connection may be idle between two requests. */
    readonly keepAliveMs: number;
  };
  abstract readonly store: { readonly path: string };
  abstract readonly directory: { readonly file: string | undefined };
  abstract readonly accounts: {
    readonly jwtSecret: string | undefined;
    readonly jwksUrl: string | undefined;
    readonly issuer: string | undefined;
    readonly audience: string | undefined;
  };
  abstract readonly tasks: {
    readonly waitBudgetMs: number;
    readonly v03WaitBudgetMs: number;
    readonly messagesPerHour: number;
    readonly streamsPerAccount: number;
    readonly retentionMs: number;
  };
  abstract readonly limits: { readonly rpcPerMinute: number; readonly loginFailuresPerMinute: number };
  abstract readonly maintenance: {
    readonly pruneIntervalMs: number;
    readonly reconcileIntervalMs: number;
    readonly reconcileBatch: number;
  };
  abstract readonly relay: {
    readonly heartbeatMs: number;
    readonly submitTimeoutMs: number;
    readonly statusTimeoutMs: number;
    readonly cancelTimeoutMs: number;
    readonly maxInFlight: number;
  };
  abstract readonly sse: { readonly keepaliveMs: number };
  abstract readonly logging: { readonly level: string };
  abstract readonly metrics: { readonly enabled: boolean };
  abstract readonly docs: { readonly enabled: boolean };
}
