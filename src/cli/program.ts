import { Command } from 'commander';
import { backupCommand, type BackupOptions } from './backup.command.js';
import { addAccountCommands } from './account.command.js';
import { addAgentCommands } from './agent.command.js';
import type { ExitCode } from './cli-error.js';
import { addComputerCommands } from './computer.command.js';
import { daemonCommand, type DaemonOptions } from './daemon.command.js';
import { demoCommand, type DemoOptions } from './demo.command.js';
import { addKeyCommands } from './key.command.js';
import { addLinkCommands } from './link.command.js';
import { projectVersion } from './program-root.js';
import { restoreCommand, type RestoreOptions } from './restore.command.js';
import { newSecretCommand } from './secret.command.js';
import { sendCommand, type SendOptions } from './send.command.js';
import { serveCommand } from './serve.command.js';
import type { Terminal } from './terminal.js';
import { issueTokenCommand } from './token.command.js';

const SEND_EXIT_CODES = `
Exit codes: 0 completed, 3 failed, 4 rejected, 5 canceled, 6 still open when the wait was over,
10 token not accepted, 11 no such assistant, 12 too many messages, 13 not reachable, 14 refused otherwise,
2 wrong use, 130 Ctrl-C (the work goes on).`;

const DAEMON_EXIT_CODES = `
Exit codes: 0 stopped by a signal, 2 wrong use or configuration, 10 token not accepted or revoked,
14 the service speaks no common protocol, 15 another daemon of this computer took over,
16 --data cannot be used (another daemon has it, no folder, damaged, disk full), 1 anything else.`;

/**
 * The commands and their options.
 * @param setExitCode told the exit code of a command that ends without an error
 */
export function buildProgram(terminal: Terminal, setExitCode: (code: ExitCode) => void): Command {
  const program = new Command('hello')
    .description('A durable A2A gateway for assistants that run on their owners’ computers')
    .version(projectVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
    });
  addServing(program, terminal, setExitCode);
  addSecrets(program, terminal);
  addKeeping(program, terminal);
  addDirectory(program, terminal);
  program
    .command('send <address> <text>')
    .description('send a text to an assistant and wait for the reply; `-` reads the text from stdin')
    .option('--base <url>', 'service of an @user/handle address (or HELLO_BASE_URL; http://localhost:3000)')
    .option('--token <jwt>', 'access token; better in HELLO_ACCESS_TOKEN, where other users do not see it')
    .option('--context <id>', 'go on with this conversation')
    .option('--wait <time>', 'how long to follow the task', '5m')
    .addHelpText('after', SEND_EXIT_CODES)
    .action(async (address: string, text: string, options: SendOptions) => {
      setExitCode(await sendCommand(address, text, options, terminal));
    });
  return program;
}

function addServing(program: Command, terminal: Terminal, setExitCode: (code: ExitCode) => void): void {
  program
    .command('serve')
    .description('run the service; its settings are environment variables (.env.example)')
    .action(() => serveCommand(terminal));
  program
    .command('daemon')
    .description('connect this computer’s assistants to a service')
    .option(
      '--url <ws-url>',
      'relay of the service, for example wss://api.example.com/relay (or HELLO_RELAY_URL)',
    )
    .option('--token <rt_…>', 'relay token; better in HELLO_RELAY_TOKEN, where other users do not see it')
    .option('--config <file>', 'assistants and limits (daemon.yaml)')
    .option('--runtime <name>', 'without a file: the runtime of every assistant', 'echo')
    .option('--data <dir>', 'where jobs are kept', './data/daemon')
    .option('--check', 'read the configuration, say what is wrong with it, and end')
    .addHelpText('after', DAEMON_EXIT_CODES)
    .action(async (options: DaemonOptions) => setExitCode(await daemonCommand(options, terminal)));
  program
    .command('demo')
    .description('run everything on this machine with sample assistants; PORT chooses another port')
    .option('--once', 'end after the first answer')
    .option('--data <dir>', 'where the demo keeps its data', './data/demo')
    .action(async (options: DemoOptions) => setExitCode(await demoCommand(options, terminal)));
}

function addSecrets(program: Command, terminal: Terminal): void {
  program
    .command('token')
    .description('access tokens of accounts')
    .command('issue')
    .description('sign a token with ACCOUNT_JWT_SECRET and print it')
    .requiredOption('--account <id>', 'the account')
    .option('--ttl <time>', 'how long it is valid', '1h')
    .action((options: { account: string; ttl: string }) => issueTokenCommand(options, terminal));
  program
    .command('secret')
    .description('secrets for the directory file')
    .command('new <kind>')
    .description('print a new secret (relay, link or api-key) and its hash')
    .action((kind: string) => newSecretCommand(kind, terminal));
}

const KEEPING_EXIT_CODES = `
Exit codes: 0 done, 2 wrong use or no store, 16 refused or not possible (nothing was changed), 130 Ctrl-C.`;

function addKeeping(program: Command, terminal: Terminal): void {
  program
    .command('backup <file>')
    .description('copy the store of A2A_STORE_PATH to a new file, also while the service runs')
    .option('--json', 'print one JSON object')
    .addHelpText('after', KEEPING_EXIT_CODES)
    .action((file: string, options: BackupOptions) => backupCommand(file, options, terminal));
  program
    .command('restore <file>')
    .description('put a backup in the place of the store, which is kept; the service must be stopped')
    .option('--replace-newer', 'also when the store holds newer things than the backup')
    .option('--json', 'print one JSON object')
    .addHelpText('after', KEEPING_EXIT_CODES)
    .action((file: string, options: RestoreOptions) => restoreCommand(file, options, terminal));
}

/** Changes and lists of the directory, on the database and also while the service runs. */
function addDirectory(program: Command, terminal: Terminal): void {
  addAccountCommands(program, terminal);
  addComputerCommands(program, terminal);
  addAgentCommands(program, terminal);
  addLinkCommands(program, terminal);
  addKeyCommands(program, terminal);
}
