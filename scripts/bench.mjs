// `npm run bench -- [--quick] [--json FILE]`: builds the program, installs its peers, and runs bench/ (docs/performance.md).
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, join } from 'node:path';
import { ensureBuilt, ensureInstalled, fail, requireNode, root } from './prepare.mjs';

requireNode();
ensureInstalled();
ensureBuilt();
ensurePeersInstalled();
register('./typescript-hooks.mjs', import.meta.url);
const { main } = await import('../bench/main.ts');
process.exit(await main(process.argv.slice(2), root));

/** The peers have a package of their own, since one of them may have to be compiled: minutes that no test should wait for. */
function ensurePeersInstalled() {
  const folder = join(root, 'bench', 'peers');
  const installed = join(folder, 'node_modules', '.package-lock.json');
  const isNewer = (file) => statSync(installed).mtimeMs >= statSync(join(folder, file)).mtimeMs;
  if (existsSync(installed) && isNewer('package-lock.json')) return;
  console.log('Installing the peers in bench/peers (npm ci); compiling better-sqlite3 can take minutes …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, ...headersBesideNode() },
  });
  if (status !== 0) fail('npm ci failed in bench/peers; its output above says why.');
}

/** What compiles native code would download Node's headers; where they lie beside node, it uses those. */
function headersBesideNode() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: prefix } : {};
}
