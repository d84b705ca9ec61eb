import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { Deployment } from '../support/processes.js';
import { ScriptedDaemon } from '../support/scripted-daemon.js';
import { rpcCall, taskUntil, textMessage } from '../support/rpc-call.js';
import { HalfwayAssistant } from './v03-assistants.js';

jest.setTimeout(120_000);

let deployment: Deployment | undefined;
afterEach(async () => {
  await deployment?.close();
  deployment = undefined;
});

describe('the end of the service', () => {
  it('[R8] [B150] SIGTERM twice, with a waiting send, a job being handed over, an idle and a half-sent request and daemons: all end in order, nothing is lost', async () => {
    deployment = await Deployment.create({
      runtimes: { echo: { runtime: 'command', command: [process.execPath, 'slow.mjs'] } },
    });
    // Works until it is told to go on, so that the wait cannot end before the service does.
    writeFileSync(
      join(deployment.dir, 'slow.mjs'),
      `import { existsSync } from 'node:fs';
       setInterval(() => existsSync(${JSON.stringify(join(deployment.dir, 'go'))}) && (console.log('late reply'), process.exit()), 20);`,
    );
    await deployment.start();
    const target = { url: deployment.endpoint('echo'), token: await deployment.token() };
    const waiting = rpcCall(target, 'SendMessage', textMessage('wait', { returnImmediately: false }));
    await taskUntil(target, await firstTaskId(target), (task) => task.status.state === 'TASK_STATE_WORKING');
    const idle = await opened(deployment.base, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    const half = await opened(deployment.base, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');

    const handedTarget = { url: deployment.endpoint('scripted'), token: target.token };
    const handing = await jobThatIsNotAnswered(deployment, handedTarget);

    const { api } = deployment;
    const ends = [api, api].map(async (program) => program?.stop());
    const answer = await waiting;
    expect(answer.status).toBe(503);
    expect(answer.body.taskId).toEqual(expect.any(String));
    const handed = await handing.answer;
    expect(handed.status).toBe(200);
    expect(handed.body.result.task.status.state).toBe('TASK_STATE_SUBMITTED');
    expect(await Promise.all(ends)).toEqual([0, 0]);
    for (const socket of [idle, half]) socket.destroy();

    await deployment.startApi();
    writeFileSync(join(deployment.dir, 'go'), '');
    const task = await taskUntil(
      target,
      answer.body.taskId,
      (each) => each.status.state === 'TASK_STATE_COMPLETED',
    );
    expect(task.artifacts[0].parts[0].text.trim()).toBe('late reply');
    const kept = await rpcCall(handedTarget, 'GetTask', { id: handed.body.result.task.id });
    expect(kept.body.result.status.state).toBe('TASK_STATE_SUBMITTED');
  });

  it('[R8] [P4] SIGTERM with an open 0.3 stream: the stream ends without an end of its task, which goes on', async () => {
    deployment = await Deployment.create({ runtimes: { other: HalfwayAssistant.runtime } });
    const halfway = new HalfwayAssistant(deployment.dir);
    await deployment.start();
    const message = { messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: 'Tell' }] };
    const stream = eventsOf(await call03(deployment, 'message/stream', { message }));
    const first = await stream.next();
    const { id } = first.value;
    expect(first.value).toMatchObject({ kind: 'task' });
    const stopped = deployment.api?.stop();
    const events: any[] = [];
    for await (const event of stream) events.push(event);
    expect(events.some(({ final }) => final === true)).toBe(false);
    expect(events.at(-1)).toMatchObject({ code: -32603, message: expect.stringContaining(id) });
    expect(await stopped).toBe(0);

    const seen = deployment.daemon?.output.length ?? 0;
    await deployment.startApi();
    await deployment.daemon?.printed(/Connected to the API/, seen);
    const again = eventsOf(await call03(deployment, 'tasks/resubscribe', { id }));
    expect((await again.next()).value).toMatchObject({ kind: 'task', id, status: { state: 'working' } });
    halfway.goOn();
    const rest: any[] = [];
    for await (const event of again) rest.push(event);
    expect(rest.at(-1)).toMatchObject({ status: { state: 'completed' }, final: true });
  });
});

function call03(deployment: Deployment, method: string, params: object): Promise<Response> {
  return fetch(deployment.published('other'), {
    method: 'POST',
    headers: { authorization: `Bearer ${deployment.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

/** The results of a stream, in order. */
async function* eventsOf(response: Response): AsyncGenerator<any> {
  let buffer = '';
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(
    new TextDecoderStream(),
  )) {
    const blocks = (buffer + chunk).split('\n\n');
    buffer = blocks.pop() ?? '';
    for (const block of blocks) if (block.startsWith('data: ')) yield resultOf(JSON.parse(block.slice(6)));
  }
}

/** The result of a JSON-RPC answer, or its error. */
function resultOf({ result, error }: { result?: unknown; error?: unknown }): unknown {
  return result ?? error;
}

async function firstTaskId(target: { url: string; token: string }): Promise<string> {
  for (let tries = 0; tries < 500; tries++) {
    const { body } = await rpcCall(target, 'ListTasks', {});
    if (body.result.tasks.length > 0) return body.result.tasks[0].id;
  }
  throw new Error('the waiting message made no task');
}

/** A send whose job has reached a daemon that does not answer. */
async function jobThatIsNotAnswered(
  { base, scriptedToken }: Deployment,
  target: { url: string; token: string },
): Promise<{ answer: ReturnType<typeof rpcCall> }> {
  let arrived: () => void = () => undefined;
  const submitted = new Promise<void>((resolve) => (arrived = resolve));
  await ScriptedDaemon.connect({
    url: `${base.replace('http', 'ws')}/relay`,
    token: scriptedToken,
    onSubmit: () => {
      arrived();
      return new Promise(() => undefined);
    },
  });
  const answer = rpcCall(target, 'SendMessage', textMessage('handed over'));
  await submitted;
  return { answer };
}

function opened(base: string, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname, () => socket.write(bytes, () => resolve(socket)));
    socket.on('error', () => undefined);
  });
}
