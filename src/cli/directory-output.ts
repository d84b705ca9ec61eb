import type { Command } from 'commander';
import type { DirectoryOptions } from './directory-store.js';
import type { Terminal } from './terminal.js';

/** Where a column's text comes from, by its heading. */
export type Columns<V> = Record<string, (view: V) => string | Date | undefined>;

/** A command on the directory, with the options that all of them have. */
export function directoryCommand(group: Command, form: string, description: string): Command {
  return group
    .command(form)
    .description(description)
    .option('--json', 'print JSON instead of text for people')
    .option('--store <file>', 'the database (or A2A_STORE_PATH; ./data/a2a.sqlite)');
}

/** Prints a list: JSON, or a table. An empty table is a line on stderr, so that a pipe carries nothing. */
export function printList<V>(
  views: V[],
  columns: Columns<V>,
  { json }: DirectoryOptions,
  terminal: Terminal,
): void {
  if (json) printJson(views, terminal);
  else if (views.length === 0) terminal.note('There are none.');
  else {
    const rows = views.map((view) => Object.values(columns).map((cellOf) => textOf(cellOf(view))));
    for (const line of aligned([Object.keys(columns), ...rows])) terminal.out(line);
  }
}

/** Prints one entry: `json` whole, or a line for each text that there is. */
export function printEntry(
  entry: { json: object; lines: Record<string, string | Date | undefined> },
  options: DirectoryOptions,
  terminal: Terminal,
): void {
  if (options.json) {
    printJson(entry.json, terminal);
    return;
  }
  const lines = Object.entries(entry.lines).filter(([, value]) => value !== undefined);
  for (const line of aligned(lines.map(([name, value]) => [name, textOf(value)]))) terminal.out(line);
}

/** Prints a new secret: alone on stdout, so that `TOKEN=$(hello …)` works, or as a member of the entry. */
export function printSecret(
  { json, secret, about }: { json: object; secret: string; about: string },
  options: DirectoryOptions,
  terminal: Terminal,
): void {
  if (options.json) {
    printJson(json, terminal);
    return;
  }
  terminal.note(about);
  terminal.out(secret);
}

export function printJson(value: object, terminal: Terminal): void {
  terminal.out(JSON.stringify(value, null, 2));
}

/** Texts come from whoever wrote the directory: control characters must not reach the terminal. */
function textOf(value: string | Date | undefined): string {
  const text = value instanceof Date ? value.toISOString() : (value ?? '-');
  return text.replaceAll(/\p{C}+/gu, ' ');
}

function aligned(rows: string[][]): string[] {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
