import type { Terminal } from '../../src/cli/terminal.js';

/** A terminal whose two streams can be read, as a pipe would see them. */
export function capturedTerminal(
  env: Record<string, string> = {},
): Terminal & { stdout: string[]; stderr: string[] } {
  const stdout: string[] = [];
  const stderr: string[] = [];
  return {
    stdout,
    stderr,
    out: (text) => void stdout.push(text),
    note: (text) => void stderr.push(text),
    interactive: false,
    env,
  };
}
