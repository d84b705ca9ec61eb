import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment, type DeploymentOptions } from '../support/processes.js';
import { isCompleted, rpcCall, taskUntil, textMessage } from '../support/rpc-call.js';

// Processes start, reconnect with back-off and end at their own pace.
jest.setTimeout(120_000);

let deployment: Deployment | undefined;
afterEach(async () => {
  await deployment?.close();
  deployment = undefined;
});

async function deploy(options: DeploymentOptions = {}) {
  deployment = await Deployment.create(options);
  await deployment.start();
  return { deployment, target: { url: deployment.endpoint('echo'), token: await deployment.token() } };
}

async function completedTask(target: { url: string; token: string }, text: string) {
  const { body } = await rpcCall(target, 'SendMessage', textMessage(text, { returnImmediately: false }));
  expect(body.result.task.status.state).toBe('TASK_STATE_COMPLETED');
  return body.result.task;
}

describe('processes that end', () => {
  it('[S8] [G1] without the daemon a send is 503 and nothing is kept; finished tasks stay readable', async () => {
    const { deployment, target } = await deploy();
    const finished = await completedTask(target, 'Before');
    expect(await deployment.daemon?.stop()).toBe(0);

    const message = textMessage('While away');
    const refused = await rpcCall(target, 'SendMessage', message);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(Object.keys(refused.body)).toEqual(['error']);
    const { body } = await rpcCall(target, 'GetTask', { id: finished.id });
    expect(body.result.artifacts).toEqual(finished.artifacts);
    expect((await rpcCall(target, 'ListTasks', {})).body.result.totalSize).toBe(1);

    await deployment.startDaemon();
    const again = await rpcCall(target, 'SendMessage', message);
    expect(again.status).toBe(200);
    await taskUntil(target, again.body.result.task.id, isCompleted);
  });

  it('[K4] [S1] kill -9 of the API after an answered send: the task is there after the restart and completes', async () => {
    const { deployment, target } = await deploy();
    const message = textMessage('Survive');
    const sent = (await rpcCall(target, 'SendMessage', message)).body.result.task;
    await deployment.api?.kill();
    await deployment.startApi();

    const found = await rpcCall(target, 'GetTask', { id: sent.id });
    expect(found.body.result).toMatchObject({ id: sent.id, contextId: sent.contextId });
    const task = await taskUntil(target, sent.id, isCompleted);
    expect(task.artifacts[0].parts).toEqual([{ text: 'Survive' }]);
    const repeated = await rpcCall(target, 'SendMessage', message);
    expect(repeated.body.result.task.id).toBe(sent.id);
  });

  it('[R6] kill -9 of the daemon during a job: the task fails with an explanation, the next one runs', async () => {
    const { deployment, target } = await deploy(slowOnce());
    const sent = (await rpcCall(target, 'SendMessage', textMessage('slow'))).body.result.task;
    await taskUntil(target, sent.id, (task) => task.status.state === 'TASK_STATE_WORKING');
    await deployment.daemon?.kill();
    await deployment.startDaemon();

    const task = await taskUntil(target, sent.id, (each) => each.status.state === 'TASK_STATE_FAILED');
    expect(task.status.message.parts[0].text).not.toBe('');
    await completedTask(target, 'quick');
  });

  it('[R8] SIGTERM ends both programs with code 0', async () => {
    const { deployment } = await deploy();
    expect(await deployment.daemon?.stop()).toBe(0);
    expect(await deployment.api?.stop()).toBe(0);
  });
});

describe('many sends at once', () => {
  const count = 200;
  const texts = Array.from({ length: count }, (_, index) => `text ${index}`);

  async function expectEachOnce(running: Deployment, target: { url: string; token: string }, ids: string[]) {
    expect(new Set(ids).size).toBe(count);
    const replies: string[] = [];
    for (const id of ids) {
      const task = await taskUntil(target, id, isCompleted);
      replies.push(task.artifacts[0].parts[0].text);
    }
    expect(replies).toEqual(texts);
    const ran = readFileSync(join(running.dir, 'ran.txt'), 'utf8').trim().split('\n').sort();
    expect(ran).toEqual([...ids].sort());
    expect((await rpcCall(target, 'ListTasks', { pageSize: 1 })).body.result.totalSize).toBe(count);
  }

  it('[S1] [R4] [B93] 200 parallel sends: 200 tasks, 200 jobs, 200 results, none twice', async () => {
    const { deployment, target } = await deploy(appending());
    const answers = await Promise.all(texts.map((text) => rpcCall(target, 'SendMessage', textMessage(text))));
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
    await expectEachOnce(
      deployment,
      target,
      answers.map(({ body }) => body.result.task.id),
    );
  });

  it('[S8] a send that a full queue refuses with 503 leaves nothing behind: sent again, each runs once', async () => {
    const { deployment, target } = await deploy({
      ...appending(),
      queueLimit: 5,
      settings: { A2A_RPC_PER_MINUTE: '100000' },
    });
    const messages = texts.map((text) => textMessage(text));
    const send = (message: object) => rpcCall(target, 'SendMessage', message);
    // No program ends while the gate is shut: eight run and five wait, whatever the pace.
    const gate = join(deployment.dir, 'ran.txt.shut');
    writeFileSync(gate, '');
    const first = await Promise.all(messages.map(send));
    expect(first.filter(({ status }) => status === 200)).toHaveLength(8 + 5);
    expect(first.filter(({ status }) => status === 503)).toHaveLength(count - 8 - 5);
    rmSync(gate);

    const sendUntilTaken = async (message: object): Promise<string> => {
      for (;;) {
        const { status, body } = await send(message);
        if (status === 200) return body.result.task.id;
        expect(status).toBe(503);
        await new Promise((next) => setTimeout(next, 250));
      }
    };
    const ids = await Promise.all(messages.map(sendUntilTaken));
    await expectEachOnce(deployment, target, ids);
  });
});

/** A program that never ends for the text `slow`. */
function slowOnce(): DeploymentOptions {
  const script = 'read -r text; if [ "$text" = slow ]; then exec sleep 600; fi; printf %s "$text"';
  return { runtimes: { echo: { runtime: 'command', command: ['/bin/sh', '-c', script] } } };
}

/** A program that leaves a line for every run of a job, and does not end while its gate is shut. */
function appending(): DeploymentOptions {
  const script =
    'cat; echo "$HELLO_JOB_ID" >> "$RAN_FILE"; while [ -e "$RAN_FILE.shut" ]; do sleep 0.1; done';
  return {
    runtimes: { echo: { runtime: 'command', command: ['/bin/sh', '-c', script], env: ['RAN_FILE'] } },
  };
}
