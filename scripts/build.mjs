// Compiles src/ into a fresh dist/ and leaves the stamp by which others know that it is complete.
import { spawnSync } from 'node:child_process';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildStamp, root } from './prepare.mjs';

// The time before compiling, so that a source changed meanwhile counts as newer.
const startedAt = new Date();
rmSync(join(root, 'dist'), { recursive: true, force: true });
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status === 0) {
  writeFileSync(buildStamp, '');
  utimesSync(buildStamp, startedAt, startedAt);
}
process.exitCode = status ?? 1;
