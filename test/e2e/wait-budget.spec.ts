import { EXECUTORS, atWork, type Script } from '../support/executors.js';
import { ADDRESSES, newMessage, type Answer, type TestApi } from '../support/test-api.js';

describe.each(EXECUTORS)('past the wait budget, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;
  const send = (message: object) => api.rpc(ADDRESSES.helper, 'SendMessage', { message });

  beforeAll(async () => {
    ({ api, daemon } = await start({ environment: { A2A_WAIT_BUDGET_MS: '100' } }));
  });
  afterAll(() => api.close());

  it('[S3] [B38] [B88] answers 504 with the saved task, and the work goes on', async () => {
    const answer = await send(newMessage());
    expect(answer.status).toBe(504);
    const { taskId, contextId, error } = answer.body;
    expect(error).toContain(taskId);
    expect(Object.keys(answer.body).sort()).toEqual(['contextId', 'error', 'taskId']);
    await atWork(api, taskId);
    const before = await api.getTask(taskId);
    expect(before).toMatchObject({ contextId, status: { state: 'TASK_STATE_WORKING' } });
    await daemon.complete(taskId, 'late');
    expect((await api.getTask(taskId)).artifacts[0].parts).toEqual([{ text: 'late' }]);
  });

  it('[S5] [B65] [B71] a retry waits on the same task and starts nothing', async () => {
    const message = newMessage();
    const first = await send(message);
    expect(first.status).toBe(504);
    const { taskId } = first.body;
    await atWork(api, taskId);
    const before = daemon.submissions.length;
    const retries = [untilAnswered(message), untilAnswered(message)];
    await daemon.complete(taskId, 'at last');
    for (const retry of await Promise.all(retries)) {
      expect(retry.body.result.task).toMatchObject({
        id: taskId,
        status: { state: 'TASK_STATE_COMPLETED' },
      });
    }
    expect(daemon.submissions).toHaveLength(before);
  });

  /** Sends again for as long as the budget is over before the end, each time to hear of the same task. */
  async function untilAnswered(message: Record<string, unknown>): Promise<Answer> {
    const ids = new Set<string>();
    for (;;) {
      const answer = await send(message);
      if (answer.status !== 504) return answer;
      ids.add(answer.body.taskId as string);
      expect(ids.size).toBe(1);
    }
  }
});
