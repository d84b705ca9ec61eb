// `npm run bench -- [--quick] [--json FILE]`: builds the program, installs its peers, and runs bench/ (docs/performance.md).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  // A copy of what was installed, and not a time: a checkout makes every file new.
  const stamp = join(folder, 'node_modules', '.installed-lock.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('Installing the peers in bench/peers (npm ci); compiling better-sqlite3 can take minutes …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, ...headersBesideNode() },
  });
  if (status !== 0) fail('npm ci failed in bench/peers; its output above says why.');
  writeFileSync(stamp, lock);
}

/** What compiles native code would download Node's headers; where they lie beside node, it uses those. */
function headersBesideNode() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: prefix } : {};
}
