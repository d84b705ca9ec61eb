import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { READER, TEXT, plannedTasks } from '../seed-plan.js';
import { Program } from './program.js';
import type { System, SystemName } from './system.js';

const PEERS = fileURLToPath(new URL('../peers/', import.meta.url));

export interface PeerOptions {
  /** An empty folder for its files. */
  dir: string;
  /** Tasks that the reader has from the start, and when the newest was made. */
  seed: { total: number; untilMs: number };
}

/** Starts one of the programs of `peers/`. Their accounts are names that nobody verifies. */
export async function startPeer(name: Exclude<SystemName, 'hello'>, options: PeerOptions): Promise<System> {
  const program = new Program(argumentsOf(name, options), { logFile: join(options.dir, `${name}.log`) });
  const [, port] = await program.printed(/^listens on (\d+)$/m);
  return {
    name,
    pid: program.pid,
    port: Number(port),
    rpcPath: '/a2a',
    cardPath: '/.well-known/agent-card.json',
    authorization: (accountId) => `Bearer ${accountId}`,
    stop: async () => void (await program.stop('SIGKILL')),
  };
}

function argumentsOf(name: Exclude<SystemName, 'hello'>, { dir, seed }: PeerOptions): string[] {
  if (name === 'http') return [join(PEERS, 'node-http.mjs')];
  const seedFile = join(dir, `${name}.seed.json`);
  const tasks = plannedTasks(seed.total, seed.untilMs);
  writeFileSync(seedFile, JSON.stringify({ accountId: READER, text: TEXT, tasks }));
  const database = name === 'sdkDatabase' ? ['--database', join(dir, 'sdk.sqlite')] : [];
  return [join(PEERS, 'sdk-server.mjs'), '--seed', seedFile, ...database];
}
