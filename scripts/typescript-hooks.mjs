// Lets Node load the project's TypeScript as it stands, for programs of the test tree that run outside Jest.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

/** Sources import each other as `.js`, the name that the compiler gives them. */
export async function resolve(specifier, context, nextResolve) {
  const isOurs = context.parentURL?.endsWith('.ts') && specifier.startsWith('.') && specifier.endsWith('.js');
  return await nextResolve(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return await nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    module: { type: 'es6' },
  });
  return { format: 'module', source: code, shortCircuit: true };
}
