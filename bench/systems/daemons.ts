import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Done, Order } from '../echo-daemon.js';
import { LOAD_CORE } from './cores.js';
import type { HelloSystem } from './hello-system.js';
import { Program } from './program.js';

const BENCH = fileURLToPath(new URL('../', import.meta.url));

/** The daemons of every computer of a system, together in one process that is not counted as the system's. */
export class Daemons {
  private readonly program: Program;

  constructor(system: HelloSystem, dir: string) {
    const tokensFile = join(dir, 'relay-tokens.json');
    writeFileSync(tokensFile, JSON.stringify(system.relayTokens));
    const args = [join(BENCH, 'run.mjs'), join(BENCH, 'echo-daemon.ts'), system.relayUrl, tokensFile];
    this.program = new Program(args, { logFile: join(dir, 'daemons.log'), core: LOAD_CORE, ipc: true });
  }

  /** @throws with what they printed when they end before the answer */
  async order(order: Order): Promise<Done> {
    const { child } = this.program;
    const failed = once(child, 'exit').then(() => {
      throw new Error(`the daemons ended:\n${this.program.log().slice(-2000)}`);
    });
    child.send(order);
    const [done] = (await Promise.race([once(child, 'message'), failed])) as [Done];
    return done;
  }

  async stop(): Promise<void> {
    await this.program.stop('SIGKILL');
  }
}
