import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const pinned = readFileSync(join(__dirname, 'public-api.txt'), 'utf8');

/** In a process of its own: the compiler needs no place in that of the tests. */
function reportOf(folder: string): { report: string; digest: string } {
  const program = `import { digestOf, publicApi } from ${JSON.stringify(join(folder, 'scripts', 'public-api.mjs'))};
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
    const { report, digest } = reportOf(root);
    expect(report).toBe(pinned);
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`public interface ${digest}`);
  }, 180_000);
});

/** What is changed, under which name the change must show, and how: a file, a text in it, and what stands instead. */
type Mutation = [what: string, name: string, file: string, text: string, instead: string];

const MUTATIONS: Mutation[] = [
  ['a name', 'hashSecret', 'index.ts', 'SystemClock, hashSecret }', 'SystemClock, hashSecret as hashOf }'],
  [
    'the names, of which one is new',
    'newName',
    'index.ts',
    'export { RelayJobExecutor }',
    'export const newName = 1;\nexport { RelayJobExecutor }',
  ],
  [
    'the type of a parameter',
    'AgentDirectory',
    'directory/agent-directory.ts',
    'abstract findById(agentId: string)',
    'abstract findById(agentId: string | number)',
  ],
  [
    'what is returned',
    'Clock',
    'common/clock.ts',
    'abstract now(): number',
    'abstract now(): Promise<number>',
  ],
  ['an inferred type', 'report', 'testing/scripted-executor.ts', '): TaskReport {', ') {'],
  [
    'a member that may be left out',
    'Task',
    'tasks/task.ts',
    '  reply?: string;\n  /** Whether',
    '  reply: string;\n  /** Whether',
  ],
  ['the members, of which one is gone', 'TaskFilter', 'tasks/task-store.ts', '  statusSinceMs?: number;', ''],
  [
    'the members, of which one is new',
    'JobOrder',
    'tasks/job-executor.ts',
    '  expiresAtMs: number;',
    '  expiresAtMs: number;\n  urgent: boolean;',
  ],
  [
    'a value of a union',
    'Visibility',
    'directory/agent-directory.ts',
    "'public' | 'link'",
    "'public' | 'friends' | 'link'",
  ],
  [
    'a literal',
    'SUBPROTOCOL',
    'relay-protocol/frames.ts',
    "SUBPROTOCOL = 'hello.relay.v1'",
    "SUBPROTOCOL = 'hello.relay.v2'",
  ],
  [
    'a type that is only mentioned',
    'RelaySettings',
    'relay/relay.settings.ts',
    'abstract readonly heartbeatMs: number',
    'abstract readonly heartbeatMs: string',
  ],
];

/** @returns the text of a name; none when it is not there */
function sectionOf(report: string, name: string): string | undefined {
  return report.split(/^### /m).find((section) => section.startsWith(`${name}\n`));
}

describe('the pin of the public interface', () => {
  const copy = mkdtempSync(join(tmpdir(), 'hello-api-pin-'));
  let report: string;

  beforeAll(() => {
    for (const part of [
      'src',
      'scripts',
      'ormconfig.ts',
      'package.json',
      'tsconfig.json',
      'tsconfig.build.json',
    ]) {
      cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const [what, , file, text, instead] of MUTATIONS) {
      const path = join(copy, 'src', file);
      const before = readFileSync(path, 'utf8');
      if (!before.includes(text)) throw new Error(`${file} has nothing to change for ${what}`);
      writeFileSync(path, before.replace(text, instead));
    }
    ({ report } = reportOf(copy));
  }, 180_000);
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it.each(MUTATIONS)('notices a change of %s (%s)', (_, name) => {
    expect(sectionOf(report, name)).not.toBe(sectionOf(pinned, name));
  });

  it('notices nothing else', () => {
    const names = (text: string) => text.split(/^### /m).map((section) => section.split('\n')[0] ?? '');
    const changed = names(`${pinned}\n${report}`).filter(
      (name) => sectionOf(report, name) !== sectionOf(pinned, name),
    );
    const meant = MUTATIONS.map(([, name]) => name);
    expect([...new Set(changed)].sort()).toEqual([...meant, 'hashOf'].sort());
  });
});
