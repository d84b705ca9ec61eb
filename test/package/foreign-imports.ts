import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const SOURCE = /\.[cm]?[jt]sx?$/;
const ENTRY_POINT = /^hello-api(\/(relay-protocol|daemon|testing))?$/;

/**
 * The imports by which an application reaches into the package, or out of its own folder: of any kind, as the compiler sees them.
 * @param folder of the application; what is in a `node_modules` or `dist` of it is not looked at
 * @returns one line for each, with the file
 */
export function foreignImports(folder: string): string[] {
  return sourcesIn(folder).flatMap((file) =>
    importsOf(readFileSync(file, 'utf8'))
      .filter((name) => !isAllowed(name, file, folder))
      .map((name) => `${relative(folder, file)} imports ${name}`),
  );
}

/** Static, dynamic and type imports, exports from elsewhere, and `require`; in whatever quotes. */
function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

function isAllowed(name: string, file: string, folder: string): boolean {
  if (name === 'hello-api' || name.startsWith('hello-api/')) return ENTRY_POINT.test(name);
  if (!name.startsWith('.') && !name.startsWith('/') && !name.startsWith('file:')) return true;
  const inside = relative(folder, resolve(dirname(file), name.replace(/^file:\/\//, '')));
  return !inside.startsWith('..') && !inside.split(/[\\/]/).includes('node_modules');
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesIn(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}
