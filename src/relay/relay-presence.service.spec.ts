import type { AgentDirectory } from '../directory/index.js';
import { RelayPresence } from './relay-presence.service.js';
import type { RelaySession } from './relay-session.js';

const session = {
  identity: { computerId: 'computer-1', tokenHash: 'x' },
  about: { computerId: 'computer-1', sessionId: 's' },
} as RelaySession;

describe('RelayPresence', () => {
  it('[R3] writes when a computer comes or goes, and at most once a minute while it is there', () => {
    let nowMs = 0;
    const seen: number[] = [];
    const directory: Pick<AgentDirectory, 'recordSeen'> = {
      recordSeen: async (_computerId, atMs) => void seen.push(atMs),
    };
    const presence = new RelayPresence(directory as AgentDirectory, { now: () => nowMs });
    presence.record(session);
    for (nowMs = 20_000; nowMs <= 140_000; nowMs += 20_000) presence.keep(session);
    presence.record(session);
    expect(seen).toEqual([0, 60_000, 120_000, 160_000]);
  });
});
