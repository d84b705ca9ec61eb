/** Where a command writes and what it reads; passed in, so that tests see it all. */
export interface Terminal {
  /** Results alone: what a pipe should carry on. */
  out: (text: string) => void;
  /** Progress and explanations. */
  note: (text: string) => void;
  /** Whether a person watches the progress. */
  interactive: boolean;
  env: Readonly<Record<string, string | undefined>>;
}

export function processTerminal(): Terminal {
  return {
    out: (text) => process.stdout.write(text + '\n'),
    note: (text) => process.stderr.write(text + '\n'),
    interactive: process.stderr.isTTY,
    env: process.env,
  };
}
