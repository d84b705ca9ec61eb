// `npm run crash -- --jobs N --seed S`: builds the program if needed and runs test/crash against it.
import { register } from 'node:module';
import { ensureBuilt, requireNode } from './prepare.mjs';

requireNode();
ensureBuilt();
register('./typescript-hooks.mjs', import.meta.url);
const { main } = await import('../test/crash/main.ts');
process.exitCode = await main(new URL('../bin/hello.mjs', import.meta.url));
