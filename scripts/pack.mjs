// Packs the built package, checks what is in it, and tries it in empty folders: docs/extending.md as its reader does, and
// the tests of examples/nest-app.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, root } from './prepare.mjs';

register('./typescript-hooks.mjs', import.meta.url);
const { checkTypes } = await import('../test/package/check-types.ts');
const { contentProblems } = await import('../test/package/contents.ts');
const { foreignImports } = await import('../test/package/foreign-imports.ts');
const { stagesOf } = await import('../test/package/page-stages.ts');
const { run } = await import('../test/package/processes.ts');
const { tryPage, writeFiles } = await import('../test/package/try-page.ts');

const example = join(root, 'examples', 'nest-app');
const page = readFileSync(join(root, 'docs', 'extending.md'), 'utf8');

ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'hello-pack-'));
try {
  refuse(foreignImports(example));
  const tarball = step('packed', pack);
  const project = join(folder, 'page');
  const stages = stagesOf(page);
  step('the project of docs/extending.md is installed', () => {
    writeFiles(stages[0], project);
    install(project, tarball);
    refuse(foreignImports(project));
  });
  step('its types are complete, and nothing inside can be imported', () => checkTypes(project));
  await step('the page works as it is printed', () => tryPage(stages, project));
  const app = join(folder, 'app');
  step('the example is installed', () => {
    cpSync(example, app, { recursive: true, filter: (path) => !/[\\/](node_modules|dist)$/.test(path) });
    // What both need is there already; npm adds what is missing.
    renameSync(join(project, 'node_modules'), join(app, 'node_modules'));
    install(app, tarball);
  });
  step('the example passes its tests', () => {
    run('npm', ['run', '--silent', 'build'], { cwd: app });
    console.log(
      run('npm', ['test', '--silent'], { cwd: app })
        .match(/^# (tests|pass|fail) .*$/gm)
        ?.join('\n'),
    );
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack() {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(run('npm', args, { cwd: root }));
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  refuse(
    contentProblems(
      packed.files.map(({ path }) => path),
      exports,
    ),
  );
  return join(folder, packed.filename);
}

/** Installs as npm does, but for the native part of the database driver: it is compiled already, for the same version. */
function install(project, tarball) {
  const args = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', tarball];
  run('npm', args, { cwd: project });
  const native = join('node_modules', 'sqlite3', 'build');
  mkdirSync(join(project, native), { recursive: true });
  cpSync(join(root, native), join(project, native), { recursive: true });
}

function refuse(problems) {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Says what was done, and how long it took. */
function step(what, work) {
  const startedAt = Date.now();
  const done = (result) => {
    console.log(`${what} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
    return result;
  };
  const result = work();
  return result instanceof Promise ? result.then(done) : done(result);
}
