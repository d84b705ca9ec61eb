import { parseArgs } from 'node:util';
import { CALL_ROWS } from './rows/call-rows.js';

export const USAGE = `usage: npm run bench -- [--quick] [--json FILE] [--only PART,…] [--rows ROW,…] [--profile FOLDER]
       npm run bench -- --render FILE[,FILE …]`;

export interface BenchOptions {
  quick: boolean;
  /** File for the figures. */
  json: string | undefined;
  /** Parts of the run; all when empty. */
  only: readonly string[];
  /** Rows of the part `calls`; all when empty. */
  rows: readonly string[];
  /** Folder for CPU profiles of hello during the part `calls`. */
  profile: string | undefined;
  /** Files of figures to show instead of a run; of several the medians. None for a run. */
  render: readonly string[];
}

/** @returns the options, or one line that says what is wrong with them */
export function readOptions(args: string[], parts: readonly string[]): BenchOptions | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        only: { type: 'string', default: '' },
        rows: { type: 'string', default: '' },
        profile: { type: 'string' },
        render: { type: 'string', default: '' },
      },
    });
    const only = list(values.only);
    const rows = list(values.rows);
    const knownRows: string[] = CALL_ROWS.map(({ name }) => name);
    const strangePart = only.find((name) => !parts.includes(name));
    if (strangePart !== undefined) return `--only: ${strangePart} is none of ${parts.join(', ')}`;
    const strangeRow = rows.find((name) => !knownRows.includes(name));
    if (strangeRow !== undefined) return `--rows: ${strangeRow} is none of ${knownRows.join(', ')}`;
    const ofCalls = rows.length > 0 ? '--rows' : values.profile === undefined ? undefined : '--profile';
    if (ofCalls && only.length > 0 && !only.includes('calls')) {
      return `${ofCalls}: belongs to the part calls, which --only leaves out`;
    }
    return {
      quick: values.quick,
      json: values.json,
      only,
      rows,
      profile: values.profile,
      render: list(values.render),
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function list(text: string): string[] {
  return text.split(',').filter((name) => name !== '');
}
