import { CommanderError } from 'commander';
import { describeError } from '../common/index.js';
import { CliError, ExitCode } from './cli-error.js';
import { buildProgram } from './program.js';
import { processTerminal, type Terminal } from './terminal.js';

/**
 * Runs one `hello` command.
 * @param argv as in `process.argv`
 * @returns the exit code; every error has become one line on stderr
 */
export async function main(argv: string[], terminal: Terminal = processTerminal()): Promise<number> {
  let code: number = ExitCode.ok;
  try {
    await buildProgram(terminal, (value) => (code = value)).parseAsync(argv);
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    terminal.note(`hello: ${oneLine(error)}`);
    return error instanceof CliError ? error.exitCode : ExitCode.unexpected;
  }
}

function oneLine(error: unknown): string {
  return describeError(error).replaceAll(/\s*\n\s*/g, '; ');
}
