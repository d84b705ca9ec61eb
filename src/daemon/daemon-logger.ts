/** Where the daemon tells what happens. Messages and fields never hold message text, tokens or keys. */
export interface DaemonLogger {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}
