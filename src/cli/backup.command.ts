import type { Backup, StoreFacts } from '../database/index.js';
import { CliError, ExitCode } from './cli-error.js';
import { requireStorePath } from './settings.js';
import { listenForStop } from './stop-signal.js';
import type { Terminal } from './terminal.js';

export interface BackupOptions {
  json?: boolean;
}

/**
 * `hello backup FILE`: writes a checked copy of the store to a new file, also while the service runs (requirement K3).
 * @throws CliError when there is no store, or the copy cannot be written; then there is no such file
 */
export async function backupCommand(file: string, options: BackupOptions, terminal: Terminal): Promise<void> {
  const path = await requireStorePath(terminal);
  const backup = await untilStopped(async (signal) => {
    const { backUpStore } = await import('../database/index.js');
    return await backUpStore(path, file, signal);
  });
  terminal.out(options.json ? JSON.stringify(asJson(file, backup)) : asText(file, backup));
}

/**
 * Runs what copies a store, until it is done or somebody wants it to stop.
 * @throws CliError for what it refuses, and for a stop
 */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = listenForStop();
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) throw new CliError('stopped; nothing was changed', ExitCode.interrupted);
    const { StoreCopyError } = await import('../database/index.js');
    throw error instanceof StoreCopyError ? new CliError(error.message, ExitCode.dataUnusable) : error;
  } finally {
    stop.dispose();
  }
}

/** What a copy holds, for people. */
export function describeFacts({ counts, newestAtMs }: StoreFacts): string {
  const holds = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  return `${holds.join(', ')}; last change ${newestAtMs === undefined ? 'never' : isoTime(newestAtMs)}`;
}

/** The same for programs. */
export function factsAsJson({ schema, counts, newestAtMs }: StoreFacts): object {
  return { schema: schema.at(-1), counts, newestAt: newestAtMs === undefined ? null : isoTime(newestAtMs) };
}

function asText(file: string, backup: Backup): string {
  return `${file}: ${backup.bytes} bytes, checked; ${describeFacts(backup)}`;
}

function asJson(file: string, backup: Backup): object {
  return { file, bytes: backup.bytes, ...factsAsJson(backup) };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
