import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Asks twice, and takes both answers for one task. */
export const ASKING_TWICE = {
  runtime: 'workflow',
  steps: [
    { reply: 'Dear reader, {{previous}}' },
    { approval: 'Send this? {{previous}}' },
    { approval: 'Really?' },
    { reply: 'Sent: {{previous}}' },
  ],
};

/** Says "One ", and " two" only when it is told to go on: nobody can be too late for the second half. */
export class HalfwayAssistant {
  static readonly runtime = { runtime: 'command', command: [process.execPath, 'halfway.mjs'] };

  constructor(private readonly dir: string) {
    const go = JSON.stringify(this.goFile);
    writeFileSync(
      join(dir, 'halfway.mjs'),
      `import { existsSync } from 'node:fs';
       process.stdout.write('One ');
       setInterval(() => existsSync(${go}) && process.stdout.write('two', () => process.exit()), 20);`,
    );
  }

  goOn(): void {
    writeFileSync(this.goFile, '');
  }

  private get goFile(): string {
    return join(this.dir, 'go');
  }
}
