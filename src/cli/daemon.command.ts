import type {
  DaemonConfig,
  DaemonEnd,
  DaemonLogger,
  DaemonOptions as StartOptions,
  RunningDaemon,
} from '../daemon/index.js';
import { CliError, ExitCode } from './cli-error.js';
import { projectVersion } from './program-root.js';
import { listenForStop } from './stop-signal.js';
import type { Terminal } from './terminal.js';

export interface DaemonOptions {
  url?: string;
  token?: string;
  config?: string;
  runtime: string;
  data: string;
  check?: boolean;
}

/** How long running jobs may go on after a stop; a second signal cuts it short. */
const DRAIN_MS = 5000;

const END_CODES: Record<DaemonEnd['reason'], ExitCode> = {
  stopped: ExitCode.ok,
  token_bad: ExitCode.notAuthorized,
  token_revoked: ExitCode.notAuthorized,
  incompatible: ExitCode.refused,
  replaced: ExitCode.replaced,
};

/**
 * `hello daemon`: connects this computer's assistants to a service until a signal, or until the service refuses it
 * for good.
 * @returns the exit code that tells how it ended
 * @throws CliError for a wrong option, configuration or folder
 */
export async function daemonCommand(options: DaemonOptions, terminal: Terminal): Promise<ExitCode> {
  const config = await readConfig(options, terminal);
  if (options.check) {
    terminal.out(`The configuration is right: ${Object.keys(config.agents).join(', ')}`);
    return ExitCode.ok;
  }
  const url = relayUrl(options.url ?? terminal.env.HELLO_RELAY_URL);
  const token = options.token ?? terminal.env.HELLO_RELAY_TOKEN;
  if (!token) throw new CliError('a relay token is needed: set HELLO_RELAY_TOKEN or give --token');

  const daemon = await start({
    url: url.href,
    token,
    config,
    dataDir: options.data,
    logger: lineLogger(terminal),
    version: projectVersion(),
    environment: terminal.env,
  });
  void daemon.connected.then(() => terminal.note(`hello daemon is connected to ${url.host}`));
  const stop = listenForStop(() => void daemon.stop({ drainMs: 0 }));
  try {
    const end = await Promise.race([daemon.finished, stop.stopped]);
    await daemon.stop({ drainMs: end ? 0 : DRAIN_MS });
    if (end && 'message' in end) throw new CliError(end.message, END_CODES[end.reason]);
    return ExitCode.ok;
  } finally {
    stop.dispose();
  }
}

/** The same for `--check` and for a real start, so that the one finds what would stop the other. */
async function readConfig(options: DaemonOptions, terminal: Terminal): Promise<DaemonConfig> {
  const { DaemonConfigError, checkDaemonConfig, defaultDaemonConfig, loadDaemonConfig } =
    await import('../daemon/index.js');
  const place = options.config === undefined ? '' : `${options.config}: `;
  try {
    const config =
      options.config === undefined
        ? defaultDaemonConfig(options.runtime)
        : await loadDaemonConfig(options.config);
    for (const warning of checkDaemonConfig(config, terminal.env)) {
      terminal.note(`hello: warning: ${place}${warning}`);
    }
    return config;
  } catch (error) {
    if (!(error instanceof DaemonConfigError)) throw error;
    throw new CliError(place + error.problems.join('; '));
  }
}

async function start(options: StartOptions): Promise<RunningDaemon> {
  const { JobDatabaseError, UnusableAddressError, startDaemon } = await import('../daemon/index.js');
  try {
    return await startDaemon(options);
  } catch (error) {
    if (error instanceof UnusableAddressError) throw new CliError(error.message);
    if (error instanceof JobDatabaseError)
      throw new CliError(`--data ${error.message}`, ExitCode.dataUnusable);
    throw error;
  }
}

function relayUrl(text: string | undefined): URL {
  if (!text) throw new CliError('the relay’s address is needed: set HELLO_RELAY_URL or give --url');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^wss?:$/.test(url.protocol)) {
    throw new CliError(
      'the relay’s address must be a ws:// or wss:// URL, such as wss://api.example.com/relay',
    );
  }
  return url;
}

function lineLogger(terminal: Terminal): DaemonLogger {
  const write =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}): void => {
      const details = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
      terminal.note(`${new Date().toISOString()} ${level} ${message}${details.join('')}`);
    };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}
