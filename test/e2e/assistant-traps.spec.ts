import { Module } from '@nestjs/common';
import { Assistant, type AssistantContext, type AssistantJob } from '../../src/index.js';
import { TestApi, until } from '../support/test-api.js';
import { V03Client, message03 } from '../support/v03-client.js';

const ADDRESS = '/a2a/team.desk';
const team = { id: 'acct-team', username: 'team' };
const noted: string[] = [];

type Mistake = (context: AssistantContext, job: AssistantJob) => unknown;

/** What people write who are in a hurry. */
const MISTAKES: Record<string, Mistake> = {
  async forgotten(context) {
    void context.ask('Which?');
    return 'done';
  },
  async chained(context) {
    void context.ask('Which?').then((answer) => noted.push(answer));
    return 'done';
  },
  async late(context) {
    const answer = context.ask('Which?');
    await new Promise((resolve) => setImmediate(resolve));
    return `you said ${await answer}`;
  },
  async swallowed(context) {
    await context.ask('Which?').catch(() => noted.push('swallowed'));
    return 'done';
  },
  async nothing(context) {
    await context.once('mail', () => void noted.push('mailed'));
    return `sent ${await context.ask('Which?')}`;
  },
  sync: () => 'at once',
  silent: () => undefined,
  *generator() {
    yield 'one ';
    yield 'two';
  },
  async later() {
    return MISTAKES['generator']?.call(MISTAKES, {} as AssistantContext, {} as AssistantJob);
  },
  number: () => 7,
  async metadata(_context, job) {
    return JSON.stringify(job.metadata);
  },
  async unkept(context) {
    await context.once('count', () => 1n);
  },
  async unwaited(context) {
    void context.once('mail', () => Promise.reject(new Error('the post office is shut')));
    await new Promise((resolve) => setImmediate(resolve));
    return 'done';
  },
};

@Assistant({ handle: 'desk', account: team, visibility: 'public' })
class Desk {
  run(job: AssistantJob, context: AssistantContext): Promise<string> {
    return MISTAKES[job.text]?.(context, job) as Promise<string>;
  }
}

@Module({ providers: [Desk] })
class TeamModule {}

describe('an assistant that is written in a hurry', () => {
  let api: TestApi;
  let client: V03Client;

  const send = async (text: string, members: object = {}) => {
    const message = message03({ parts: [{ kind: 'text', text }], ...members });
    return (await client.rpc('message/send', { message }, { address: ADDRESS })).body.result;
  };
  const textOf = (task: any) => task.status.message?.parts[0].text;

  beforeAll(async () => {
    api = await TestApi.start({}, { imports: [TeamModule] });
    client = new V03Client(api);
  });
  beforeEach(() => {
    noted.length = 0;
  });
  afterAll(() => api.close());

  it.each([
    ['does not wait for the answer', 'forgotten', 'done'],
    ['goes on with the answer elsewhere', 'chained', 'done'],
    ['waits for the answer late', 'late', 'you said blue'],
    ['takes the end of the run for a failure', 'swallowed', 'done'],
    ['does work once that has no result', 'nothing', 'sent blue'],
  ])('[P6] asks all the same, and goes on with the answer, when it %s', async (_, mistake, reply) => {
    const asked = await send(mistake);
    expect([asked.status.state, textOf(asked)]).toEqual(['input-required', 'Which?']);
    const { status, artifacts } = await send('blue', { taskId: asked.id });
    expect([status.state, artifacts[0].parts[0].text]).toEqual(['completed', reply]);
    if (mistake === 'nothing') expect(noted).toEqual(['mailed']);
  });

  it.each([
    ['sync', 'at once'],
    ['silent', undefined],
    ['generator', 'one two'],
    ['later', 'one two'],
  ])('[S10] replies with what it returns, in whatever form: %s', async (mistake, reply) => {
    const { status, artifacts } = await send(mistake);
    expect([status.state, artifacts?.[0]?.parts[0].text || undefined]).toEqual(['completed', reply]);
  });

  it.each([
    ['returns something else than text', 'number', 'a part of a reply must be text'],
    ['has a result that cannot be kept', 'unkept', 'once(\\"count\\"): its result cannot be kept'],
    ['fails while nobody waits for it', 'unwaited', 'the post office is shut'],
  ])(
    '[W4] fails its task, and says why in the log alone, when it or its work %s',
    async (_, mistake, reason) => {
      const failed = await send(mistake);
      expect([failed.status.state, textOf(failed)]).toEqual(['failed', 'The assistant failed unexpectedly.']);
      await until('the log says why', () => api.logs.lines.some((line) => line.includes(reason)), 20_000);
    },
  );

  it('[W8] has the metadata as it was sent, whatever its keys', async () => {
    const metadata = '{"__proto__":{"x":1},"constructor":{"a":null},"list":[{"__proto__":2}]}';
    const { artifacts } = await send('metadata', { metadata: JSON.parse(metadata) });
    expect(artifacts[0].parts[0].text).toBe(metadata);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});
