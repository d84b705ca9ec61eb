import { once } from 'node:events';
import { WebSocket } from 'ws';
import { ADDRESSES, type Answer, newMessage, RELAY_TOKEN, TestApi } from './test-api.js';
import { TranscriptLink } from './transcript-link.js';
import type { Names } from './transcript-names.js';
import type { Act, TestedSide } from './transcript-runner.js';

/** Opens a link to a relay as a daemon does. */
export async function openLink(url: string, token: string): Promise<TranscriptLink> {
  const socket = new WebSocket(url, 'hello.relay.v1', {
    headers: { Authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  const link = new TranscriptLink(socket);
  await once(socket, 'open');
  return link;
}

/** The whole service under test: the runner plays its daemon and its caller. */
export class GatewaySide implements TestedSide {
  readonly side = 'gateway';
  private readonly calls = new Map<string, Promise<Answer>>();

  private constructor(private readonly api: TestApi) {}

  static async open(): Promise<GatewaySide> {
    // Questions of the schedule would come at any time; those of a hello and of callers come when they must.
    return new GatewaySide(await TestApi.start({ A2A_RECONCILE_SECONDS: '3600' }));
  }

  connect(): Promise<TranscriptLink> {
    return openLink(`${this.api.url.replace('http', 'ws')}/relay`, RELAY_TOKEN);
  }

  async act(step: Act, names: Names): Promise<void> {
    if ('caller' in step) this.calls.set(step.call, this.call(step, names));
  }

  async answerTo(call: string): Promise<object> {
    const answer = await this.calls.get(call);
    if (!answer) throw new Error(`no call "${call}" was made`);
    const { result, error } = answer.body ?? {};
    return {
      status: answer.status,
      ...(error?.code === undefined ? {} : { error: error.code }),
      ...(result === undefined ? {} : { task: told(result.task ?? result) }),
    };
  }

  close(): Promise<void> {
    return this.api.close();
  }

  private call({ caller, job, text }: Extract<Act, { caller: string }>, names: Names): Promise<Answer> {
    const id = job === undefined ? undefined : names.render(job);
    switch (caller) {
      case 'sends':
        return this.api.rpc(ADDRESSES.helper, 'SendMessage', {
          message: newMessage({ parts: [{ text }] }),
          configuration: { returnImmediately: true },
        });
      case 'cancels':
        return this.api.rpc(ADDRESSES.helper, 'CancelTask', { id });
      case 'looks':
        return this.api.rpc(ADDRESSES.helper, 'GetTask', { id });
    }
  }
}

interface WireTask {
  id: string;
  status: { state: string; message?: { parts: [{ text: string }] } };
  artifacts?: [{ parts: [{ text: string }]; metadata?: object }];
}

/** What a transcript says about a task. */
function told(task: WireTask): object {
  const reply = task.artifacts?.[0];
  const explanation = task.status.message?.parts[0].text;
  return {
    id: task.id,
    state: task.status.state,
    ...(reply === undefined ? {} : { reply: reply.parts[0].text }),
    ...(reply?.metadata === undefined ? {} : { truncated: true }),
    ...(explanation === undefined ? {} : { explanation }),
  };
}
