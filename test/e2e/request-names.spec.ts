import { refusal } from '../../src/relay-protocol/index.js';
import { ADDRESSES, TestApi } from '../support/test-api.js';
import { V03Client } from '../support/v03-client.js';

interface Line {
  msg: string;
  requestId?: string;
}

describe('lines about what is done for a request', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await TestApi.start();
  });
  afterEach(() => api.close());

  const refused = async () => {
    throw refusal('malformed', 'no');
  };
  const requestOf = (msg: string) =>
    api.logs.lines.map((line) => JSON.parse(line) as Line).find((line) => line.msg === msg)?.requestId;

  it('[O2] name the request whose job was not accepted', async () => {
    await api.daemon({ methods: { 'job.submit': refused } });
    const answer = await api.rpc(ADDRESSES.helper, 'SendMessage', {
      message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] },
      configuration: { returnImmediately: true },
    });
    expect(requestOf('a job was not accepted')).toBe(answer.headers['x-request-id']);
  });

  it('[O2] name the request whose cancel was not answered', async () => {
    await api.daemon({ methods: { 'job.cancel': refused } });
    const { id } = await api.send();
    const answer = await api.rpc(ADDRESSES.helper, 'CancelTask', { id });
    expect(answer.status).toBe(503);
    expect(requestOf('a cancel was not answered')).toBe(answer.headers['x-request-id']);
  });

  it('[O2] name the request whose answer was not taken', async () => {
    const daemon = await api.daemon({ methods: { 'job.input': refused } });
    const client = new V03Client(api);
    const say = (more: object) => ({
      message: { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Hello' }], ...more },
      configuration: { blocking: false },
    });
    const asked = await client.rpc('message/send', say({ messageId: 'm-1' }));
    const taskId = asked.body.result.id as string;
    await daemon.report(taskId, 'input_required', { statusText: 'Really?' });
    const answer = await client.rpc('message/send', say({ messageId: 'm-2', taskId }));
    expect(requestOf('an answer was not taken')).toBe(answer.headers['x-request-id']);
  });
});
