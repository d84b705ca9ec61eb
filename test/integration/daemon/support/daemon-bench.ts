import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import {
  parseDaemonConfig,
  startDaemon,
  type DaemonOptions,
  type RunningDaemon,
} from '../../../../src/daemon/index.js';
import type { SubmitParams } from '../../../../src/relay-protocol/index.js';
import { FakeApi, type FakeApiBehavior } from './fake-api.js';

export interface LogLine {
  level: string;
  message: string;
  fields: Record<string, unknown> | undefined;
}

/** Everything that one test starts, and its end. */
export class DaemonBench {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'hello-daemon-'));
  readonly log: LogLine[] = [];
  private readonly stops: (() => Promise<void>)[] = [];

  async api(changes: Partial<FakeApiBehavior> = {}): Promise<FakeApi> {
    const api = await FakeApi.start(changes);
    this.stops.push(() => api.stop());
    return api;
  }

  async daemon(
    api: FakeApi,
    yaml: string | object,
    changes: Partial<DaemonOptions> = {},
  ): Promise<RunningDaemon> {
    const line = (level: string) => (message: string, fields?: Record<string, unknown>) =>
      void this.log.push({ level, message, fields });
    const daemon = await startDaemon({
      url: api.url,
      token: 'rt_test',
      config: parseDaemonConfig(typeof yaml === 'string' ? yaml : JSON.stringify(yaml)),
      dataDir: this.dataDir,
      logger: { info: line('info'), warn: line('warn'), error: line('error') },
      ...changes,
    });
    this.stops.unshift(() => daemon.stop({ drainMs: 0 }));
    return daemon;
  }

  onEnd(stop: () => Promise<void>): void {
    this.stops.unshift(stop);
  }

  async end(): Promise<void> {
    for (const stop of this.stops) await stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

export function order(changes: Partial<SubmitParams> = {}, text = 'hello'): SubmitParams {
  return {
    jobId: randomUUID(),
    agent: 'helper',
    contextId: 'context-1',
    caller: { accountId: 'account-1' },
    origin: 'a2a',
    interactive: true,
    message: { messageId: 'message-1', text },
    createdAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    ...changes,
  };
}

/** An agent that runs a piece of JavaScript as its program. */
export function script(source: string, more: object = {}): object {
  return { runtime: 'command', command: [process.execPath, '-e', source], ...more };
}
