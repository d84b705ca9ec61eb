import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The rows of all tables of a page under the project's root, each as its cells by the header of their column.
 * Code marks are taken off a cell that is nothing but code.
 */
export function tableRows(page: string): Record<string, string>[] {
  const rows: Record<string, string>[] = [];
  let columns: string[] | undefined;
  for (const line of readFileSync(join(__dirname, '..', '..', page), 'utf8').split('\n')) {
    if (!line.startsWith('|')) columns = undefined;
    else if (!columns) columns = cellsOf(line);
    else if (!/^[| :-]+$/.test(line)) {
      const cells = cellsOf(line);
      rows.push(Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])));
    }
  }
  return rows;
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1'));
}
