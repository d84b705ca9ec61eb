import { EXECUTORS } from '../support/executors.js';
import { ADDRESSES, newMessage } from '../support/test-api.js';

describe.each(EXECUTORS)('messages an hour, %s', (_name, start) => {
  it('[S9] [B63] takes exactly 200 of 250 parallel messages, over all destinations, and remembers after a restart', async () => {
    const stage = await start({
      environment: { A2A_MESSAGES_PER_HOUR: '200' },
      // Nothing is left at work, for which the stop before the restart would wait.
      onSubmit: ({ params }, own) => void own.complete(params.jobId).catch(() => undefined),
    });
    let { api } = stage;
    const params = () => ({ message: newMessage(), configuration: { returnImmediately: true } });
    const known = params();
    const answers = await Promise.all([
      api.rpc(ADDRESSES.helper, 'SendMessage', known),
      ...Array.from({ length: 249 }, () => api.rpc(ADDRESSES.helper, 'SendMessage', params())),
    ]);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200);
    expect(refused).toHaveLength(50);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(3000);
    expect((await api.rpc(ADDRESSES.helper, 'ListTasks', {})).body.result.totalSize).toBe(200);

    ({ api } = await stage.restart());
    expect((await api.rpc(ADDRESSES.helper, 'SendMessage', params())).status).toBe(429);
    expect((await api.rpc(ADDRESSES.helper, 'SendMessage', params(), { account: 'acct-alice' })).status).toBe(
      200,
    );
    const retry = await api.rpc(ADDRESSES.helper, 'SendMessage', known);
    expect(retry.status).toBe(answers[0]?.status === 200 ? 200 : 429);
    await api.close();
  });
});
