import { Heartbeats } from './heartbeats.js';

const HEARTBEAT_MS = 20_000;

class Link {
  readonly beatsAtMs: number[] = [];
  beat(): void {
    this.beatsAtMs.push(performance.now());
  }
}

describe('Heartbeats', () => {
  beforeEach(() => jest.useFakeTimers({ now: 0 }));
  afterEach(() => jest.useRealTimers());

  it('[R3] lets a link beat within a heartbeat after it came, and then once in each', () => {
    const heartbeats = new Heartbeats(HEARTBEAT_MS);
    for (let waitedMs = 0; waitedMs < HEARTBEAT_MS; waitedMs += 700) {
      const link = new Link();
      const cameAtMs = performance.now();
      heartbeats.add(link);
      jest.advanceTimersByTime(3 * HEARTBEAT_MS + 1);
      const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = link.beatsAtMs;
      expect(first - cameAtMs).toBeLessThanOrEqual(HEARTBEAT_MS + 1);
      expect([second - first, third - second]).toEqual([HEARTBEAT_MS, HEARTBEAT_MS]);
      jest.advanceTimersByTime(700 - 1);
    }
  });

  it('does not let links that came at different moments beat at once', () => {
    const heartbeats = new Heartbeats(HEARTBEAT_MS);
    const links = [new Link(), new Link()];
    for (const link of links) {
      heartbeats.add(link);
      jest.advanceTimersByTime(HEARTBEAT_MS / 2);
    }
    jest.advanceTimersByTime(2 * HEARTBEAT_MS);
    const [early, late] = links.map(({ beatsAtMs }) => beatsAtMs[0] ?? Number.NaN);
    expect(Number(late) - Number(early)).toBe(HEARTBEAT_MS / 2);
  });

  it('lets who was taken out beat no more, keeps no timer for nobody, and begins anew', () => {
    const heartbeats = new Heartbeats(HEARTBEAT_MS);
    const gone = new Link();
    heartbeats.add(gone).delete(gone);
    jest.advanceTimersByTime(2 * HEARTBEAT_MS);
    expect(gone.beatsAtMs).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
    const link = new Link();
    heartbeats.add(link);
    jest.advanceTimersByTime(HEARTBEAT_MS + 1);
    expect(link.beatsAtMs).toHaveLength(1);
  });

  it('goes by whole heartbeats where they are so short that parts of them would come late', () => {
    const heartbeats = new Heartbeats(100);
    const link = new Link();
    heartbeats.add(link);
    jest.advanceTimersByTime(1_001);
    expect(link.beatsAtMs).toHaveLength(10);
  });
});
