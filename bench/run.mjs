// Loads a TypeScript program of this folder as it stands: `node bench/run.mjs PROGRAM.ts [arguments]`.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

register('../scripts/typescript-hooks.mjs', import.meta.url);
await import(pathToFileURL(process.argv[2]).href);
