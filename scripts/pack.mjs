// Packs the built package, checks what is in it, and runs the tests of examples/nest-app against it in an empty folder.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, root } from './prepare.mjs';

const FORBIDDEN = /\.spec\.|(^|\/)(test|bench|data|\.env)(\/|$)|\.sqlite|\.map$/;
const IMPORT = /(?:from|import) '([^']+)'/g;

ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'hello-pack-'));
try {
  const tarball = pack();
  checkImports(join(root, 'examples', 'nest-app'));
  tryExample(tarball);
  console.log('The package is complete: the example was installed from it, built, and passed its tests.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack() {
  const [packed] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root),
  );
  const files = packed.files.map(({ path }) => path);
  const wrong = files.filter((path) => FORBIDDEN.test(path));
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needed = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? target : Object.values(target),
  );
  const missing = needed.map((path) => path.replace('./', '')).filter((path) => !files.includes(path));
  if (wrong.length > 0) throw new Error(`The package holds what it should not: ${wrong.join(', ')}`);
  if (missing.length > 0) throw new Error(`The package lacks ${missing.join(', ')}`);
  return join(folder, packed.filename);
}

/** The example may use what the package exports, and nothing beside its own folder. */
function checkImports(example) {
  for (const part of ['src', 'test']) {
    for (const file of readdirSync(join(example, part))) {
      const text = readFileSync(join(example, part, file), 'utf8');
      for (const [, name] of text.matchAll(IMPORT)) {
        const allowed = name.startsWith('hello-api')
          ? /^hello-api(\/(relay-protocol|daemon|testing))?$/.test(name)
          : !/^\.\.\/\.\.|^\//.test(name);
        if (!allowed) throw new Error(`examples/nest-app/${part}/${file} imports ${name}`);
      }
    }
  }
}

function tryExample(tarball) {
  const app = join(folder, 'app');
  cpSync(join(root, 'examples', 'nest-app'), app, { recursive: true });
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball], app);
  // The native part of the database driver: the one that was compiled for this repository, for the same version.
  const native = join('node_modules', 'sqlite3', 'build');
  cpSync(join(root, native), join(app, native), { recursive: true });
  run('npm', ['run', '--silent', 'build'], app);
  console.log(run('npm', ['test', '--silent'], app).split('\n').slice(-10).join('\n'));
}

function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
}
