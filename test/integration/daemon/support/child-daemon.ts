import { transformFile } from '@swc/core';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const PROJECT = resolve(__dirname, '../../../..');
const MODULES = ['daemon', 'common', 'relay-protocol'];

const PROGRAM = `
import { parseDaemonConfig, startDaemon } from './daemon/index.js';
const [url, dataDir, config] = process.argv.slice(2);
const say = (message) => console.log(message);
try {
  await startDaemon({
    url, dataDir, token: 'rt_test', config: parseDaemonConfig(config),
    logger: { info: say, warn: say, error: say },
  });
} catch (error) {
  console.log(error.name);
  process.exit(7);
}
`;

/** The daemon as ESM in a process of its own, so that it can be killed for real. */
export class DaemonProgram {
  private readonly children: ChildProcess[] = [];

  private constructor(private readonly dir: string) {}

  static async build(): Promise<DaemonProgram> {
    const dir = await mkdtemp(join(tmpdir(), 'hello-daemon-program-'));
    for (const module of MODULES) {
      const root = join(PROJECT, 'src', module);
      for (const name of await readdir(root, { recursive: true })) {
        if (name.endsWith('.ts') && !name.endsWith('.spec.ts'))
          await compile(join(root, name), join(dir, module, name));
      }
    }
    await symlink(join(PROJECT, 'node_modules'), join(dir, 'node_modules'));
    await writeFile(join(dir, 'package.json'), '{"type":"module"}');
    await writeFile(join(dir, 'run.js'), PROGRAM);
    return new DaemonProgram(dir);
  }

  start(url: string, dataDir: string, config: object): ChildProcess {
    const args = [join(this.dir, 'run.js'), url, dataDir, JSON.stringify(config)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.children.push(child);
    return child;
  }

  async remove(): Promise<void> {
    for (const child of this.children) await killed(child);
    await rm(this.dir, { recursive: true, force: true });
  }
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function compile(from: string, to: string): Promise<void> {
  const { code } = await transformFile(from, {
    swcrc: false,
    jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
    module: { type: 'es6' },
  });
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to.replace(/\.ts$/, '.js'), code);
}
