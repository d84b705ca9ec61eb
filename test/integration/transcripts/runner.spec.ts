import { once } from 'node:events';
import { WebSocket } from 'ws';
import { DaemonSide, TOKEN } from '../../support/transcript-daemon.js';
import { transcriptsFor } from '../../support/transcript-file.js';
import { Names } from '../../support/transcript-names.js';
import { play } from '../../support/transcript-runner.js';

const opening = transcriptsFor('daemon').filter(({ name }) => name === 'opening');

/** A daemon that says what it is told once it is connected, and answers whatever it is asked. */
async function saying(...frames: object[]): Promise<DaemonSide> {
  let socket: WebSocket | undefined;
  const start = async (url: string): Promise<void> => {
    const opened = new WebSocket(url, 'hello.relay.v1', { headers: { Authorization: `Bearer ${TOKEN}` } });
    socket = opened;
    opened.on('message', (data: Buffer) => {
      const { id, method } = JSON.parse(data.toString()) as { id: string; method?: string };
      if (method !== undefined) opened.send(JSON.stringify({ jsonrpc: '2.0', id, result: { jobs: [] } }));
    });
    await once(opened, 'open');
    for (const frame of frames) opened.send(JSON.stringify({ jsonrpc: '2.0', ...frame }));
  };
  return DaemonSide.open({ start, restart: start, stop: async () => socket?.terminate() });
}

async function outcomeOf(...frames: object[]): Promise<string> {
  const side = await saying(...frames);
  try {
    for (const transcript of opening) await play(transcript, side);
    return 'passed';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await side.close();
  }
}

const params = {
  protocol: 1,
  daemon: { name: 'test', version: '1', instanceId: 'instance-1' },
  capabilities: ['durable-a2a-v1'],
  agents: ['*'],
};
const hello = { id: 1, method: 'relay.hello', params };

describe('the player of recorded conversations', () => {
  it('[R2] lets a daemon pass that says what the transcript has', async () => {
    expect(await outcomeOf(hello)).toBe('passed');
  });

  it.each([
    ['a member too many', { ...hello, params: { ...params, extra: 1 } }, 'has more: extra'],
    ['a member too few', { ...hello, params: { ...params, agents: undefined } }, 'agents is missing'],
    ['another value', { ...hello, params: { ...params, protocol: 2 } }, 'params.protocol: 1 is not 2'],
    ['an empty id', { ...hello, id: '' }, '.id:'],
  ])('[R2] refuses %s and says where', async (_what, frame, problem) => {
    const outcome = await outcomeOf(frame);
    expect(outcome).toContain('opening, step 2');
    expect(outcome).toContain(problem);
  });

  it('[R4] refuses a request that no transcript has asked for', async () => {
    const update = { jobId: 'job-1', state: 'running', revision: 2, updatedAt: '2026-01-02T03:04:05.678Z' };
    const outcome = await outcomeOf(hello, { id: 2, method: 'job.updated', params: update });
    expect(outcome).toContain('more was said');
  });
});

describe('the names of a transcript', () => {
  it('[R4] keep the value of whoever says them first', () => {
    const names = new Names();
    expect(names.compare({ jobId: '$job' }, { jobId: 'a' })).toBeUndefined();
    expect(names.render(['$job', 'of $job'])).toEqual(['a', 'of a']);
    expect(names.compare('$job', 'b')).toContain('"b"');
  });

  it('[R4] [B139] take only revisions that rise within a job, and remember nothing of what was refused', () => {
    const names = new Names();
    expect(names.compare('$revision.job.queued', 4)).toBeUndefined();
    expect(names.compare(['$revision.job.running', '$other'], [4, 'x'])).toContain('4');
    expect(names.compare({ r: '$revision.job.running', s: 1 }, { r: 9, s: 2 })).toContain('.s');
    expect(names.compare('$revision.job.running', 5)).toBeUndefined();
    expect(names.compare('$revision.next.queued', 1)).toBeUndefined();
  });

  it('[R2] take only times in UTC with milliseconds', () => {
    const names = new Names();
    expect(names.compare('$any.time', '2026-01-02T03:04:05.678Z')).toBeUndefined();
    expect(names.compare('$any.time', '2026-01-02T03:04:05Z')).toContain('05Z');
  });
});
