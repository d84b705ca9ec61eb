import { once } from 'node:events';
import {
  BadRequestException,
  Injectable,
  Module,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { finalize } from 'rxjs';
import {
  Assistant,
  AssistantRejection,
  RuntimeFailure,
  type AssistantContext,
  type AssistantJob,
} from '../../src/index.js';
import { TestApi, newMessage, until } from '../support/test-api.js';
import { V03Client, message03, told } from '../support/v03-client.js';

const team = { id: 'acct-team', username: 'team' };
const ADDRESS = '/a2a/@team/desk';

@Injectable()
class Journal {
  readonly lines: string[] = [];
}

@Injectable()
class MembersOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const [job] = context.getArgs<[AssistantJob]>();
    return context.getType<string>() === 'assistant' && job.text !== 'stranger';
  }
}

@Injectable()
class WholeRun implements NestInterceptor {
  constructor(private readonly journal: Journal) {}

  intercept(context: ExecutionContext, next: CallHandler) {
    const [job] = context.getArgs<[AssistantJob]>();
    return next.handle().pipe(finalize(() => this.journal.lines.push(`ended: ${job.text}`)));
  }
}

/** Does what the message says. */
@Assistant({
  handle: 'desk',
  account: team,
  visibility: 'public',
  name: 'The desk',
  skills: [{ id: 's', name: 'S' }],
})
@UseGuards(MembersOnly)
class Desk {
  constructor(private readonly journal: Journal) {}

  @UseInterceptors(WholeRun)
  async *run(job: AssistantJob, context: AssistantContext): AsyncGenerator<string> {
    this.journal.lines.push(`run: ${job.text}`);
    switch (job.text) {
      case 'letter':
        yield* this.letter(context);
        return;
      case 'wait':
        yield 'begun ';
        await once(context.signal, 'abort');
        return;
      case 'fail':
        throw new RuntimeFailure('The printer is out of paper.');
      case 'break':
        throw new Error('secret detail');
      case 'decline':
        throw new AssistantRejection('Not today.');
      case 'refuse':
        throw new BadRequestException('Say please.');
      case 'again': {
        const turns = await context.conversation();
        yield turns.map(({ role, content }) => `${role}: ${content}`).join('; ');
        return;
      }
      default:
        yield 'You said: ';
        yield job.text;
    }
  }

  private async *letter(context: AssistantContext): AsyncGenerator<string> {
    const number = await context.once('number', () => this.journal.lines.push('numbered'));
    yield 'Dear ';
    const name = await context.ask('To whom?').catch((error: unknown) => {
      this.journal.lines.push('unwound');
      throw error;
    });
    yield `${name}, `;
    yield (await context.ask('Send it?')) === 'yes' ? 'sent' : 'kept';
    yield ` as no. ${number > 0 ? 'n' : '0'}`;
  }
}

@Assistant({ handle: 'short', account: team, id: 'the-short-one' })
class Short {
  async run(job: AssistantJob): Promise<string> {
    return `${job.handle} for ${job.accountId}`;
  }
}

@Module({ providers: [Journal, Desk, Short, MembersOnly, WholeRun] })
class TeamModule {
  static journal: Journal;
  constructor(journal: Journal) {
    TeamModule.journal = journal;
  }
}

const say = (text: string, members: object = {}) =>
  message03({ parts: [{ kind: 'text', text }], ...members });
const lines = () => TeamModule.journal.lines;

describe('assistants in the process', () => {
  let api: TestApi;
  let client: V03Client;
  const send = async (message: object) =>
    (await client.rpc('message/send', { message }, { address: '/a2a/team.desk' })).body;
  const task10 = async (text: string) =>
    (await api.rpc(ADDRESS, 'SendMessage', { message: newMessage({ parts: [{ text }] }) })).body.result.task;

  beforeAll(async () => {
    api = await TestApi.start({}, { imports: [TeamModule] });
    client = new V03Client(api);
  });
  afterAll(() => api.close());

  it('[C1] [P1] have cards of both versions, made of what the decorator says', async () => {
    const card = await api.request('GET', `${ADDRESS}/.well-known/agent-card.json`);
    expect(card.body).toMatchObject({ name: 'The desk', skills: [{ id: 's', name: 'S' }] });
    const published = await api.request('GET', '/a2a/team.desk/.well-known/agent-card.json');
    expect(published.body).toMatchObject({ name: 'The desk', protocolVersion: '0.3.0' });
  });

  it('[C4] [H3] are as private as they say, which is the default', async () => {
    const path = '/a2a/@team/short';
    const message = newMessage();
    const owner = await api.rpc(path, 'SendMessage', { message }, { account: team.id });
    expect(owner.body.result.task.artifacts[0].parts).toEqual([{ text: 'short for acct-team' }]);
    const other = await api.rpc(path, 'SendMessage', { message });
    const absent = await api.rpc('/a2a/@team/nobody', 'SendMessage', { message });
    expect([other.status, other.text]).toEqual([404, absent.text]);
    const published = await api.request('GET', '/a2a/the-short-one/.well-known/agent-card.json');
    expect(published.status).toBe(404);
  });

  it('[S1] [S10] [P3] answer on both wires with all their parts as one reply', async () => {
    const task = await task10('hello');
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ name: 'Reply', parts: [{ text: 'You said: hello' }] }],
    });
    const { result } = await send(say('hello'));
    expect(result).toMatchObject({ status: { state: 'completed' }, artifacts: [{ name: 'response' }] });
  });

  it('[P4] show each part while it is made', async () => {
    const params = { message: say('wait') };
    const stream = await client.stream('message/stream', params, { address: '/a2a/team.desk' });
    const { id } = await stream.next();
    const seen: string[] = [];
    while (!seen.includes('=begun ')) seen.push(told(await stream.next()));
    await client.rpc('tasks/cancel', { id }, { address: '/a2a/team.desk' });
    expect((await stream.rest()).map(told).at(-1)).toBe('canceled final');
  });

  it('[G5] are told of a cancel by the signal, and the task is canceled when they have ended', async () => {
    lines().length = 0;
    const { id } = await api.send({ parts: [{ text: 'wait' }] }, { address: ADDRESS });
    await until('the run has begun', () => lines().includes('run: wait'));
    const canceled = await api.rpc(ADDRESS, 'CancelTask', { id });
    expect(canceled.body.result.status.state).toBe('TASK_STATE_CANCELED');
    expect(lines()).toEqual(['run: wait', 'ended: wait']);
  });

  it.each([
    ['fail', 'FAILED', 'The printer is out of paper.'],
    ['break', 'FAILED', 'The assistant failed unexpectedly.'],
    ['decline', 'REJECTED', 'Not today.'],
    ['refuse', 'REJECTED', 'Say please.'],
    ['stranger', 'REJECTED', 'Forbidden resource'],
  ])('[W4] end as their errors say: %s', async (text, state, explanation) => {
    const { status } = await task10(text);
    expect(status.state).toBe(`TASK_STATE_${state}`);
    expect(status.message.parts).toEqual([{ text: explanation }]);
  });

  it('[H5] run behind guards and inside interceptors, which see the end of the run', async () => {
    lines().length = 0;
    await task10('seen');
    await task10('stranger');
    expect(lines()).toEqual(['run: seen', 'ended: seen']);
  });

  it('[S6] remember what was said in the conversation', async () => {
    const first = await task10('one');
    const message = newMessage({ parts: [{ text: 'again' }], contextId: first.contextId });
    const answer = await api.rpc(ADDRESS, 'SendMessage', { message });
    const reply = answer.body.result.task.artifacts[0].parts[0].text;
    expect(reply).toBe('user: one; assistant: You said: one');
  });

  it('[P6] fail when they ask and nobody can answer', async () => {
    const { status } = await task10('letter');
    expect(status.message.parts[0].text).toContain('nobody can answer');
  });

  it('[P4] [P6] stream after an answer what is new, and not again what was shown before', async () => {
    const { id } = (await send(say('letter'))).result;
    await send(say('Ada', { taskId: id }));
    const params = { message: say('yes', { taskId: id }) };
    const last = await client.stream('message/stream', params, { address: '/a2a/team.desk' });
    const pieces = (await last.rest()).map(told).filter((event) => /^[=+]/.test(event));
    expect(pieces.map((event) => event.slice(1)).join('')).toBe('Dear Ada, sent as no. n.');
  });

  it('[P6] [R6] go on with each answer, also after restarts, and repeat nothing that was done or shown', async () => {
    lines().length = 0;
    const opened = await client.stream(
      'message/stream',
      { message: say('letter') },
      { address: '/a2a/team.desk' },
    );
    const { id } = await opened.next();
    expect((await opened.rest()).map(told)).toEqual(
      expect.arrayContaining(['=Dear ', 'input-required final']),
    );
    expect(lines()).toEqual(['run: letter', 'numbered', 'unwound', 'ended: letter']);

    api = await api.restart();
    client = new V03Client(api);
    const second = await send(say('Ada', { taskId: id }));
    expect(second.result.status).toMatchObject({
      state: 'input-required',
      message: { parts: [{ text: 'Send it?' }] },
    });

    api = await api.restart();
    client = new V03Client(api);
    const params = { message: say('yes', { taskId: id }) };
    const last = await client.stream('message/stream', params, { address: '/a2a/team.desk' });
    const events = (await last.rest()).map(told);
    expect(events.at(-1)).toBe('completed final');
    expect(events.at(-2)).toBe('=Dear Ada, sent as no. n.');
    expect(events.filter((event) => event.includes('Dear'))).toHaveLength(1);
    expect(lines()).toEqual(['run: letter', 'ended: letter']);
  });

  it('[R6] [K4] say so when the service stopped under them, and are not run again', async () => {
    const { id } = await api.send({ parts: [{ text: 'wait' }] }, { address: ADDRESS });
    await until('the run has begun', () => lines().includes('run: wait'));
    api = await api.restart();
    client = new V03Client(api);
    const { status } = await api.getTask(id, { address: ADDRESS });
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message.parts[0].text).toBe('The assistant was stopped while this job was running.');
    expect(lines()).toEqual([]);
  });
});
