import { ExitCode } from './cli-error.js';
import type { Terminal } from './terminal.js';

export interface DaemonOptions {
  url?: string;
  token?: string;
  config?: string;
  runtime: string;
  data: string;
  check?: boolean;
}

export async function daemonCommand(_options: DaemonOptions, _terminal: Terminal): Promise<ExitCode> {
  return ExitCode.ok;
}
