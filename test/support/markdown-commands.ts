import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The shell commands (fenced as `sh`) of a page under the project's root, as they are printed.
 * @returns the first ones of each section by its heading
 */
export function shellCommands(page: string): Map<string, string> {
  const commands = new Map<string, string>();
  const text = readFileSync(join(__dirname, '..', '..', page), 'utf8');
  for (const section of text.split(/^## /m).slice(1)) {
    const heading = section.slice(0, section.indexOf('\n'));
    const [, command] = /^```sh\n(.*?)^```$/ms.exec(section) ?? [];
    if (command !== undefined) commands.set(heading, command);
  }
  return commands;
}
