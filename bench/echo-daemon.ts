import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { DaemonLink } from './daemon-link.js';

/** What the benchmark may ask of the daemons, over the process's channel; each is answered by one `Done`. */
export type Order =
  | { do: 'connect' }
  /** Cuts every link and connects anew. */
  | { do: 'reconnect' }
  /** Reports progress of every job over and over, each on the link of its place in the list. */
  | { do: 'report'; forMs: number; jobIds: string[] }
  /** Says pieces of output of a held job on the first link, then finishes it. */
  | { do: 'speak'; jobId: string; pieces: number }
  /** Asks what no API answers with anything but an error, so many times on every link. */
  | { do: 'roundTrips'; times: number; inFlight: number };

export interface Done {
  /** Links that were opened, reports that were acknowledged, questions that were answered, or pieces that were said. */
  count: number;
  seconds: number;
}

/** Links that are opened at once. */
const BURST = 100;

const [url = '', tokensFile = ''] = process.argv.slice(3);
const tokens = JSON.parse(readFileSync(tokensFile, 'utf8')) as string[];
let links: DaemonLink[] = [];

async function connectAll(): Promise<number> {
  const waiting = [...tokens.entries()];
  const opened: DaemonLink[] = [];
  const openSome = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [at, token] = next;
      opened[at] = await DaemonLink.open(url, token);
    }
  };
  await Promise.all(Array.from({ length: BURST }, openSome));
  links = opened;
  return links.length;
}

async function obey(order: Order): Promise<number> {
  if (order.do === 'report') return await reportAll(order);
  if (order.do === 'speak') return (await links[0]?.speak(order.jobId, order.pieces)) ?? 0;
  if (order.do === 'roundTrips') return await askAll(order);
  const closed = links.map((link) => once(link.socket, 'close'));
  for (const link of links) link.socket.terminate();
  await Promise.all(closed);
  return await connectAll();
}

async function reportAll(order: Extract<Order, { do: 'report' }>): Promise<number> {
  const until = performance.now() + order.forMs;
  const counts = await Promise.all(
    order.jobIds.map(async (jobId, n) => (await links[n % links.length]?.reportUntil(until, jobId)) ?? 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function askAll({ times, inFlight }: Extract<Order, { do: 'roundTrips' }>): Promise<number> {
  const askInTurn = async (link: DaemonLink): Promise<void> => {
    for (let asked = 0; asked < times / inFlight; asked += 1) await link.roundTrip();
  };
  await Promise.all(links.flatMap((link) => Array.from({ length: inFlight }, () => askInTurn(link))));
  return links.length * Math.ceil(times / inFlight) * inFlight;
}

process.on('message', (order: Order) => {
  const startedAt = performance.now();
  void obey(order).then((count) => {
    process.send?.({ count, seconds: (performance.now() - startedAt) / 1000 } satisfies Done);
  });
});
process.on('disconnect', () => process.exit());
