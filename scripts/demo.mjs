// `npm run demo`: makes a fresh clone ready, then runs `hello demo` in this process.
import { ensureBuilt, ensureInstalled, requireNode } from './prepare.mjs';

requireNode();
ensureInstalled();
ensureBuilt();
process.argv.splice(2, 0, 'demo');
await import('../bin/hello.mjs');
