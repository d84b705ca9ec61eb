import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import {
  parseDaemonConfig,
  startDaemon,
  type RunningDaemon,
  type Runtime,
} from '../../../src/daemon/index.js';
import { DaemonSide, TOKEN, type TestedDaemon } from '../../support/transcript-daemon.js';
import { transcriptsFor } from '../../support/transcript-file.js';
import { Names } from '../../support/transcript-names.js';
import { play } from '../../support/transcript-runner.js';

const CONFIG = {
  concurrency: 1,
  queueLimit: 1,
  agents: {
    echo: { runtime: 'echo' },
    asks: { runtime: 'workflow', steps: [{ approval: 'Go on?' }, { reply: 'Done.' }] },
  },
};

const waits: Runtime = {
  run: async (_job, { signal }) => {
    if (!signal.aborted) await once(signal, 'abort');
    return { state: 'failed', statusText: 'stopped' };
  },
};

const streams: Runtime = {
  run: async ({ text }, { emit }) => {
    emit(text.slice(0, 3));
    emit(text.slice(3));
    return { state: 'succeeded', reply: text };
  },
};

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The reference daemon, in this process. */
class ReferenceDaemon implements TestedDaemon {
  private readonly dataDir = mkdtempSync(join(tmpdir(), 'hello-transcripts-'));
  private running: RunningDaemon | undefined;

  async start(url: string): Promise<void> {
    this.running = await startDaemon({
      url,
      token: TOKEN,
      config: parseDaemonConfig(JSON.stringify(CONFIG)),
      dataDir: this.dataDir,
      logger: quiet,
      runtimes: { waits, streams },
      timing: { updateRepeatMs: 20, flushMs: 200 },
    });
  }

  drain(): void {
    void this.running?.stop({ drainMs: 60_000 });
  }

  async restart(url: string): Promise<void> {
    await this.running?.stop({ drainMs: 0 });
    await this.start(url);
  }

  async ended(): Promise<string> {
    return (await this.running?.finished)?.reason ?? 'not started';
  }

  async stop(): Promise<void> {
    await this.running?.stop({ drainMs: 0 });
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

describe('the reference daemon in the recorded conversations', () => {
  it.each(transcriptsFor('daemon').map((transcript) => [transcript.title, transcript] as const))(
    '%s',
    async (_title, transcript) => {
      const side = await DaemonSide.open(new ReferenceDaemon());
      const names = new Names();
      names.bind('$agent', transcript.runtime);
      try {
        await play(transcript, side, names);
      } finally {
        await side.close();
      }
    },
  );
});
