/** A server that is measured. */
export interface System {
  readonly name: SystemName;
  readonly pid: number;
  readonly port: number;
  /** Where its JSON-RPC and its card are. */
  readonly rpcPath: string;
  readonly cardPath: string;
  /** The `Authorization` header with which an account calls. */
  authorization(accountId: string): string;
  stop(): Promise<void>;
}

export const SYSTEM_NAMES = ['hello', 'http', 'sdkMemory', 'sdkDatabase'] as const;
export type SystemName = (typeof SYSTEM_NAMES)[number];
