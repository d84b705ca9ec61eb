#!/usr/bin/env node
// Starts the `hello` command from the built program, or says in one line why it cannot.
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
const program = new URL('../dist/src/cli/main.js', import.meta.url);

function refuse(reason) {
  console.error(`hello: ${reason}`);
  process.exit(1);
}

if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`Node.js ${process.versions.node} is too old; install 20.19 or newer (https://nodejs.org).`);
}
if (!existsSync(program)) {
  refuse('the program is not built yet; run `npm ci && npm run build` in its folder first.');
}
const { main } = await import(program.href);
process.exitCode = await main(process.argv);
// Whatever is left open (a kept-alive connection, say) may not keep a finished command from ending.
setTimeout(() => process.exit(), 2000).unref();
