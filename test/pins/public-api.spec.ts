import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const script = join(root, 'scripts', 'public-api.mjs');

/** In a process of its own: the compiler needs no place in that of the tests. */
function asIs(): { report: string; digest: string } {
  const program = `import { digestOf, publicApi } from ${JSON.stringify(script)};
    const report = publicApi(); console.log(JSON.stringify({ report, digest: digestOf(report) }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as { report: string; digest: string };
}

describe('the public interface', () => {
  it('is as it was written down: after a change, `npm run api` and a line in CHANGELOG.md', () => {
    const { report, digest } = asIs();
    expect(report).toBe(readFileSync(join(__dirname, 'public-api.txt'), 'utf8'));
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`public interface ${digest}`);
  }, 120_000);
});
