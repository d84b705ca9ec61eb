import { setTimeout as pause } from 'node:timers/promises';
import { HttpConnection, type Answer } from './http-connection.js';

/** A request as it goes over the wire, and what its answer must be. */
export interface Call {
  request: string;
  /** @throws when the answer is not the right one; that fails the whole run */
  check: (answer: Answer) => void;
}

export interface Load {
  port: number;
  connections: number;
  /** The next call, or `undefined` when there is none left. */
  next: () => Call | undefined;
  /** Asked before each call; without it the calls must come to an end. */
  goesOn?: (soFar: LoadSize) => boolean;
  /** How long a client waits between an answer and its next call; not at all by default. */
  pauseMs?: number;
}

export interface LoadSize {
  requests: number;
  ms: number;
}

/** Both must be reached: the requests so that slow and fast servers do comparable work, the time for the clock's sake. */
export function atLeast(size: LoadSize): (soFar: LoadSize) => boolean {
  return ({ requests, ms }) => requests < size.requests || ms < size.ms;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  latenciesMs: number[];
}

/** Keeps every connection busy with one call after the other. @throws at the first wrong answer */
export async function runLoad(load: Load): Promise<LoadResult> {
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => HttpConnection.open(load.port)),
  );
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const soFar = () => ({ requests: latenciesMs.length, ms: performance.now() - startedAt });
  const goesOn = () => load.goesOn?.(soFar()) ?? true;
  try {
    await Promise.all(connections.map((connection) => keepBusy(connection, { load, goesOn, latenciesMs })));
  } finally {
    for (const connection of connections) connection.close();
  }
  return {
    requests: latenciesMs.length,
    seconds: (performance.now() - startedAt) / 1000,
    latenciesMs,
  };
}

async function keepBusy(
  connection: HttpConnection,
  { load, goesOn, latenciesMs }: { load: Load; goesOn: () => boolean; latenciesMs: number[] },
): Promise<void> {
  while (goesOn()) {
    const call = load.next();
    if (!call) return;
    const begunAt = performance.now();
    const answer = await connection.send(call.request);
    latenciesMs.push(performance.now() - begunAt);
    call.check(answer);
    if (load.pauseMs !== undefined) await pause(load.pauseMs);
  }
}
