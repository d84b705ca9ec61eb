import { ADDRESSES, OTHER_RELAY_TOKEN, PUBLISHED, TestApi, newMessage, until } from '../support/test-api.js';
import { V03Client, message03 } from '../support/v03-client.js';

/** Only a computer behind the relay can be away; what runs in the process is there whenever the service is. */
describe('a computer that cannot take the job', () => {
  let api: TestApi;
  const onTower = { token: OTHER_RELAY_TOKEN };

  beforeAll(async () => {
    api = await TestApi.start();
  });
  afterAll(() => api.close());

  it('[S8] is offline: 503, nothing is kept, and the same message can be sent again', async () => {
    const message = newMessage();
    const params = { message, configuration: { returnImmediately: true } };
    const refused = await api.rpc(ADDRESSES.tower, 'SendMessage', params);
    expect(refused).toMatchObject({ status: 503, body: { error: expect.any(String) } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await api.rpc(ADDRESSES.tower, 'ListTasks', {})).body.result.totalSize).toBe(0);
    const tower = await api.daemon(onTower);
    expect((await api.rpc(ADDRESSES.tower, 'SendMessage', params)).body.result.task.id).toBeDefined();
    await tower.close();
  });

  it('[P7] [S8] an offline computer is 503, as JSON also for a stream, and keeps nothing', async () => {
    const client = new V03Client(api);
    const message = message03();
    for (const method of ['message/send', 'message/stream']) {
      const answer = await client.rpc(method, { message }, { address: PUBLISHED.tower });
      expect(answer.status).toBe(503);
      expect(answer.headers).toMatchObject({
        'retry-after': '5',
        'content-type': expect.stringMatching(/^application\/json/),
      });
      expect(answer.body.error).toEqual(expect.any(String));
    }
    const tower = await api.daemon(onTower);
    const answer = await client.rpc(
      'message/send',
      { message, configuration: { blocking: false } },
      { address: PUBLISHED.tower },
    );
    expect(answer.body.result.status.state).toBe('working');
    expect(tower.submissions).toHaveLength(1);
    await tower.close();
  });

  it('[S8] [R2] does not speak durable-a2a-v1: 503', async () => {
    const old = await api.daemon({ ...onTower, capabilities: ['other'] }).catch(() => undefined);
    const answer = await api.rpc(ADDRESSES.tower, 'SendMessage', { message: newMessage() });
    expect(answer.status).toBe(503);
    await old?.close();
  });

  it('[S8] cuts the link while it takes the job: the task stays, and is never sent again', async () => {
    const tower = await api.daemon({ ...onTower, onSubmit: (_, own) => own.socket.terminate() });
    const message = newMessage();
    const task = await api.send(message, { address: ADDRESSES.tower });
    expect(task.status.state).toBe('TASK_STATE_SUBMITTED');
    expect((await api.send(message, { address: ADDRESSES.tower })).id).toBe(task.id);
    expect(tower.submissions).toHaveLength(1);
    const back = await api.daemon(onTower);
    await until('the unknown job to fail', async () => {
      const now = await api.getTask(task.id, { address: ADDRESSES.tower });
      return now.status.state === 'TASK_STATE_FAILED' && now.status.message.parts[0].text.length > 0;
    });
    expect(back.submissions).toHaveLength(0);
    await back.close();
  });

  it('[S2] [B78] may have completed the job before the answer to a send, which then says so', async () => {
    await api.daemon({ onSubmit: (job, own) => own.complete(job.params.jobId, 'quick') });
    const params = { message: newMessage(), configuration: { returnImmediately: true } };
    const answer = await api.rpc(ADDRESSES.helper, 'SendMessage', params);
    expect(answer.body.result.task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'quick' }] }],
    });
  });
});
