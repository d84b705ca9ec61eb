import { setTimeout as pause } from 'node:timers/promises';
import type { CrashSite } from './crash-site.js';
import type { Ledger } from './ledger.js';
import type { Random } from './random.js';
import type { Direction, TcpProxy } from './tcp-proxy.js';

type Line = 'client' | 'relay';

export type Disturbance =
  /** `again`: killed once more so long after its new start, mostly before it is ready. */
  | { kind: 'kill'; side: 'api' | 'daemon' | 'both'; downMs: number; againAfterMs?: number }
  | { kind: 'cut'; line: Line }
  | { kind: 'drop answers'; line: Line; count: number }
  | { kind: 'stall'; line: Line; direction: Direction; ms: number; thenCut: boolean };

/** Disturbances that begin when so many messages have been started; each a pause after the one before. */
export interface Trouble {
  atMessage: number;
  steps: { afterMs: number; disturbance: Disturbance }[];
}

const MESSAGES_PER_TROUBLE = 150;
const LEAST_TROUBLES = 5;
const MOST_STEPS = 3;

/** Spreads troubles over the messages; the most important ones come first, so that a short run has all of them. */
export function planTroubles(jobs: number, random: Random): Trouble[] {
  const count = Math.max(LEAST_TROUBLES, Math.round(jobs / MESSAGES_PER_TROUBLE));
  const deck = deckOf(count * MOST_STEPS, random);
  return Array.from({ length: count }, (_, index) => ({
    atMessage: Math.floor(((index + random.next()) * jobs) / count),
    steps: deck.splice(0, random.pick([1, 1, 2, MOST_STEPS])).map((disturbance) => ({
      afterMs: random.whole(0, 600),
      disturbance,
    })),
  }));
}

/** Starting the API takes longest, so that it is killed less often than the daemon. */
function deckOf(least: number, random: Random): Disturbance[] {
  const main = [
    () => kill('api', random),
    () => kill('daemon', random),
    () => dropAnswers(random),
    () => stall('relay', random),
  ];
  const all = [
    ...main,
    () => kill('daemon', random),
    () => kill('both', random),
    () => cut('relay'),
    () => cut('client'),
    () => dropAnswers(random),
    () => stall('client', random),
  ];
  const deck = random.shuffled(main);
  while (deck.length < least) deck.push(...random.shuffled(all));
  return deck.map((draw) => draw());
}

function kill(side: 'api' | 'daemon' | 'both', random: Random): Disturbance {
  const again = random.chance(0.25) ? { againAfterMs: random.whole(0, 1500) } : {};
  return { kind: 'kill', side, downMs: random.whole(0, 400), ...again };
}

function cut(line: Line): Disturbance {
  return { kind: 'cut', line };
}

function dropAnswers(random: Random): Disturbance {
  const line = random.pick(['client', 'client', 'relay'] as const);
  return { kind: 'drop answers', line, count: line === 'relay' ? 1 : random.whole(1, 12) };
}

/** Some stalls last longer than the heartbeats wait (1.5 s and the daemon's two and a half times that). */
function stall(line: Line, random: Random): Disturbance {
  const direction = random.pick(['to-server', 'to-client', 'both'] as const);
  return {
    kind: 'stall',
    line,
    direction,
    ms: random.whole(100, random.pick([800, 2500, 5000])),
    thenCut: random.chance(0.5),
  };
}

/** Carries out the plan, one disturbance after another, and leaves everything running and joined at the end. */
export class Chaos {
  constructor(
    private readonly site: CrashSite,
    private readonly ledger: Ledger,
    private readonly over: AbortSignal,
  ) {}

  /** @param reached resolves when so many messages have been started, or none will be any more */
  async run(troubles: readonly Trouble[], reached: (messages: number) => Promise<void>): Promise<void> {
    for (const { atMessage, steps } of troubles) {
      await reached(atMessage);
      for (const { afterMs, disturbance } of steps) {
        if (this.over.aborted) return;
        await pause(afterMs);
        await this.disturb(disturbance);
      }
    }
  }

  private async disturb(disturbance: Disturbance): Promise<void> {
    switch (disturbance.kind) {
      case 'kill':
        return await this.kill(disturbance);
      case 'cut':
        this.ledger.count('connections cut', this.line(disturbance.line).cut());
        return;
      case 'drop answers':
        this.ledger.count('answers dropped', disturbance.count);
        this.line(disturbance.line).dropAnswers(disturbance.count);
        return;
      case 'stall':
        return await this.stall(disturbance);
    }
  }

  private async kill(how: Disturbance & { kind: 'kill' }): Promise<void> {
    const { site } = this;
    const api = how.side !== 'daemon';
    const daemon = how.side !== 'api';
    const times = how.againAfterMs === undefined ? 1 : 2;
    for (let time = 0; time < times; time += 1) {
      if (time > 0) await pause(how.againAfterMs);
      await Promise.all([api && site.killApi(), daemon && site.killDaemon()]);
      if (api) this.ledger.count('API killed');
      if (daemon) this.ledger.count('daemon killed');
      await pause(how.downMs);
      if (api) site.launchApi();
      if (daemon) site.launchDaemon();
    }
    if (api) await site.apiListens();
  }

  private async stall(how: Disturbance & { kind: 'stall' }): Promise<void> {
    const line = this.line(how.line);
    this.ledger.count('stalls');
    line.stall(how.direction);
    await pause(how.ms);
    if (how.thenCut) this.ledger.count('connections cut', line.cut());
    line.resume();
  }

  private line(name: Line): TcpProxy {
    return name === 'client' ? this.site.clientLine : this.site.relayLine;
  }
}
