import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import type { ScriptedDaemon } from '../support/scripted-daemon.js';
import { ADDRESSES, TestApi, until } from '../support/test-api.js';
import { faultOf, taskFault } from './bad-input/answer-rules.js';
import type { KnownIds } from './bad-input/bodies.js';
import { badBody, badHead, type Addressed } from './bad-input/requests.js';
import { WireClient, type WireAnswer, type WireRequest } from './bad-input/wire-client.js';

/** The same requests every time; set another one to look further. */
const SEED = 20_260_907;
const AT_ONCE = 40;
const MAX_HEAP_GROWTH_BYTES = 64 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe(`bad input (seed ${SEED})`, () => {
  let api: TestApi;
  let daemon: ScriptedDaemon;
  let client: WireClient;
  let to: Addressed;
  const known: KnownIds = { tasks: [], contexts: [] };
  /** The texts that were sent, by the task that was answered. */
  const accepted = new Map<string, string[]>();
  let sent = 0;

  beforeAll(async () => {
    api = await TestApi.start();
    daemon = await api.daemon({ onSubmit: finishSoon });
    client = new WireClient(api.url);
    to = { path: ADDRESSES.helper, token: await api.token('acct-bob') };
    for (let number = 0; number < 5; number++) {
      const task = await api.send();
      known.tasks.push(task.id);
      known.contexts.push(task.contextId);
    }
  });
  afterAll(async () => {
    client.close();
    await api.close();
  });

  async function exchange(
    request: WireRequest,
  ): Promise<{ request: WireRequest; answer: WireAnswer | undefined }> {
    const answer = await client.send(request);
    if (answer) sent += 1;
    return { request, answer };
  }

  function remember({ request, answer }: { request: WireRequest; answer: WireAnswer }): void {
    const task = (JSON.parse(answer.text) as { result?: { task?: { id: string } } }).result?.task;
    if (task && !request.headers['Content-Encoding']) accepted.set(task.id, textsOf(request.body));
  }

  async function survives(
    requests: fc.Arbitrary<WireRequest>,
    runs: number,
    rule: typeof faultWith,
  ): Promise<void> {
    const batches = fc.array(requests, { minLength: AT_ONCE, maxLength: AT_ONCE });
    const property = fc.asyncProperty(batches, async (batch) => {
      for (const { request, answer } of await Promise.all(batch.map(exchange))) {
        const fault = answer && rule(request, answer);
        if (fault) throw new Error(`${fault}\n${describeRequest(request)}\n${answer.text.slice(0, 500)}`);
        if (answer && answer.text !== '') remember({ request, answer });
      }
    });
    // The message shows the request itself; to shrink a batch would take minutes.
    await fc.assert(property, { seed: SEED, numRuns: runs, endOnFailure: true });
  }

  it('[W3] [W4] [B15] [B20] [B21] [B34] [B35] answers every body with one sound envelope, and nothing breaks', async () => {
    await survives(badBody(to, known), 15, bodyFault);
    const before = heapUsed();
    await survives(badBody(to, known), 65, bodyFault);
    forgetJobs(daemon);
    expect(heapUsed() - before).toBeLessThan(MAX_HEAP_GROWTH_BYTES);
  }, 240_000);

  it('[W1] [W2] [W5] [B41] [B54] [B57] answers every head and address in a documented form', async () => {
    await survives(badHead(to, known), 55, faultWith);
  }, 240_000);

  it('[W6] [S1] keeps every task that it took as it was sent, readable by the official codec', async () => {
    expect(sent).toBeGreaterThan(5_000);
    expect(accepted.size).toBeGreaterThan(300);
    for (const [id, texts] of accepted) {
      const task = await api.getTask(id);
      expect(taskFault(task)).toBeUndefined();
      expect(task.history[0].parts.map((part: { text: string }) => part.text)).toEqual(texts);
    }
  }, 60_000);

  it('[R7] the link of the daemon has survived it all, and tasks still end', async () => {
    expect(daemon.socket.readyState).toBe(daemon.socket.OPEN);
    const task = await api.send();
    await until('the task has ended', async () =>
      /COMPLETED|FAILED/.test((await api.getTask(task.id)).status.state),
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

/** Answers every job: mostly with its text, and now and then with a failure. */
function finishSoon(
  job: { params: { jobId: string; message: { text: string } } },
  daemon: ScriptedDaemon,
): void {
  const { jobId, message } = job.params;
  const outcome = message.text.length % 7 === 0 ? { statusText: 'no luck' } : { reply: message.text };
  setImmediate(
    () =>
      void daemon.report(jobId, 'reply' in outcome ? 'succeeded' : 'failed', outcome).catch(() => undefined),
  );
}

function faultWith(request: WireRequest, answer: WireAnswer): string | undefined {
  const zipped = request.headers['Content-Encoding'] !== undefined;
  const { text } = answer;
  if (answer.status === 400 && !request.path.includes('%')) return '400 to an address that can be decoded';
  if (zipped && text.startsWith('{"jsonrpc"'))
    return faultOf(answer, (JSON.parse(text) as { id: unknown }).id);
  return faultOf(answer, idOf(request.body));
}

/** With a sound head, a body that is not too large always gets an envelope. */
function bodyFault(request: WireRequest, answer: WireAnswer): string | undefined {
  const expected = request.body.length > 64 * 1024 ? 413 : 200;
  return answer.status === expected
    ? faultWith(request, answer)
    : `status ${answer.status} instead of ${expected}`;
}

function idOf(body: Buffer): unknown {
  const { id } = parsed(body) as { id?: unknown };
  const isId = id === null || (typeof id === 'string' && id.isWellFormed()) || Number.isSafeInteger(id);
  return isId ? id : undefined;
}

function textsOf(body: Buffer): string[] {
  const { params } = parsed(body) as { params: { message: { parts: { text?: string }[] } } };
  return params.message.parts.map(({ text }) => text ?? '');
}

function parsed(body: Buffer): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

function describeRequest({ method, path, headers, body }: WireRequest): string {
  return `${method} ${path.slice(0, 200)} ${JSON.stringify({ ...headers, Authorization: 'hidden' }).slice(0, 500)}\n${body.toString('utf8').slice(0, 1_500)}`;
}

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** The test's own memory of what it was sent is not the service's. */
function forgetJobs(daemon: ScriptedDaemon): void {
  daemon.submissions.length = 0;
  daemon.jobs.clear();
}
