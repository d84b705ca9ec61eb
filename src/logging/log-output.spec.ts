import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from './create-logger.js';
import { LogOutput } from './log-output.js';
import { requestLines } from './request-line.js';

function output() {
  const writes: string[] = [];
  return { writes, output: new LogOutput({ write: (text) => void writes.push(text) }) };
}

/** A program of its own that writes lines where the service does, and ends in some way. */
async function printedBy(end: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'log-output-'));
  const file = join(folder, 'program.ts');
  const source = JSON.stringify(join(__dirname, 'log-output.ts'));
  writeFileSync(
    file,
    `import { standardOutput } from ${source};
    standardOutput().write('one\\n');
    standardOutput().write('two\\n');
    ${end}`,
  );
  try {
    const loader = join(__dirname, '../../bench/run.mjs');
    const child = spawn(process.execPath, [loader, file], { stdio: ['ignore', 'pipe', 'ignore'] });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await once(child, 'close');
    return printed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('LogOutput', () => {
  it('[O2] writes lines that belong together at once, in their order', async () => {
    const writes: string[] = [];
    await new Promise<void>((resolve) => {
      const lines = new LogOutput({ write: (text) => resolve(void writes.push(text)) });
      lines.write('a\n');
      lines.write('b\n');
      expect(writes).toEqual([]);
    });
    expect(writes).toEqual(['a\nb\n']);
  });

  it('[O2] waits for nobody when there are many', () => {
    const { writes, output: lines } = output();
    const line = `${'x'.repeat(1023)}\n`;
    for (let n = 0; n < 16; n += 1) lines.write(line);
    expect(writes).toEqual([line.repeat(16)]);
  });

  it('[O2] keeps the order of lines of the logger and of requests, and writes a fatal one at once', () => {
    const { writes, output: lines } = output();
    const logger = createLogger('info', lines);
    logger.info('first');
    requestLines(logger, lines).info(
      {
        requestId: 'r',
        traceId: undefined,
        method: 'GET',
        route: '/',
        path: '/',
        status: 200,
        durationMs: 1,
      },
      'second',
    );
    expect(writes).toEqual([]);
    logger.fatal('third');
    const messages = writes.join('').trim().split('\n');
    expect(messages.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it.each([['process.exit(3)'], ["throw new Error('an accident')"], ['']])(
    '[R8] loses nothing of a process that ends: %s',
    async (end) => {
      expect(await printedBy(end)).toBe('one\ntwo\n');
    },
    60_000,
  );
});
