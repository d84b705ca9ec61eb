import { runProgram, type ProgramEnd } from './program.js';
import { ReplyText } from './reply-text.js';
import {
  RuntimeFailure,
  type Runtime,
  type RuntimeHost,
  type RuntimeJob,
  type RuntimeOutcome,
} from './runtime.js';

export type Argv = readonly [string, ...string[]];

/** A program of the owner's: the text on standard input, the reply on standard output. */
export class CommandRuntime implements Runtime {
  constructor(private readonly argv: Argv) {}

  async run(job: RuntimeJob, host: RuntimeHost): Promise<RuntimeOutcome> {
    return { state: 'succeeded', ...(await commandReply(this.argv, job.text, host)) };
  }
}

/**
 * Runs a program for its output. The line breaks at the very end are not part of the reply, as in `$(…)`.
 * @throws RuntimeFailure when it cannot be started or does not end with 0
 */
export async function commandReply(
  argv: Argv,
  stdin: string,
  host: RuntimeHost,
): Promise<{ reply: string; replyTruncated: boolean }> {
  const output = new ReplyText(withoutFinalBreaks((text) => host.emit(text)));
  const { workspace: cwd, environment, signal } = host;
  const end = await runProgram({ argv, cwd, environment, stdin, output, signal });
  if (end.kind !== 'exited' || end.code !== 0) throw new RuntimeFailure(explain(end));
  return { reply: withoutBreaksAtEnd(output.toString()), replyTruncated: output.truncated };
}

/** Holds line breaks back until something follows them. */
function withoutFinalBreaks(emit: (text: string) => void): (text: string) => void {
  let held = '';
  return (text) => {
    const whole = held + text;
    const shown = withoutBreaksAtEnd(whole);
    held = whole.slice(shown.length);
    if (shown !== '') emit(shown);
  };
}

/** By hand: a regular expression would take quadratic time on a flood of line breaks. */
function withoutBreaksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1;
  return text.slice(0, end);
}

function explain(end: ProgramEnd): string {
  if (end.kind === 'not_started') {
    return end.code === 'ENOENT'
      ? 'The program of this assistant was not found on its computer.'
      : `The program of this assistant could not be started (${end.code}).`;
  }
  if (end.lastErrorLine !== '') return end.lastErrorLine;
  return end.kind === 'exited'
    ? `The program of this assistant ended with exit code ${end.code}.`
    : `The program of this assistant was ended by ${end.signal}.`;
}
