import { type JobReport, RefusedError } from '../../../src/relay-protocol/index.js';
import { DaemonBench, order } from './support/daemon-bench.js';
import type { FakeApi } from './support/fake-api.js';

describe('reports of the daemon that the API cannot read', () => {
  let bench: DaemonBench;
  beforeEach(() => (bench = new DaemonBench()));
  afterEach(() => bench.end());

  const agents = {
    concurrency: 1,
    agents: {
      asks: { runtime: 'workflow', steps: [{ approval: 'Sure?' }, { reply: 'Done.' }] },
      '*': { runtime: 'echo' },
    },
  };
  const timing = { updateRepeatMs: 20 };

  const refusing = (isUnreadable: (report: JobReport) => boolean): Promise<FakeApi> =>
    bench.api({
      acknowledge: (report) => {
        if (isUnreadable(report)) throw new RefusedError(-32602, 'reply: wrong', undefined);
        return { acknowledged: report.revision };
      },
    });
  /** Without `running`, which may be over before it could be told. */
  const toldOf = (api: FakeApi, jobId: string): string[] =>
    api.updates
      .filter((report) => report.jobId === jobId && report.state !== 'running')
      .map(({ state, revision }) => `${state} ${revision}`);

  /** A later job has been repeated many times meanwhile, so that the earlier one had its chance. */
  async function manyRepetitions(api: FakeApi): Promise<void> {
    const { jobId } = order({}, 'repeat me');
    let tries = 0;
    const { acknowledge } = api.behavior;
    api.behavior.acknowledge = (report) =>
      report.jobId === jobId && report.reply !== undefined && tries++ < 5
        ? { acknowledged: 1 }
        : acknowledge(report);
    const session = api.sessions.at(-1);
    await session?.submit({ ...order({}, 'repeat me'), jobId });
    await api.until('five repetitions', () => tries > 5);
  }

  it('[R4] [R7] a result that is answered with -32602 becomes a failure that explains itself', async () => {
    const api = await refusing((report) => report.reply === 'hello');
    await bench.daemon(api, agents, { timing });
    const job = order();
    await (await api.session()).submit(job);
    const failure = await api.update(job.jobId, 'failed');
    expect(failure.statusText).toContain('could not read');
    expect(failure).not.toHaveProperty('reply');
    await manyRepetitions(api);
    expect(toldOf(api, job.jobId)).toEqual(['succeeded 3', 'failed 4']);
  });

  it('[R4] [R7] the failure is told once on each link when it is answered with -32602 as well', async () => {
    const refused = order();
    const api = await refusing((report) => report.jobId === refused.jobId && report.state !== 'running');
    await bench.daemon(api, agents, { timing });
    const session = await api.session();
    await session.submit(refused);
    await api.update(refused.jobId, 'failed');
    await manyRepetitions(api);
    expect(toldOf(api, refused.jobId)).toEqual(['succeeded 3', 'failed 4']);
    session.socket.terminate();
    await api.session(2);
    await api.until('the failure on the second link', () => toldOf(api, refused.jobId).length === 3);
    await manyRepetitions(api);
    expect(toldOf(api, refused.jobId).at(-1)).toBe('failed 4');
    expect(toldOf(api, refused.jobId)).toHaveLength(3);
  });

  it('[R4] [R7] a job at work goes on, and its result is told', async () => {
    const api = await refusing((report) => report.state === 'running');
    await bench.daemon(api, agents, { timing });
    const job = order();
    await (await api.session()).submit(job);
    expect(await api.update(job.jobId, 'succeeded')).toMatchObject({ reply: 'hello', revision: 3 });
  });

  it('[R7] [P6] a question that nobody could read ends its job', async () => {
    const api = await refusing((report) => report.state === 'input_required');
    await bench.daemon(api, agents, { timing });
    const job = order({ agent: 'asks' });
    await (await api.session()).submit(job);
    expect(await api.update(job.jobId, 'failed')).toMatchObject({ revision: 4 });
  });
});
