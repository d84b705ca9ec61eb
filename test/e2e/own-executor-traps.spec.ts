import { Injectable } from '@nestjs/common';
import {
  AgentDirectory,
  HelloApiModule,
  JobExecutor,
  type CancelOutcome,
  type InputOutcome,
  type JobOrder,
  type StatusAnswer,
  type SubmitOutcome,
} from '../../src/index.js';
import { REMOTE_EXECUTOR } from '../../src/relay/index.js';
import { AgentDirectoryDouble, agentOf } from '../support/agent-directory-double.js';
import { LogCollector } from '../support/log-collector.js';
import { TeamFiles, startTeamApp } from '../support/team-app.js';
import { newMessage, until } from '../support/test-api.js';
import { message03 } from '../support/v03-client.js';
import { UNREADABLE } from '../support/unreadable.js';

class OneAssistant extends AgentDirectoryDouble {
  override readonly agents = [
    agentOf({ id: 'helper-1', username: 'ann', handle: 'helper', computerId: 'queue', published: true }),
  ];
}

/** Each answer is what the test says. */
@Injectable()
class WrongExecutor extends JobExecutor {
  says: Partial<Record<'isAvailable' | 'submit' | 'status' | 'cancel' | 'answer', () => unknown>> = {};

  isAvailable(): boolean {
    return (this.says.isAvailable ?? (() => true))() as boolean;
  }
  async submit({ taskId }: JobOrder): Promise<SubmitOutcome> {
    const accepted = { kind: 'accepted', report: { taskId, state: 'working', revision: 1 } };
    return (this.says.submit ?? (() => accepted))() as SubmitOutcome;
  }
  async status() {
    return this.says.status?.() as StatusAnswer[] | undefined;
  }
  async cancel() {
    return this.says.cancel?.() as CancelOutcome;
  }
  async answer() {
    return this.says.answer?.() as InputOutcome;
  }
  forget(): void {
    // nothing to forget
  }
}

const fail = (error: unknown) => () => {
  throw error;
};
const report = { taskId: 'another', state: 'working', revision: 1 };
const WRONG: [string, () => unknown][] = [
  ['an error', fail(new Error('the line is down'))],
  ['what cannot be read', fail(UNREADABLE['a proxy']?.())],
  ['nothing', () => undefined],
  ['null', () => null],
  ['a text', () => 'accepted'],
  ['an unknown kind', () => ({ kind: 'done' })],
  ['no report', () => ({ kind: 'accepted' })],
  ['a report of another task', () => ({ kind: 'accepted', report })],
  ['a report of wrong form', () => ({ kind: 'accepted', report: { ...report, revision: 'one' } })],
];

describe('an executor of a team that does not keep the rules', () => {
  const files = new TeamFiles();
  const logs = new LogCollector();
  let team: Awaited<ReturnType<typeof startTeamApp>>;
  let executor: WrongExecutor;

  beforeAll(async () => {
    const ports = [
      { provide: JobExecutor, useClass: WrongExecutor },
      { provide: AgentDirectory, useClass: OneAssistant },
    ];
    team = await startTeamApp([HelloApiModule.forRoot({ settings: files.settings, ports })], {
      options: { rawBody: true, logger: logs },
    });
    executor = team.app.get<WrongExecutor>(REMOTE_EXECUTOR, { strict: false });
  });
  beforeEach(() => {
    executor.says = {};
    logs.lines.length = 0;
  });
  afterAll(async () => {
    await team.app.close();
    files.remove();
  });

  const call = (method: string, params: object) => team.call({ path: '/a2a/@ann/helper', method, params });
  const send = () =>
    call('SendMessage', { message: newMessage(), configuration: { returnImmediately: true } });
  const logged = (text: string) =>
    until(`the log has ${text}`, () => logs.lines.some((line) => line.includes(text)), 20_000);

  it.each(WRONG)('[S8] leaves the task submitted when submit answers %s', async (_, submit) => {
    executor.says = { submit };
    const { status, body } = await send();
    expect([status, body.result?.task.status.state]).toEqual([200, 'TASK_STATE_SUBMITTED']);
    await logged('WrongExecutor.submit failed');
    // And it is found out later.
    const { id } = body.result.task;
    executor.says = {
      status: () => [
        { kind: 'reported', report: { taskId: id, state: 'completed', revision: 1, reply: 'done' } },
      ],
    };
    const got = await call('GetTask', { id });
    expect(got.body.result.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it.each(WRONG.filter(([what]) => what !== 'nothing'))(
    '[G1] answers with what is known when status answers %s',
    async (_, status) => {
      const { id } = (await send()).body.result.task;
      executor.says = { status };
      const got = await call('GetTask', { id });
      expect([got.status, got.body.result?.status.state]).toEqual([200, 'TASK_STATE_WORKING']);
      await logged('WrongExecutor.status failed');
    },
  );

  it.each(WRONG)('[G5] confirms nothing when cancel answers %s', async (_, cancel) => {
    const { id } = (await send()).body.result.task;
    executor.says = { cancel };
    expect((await call('CancelTask', { id })).status).toBe(503);
    await logged('WrongExecutor.cancel failed');
  });

  it('[S8] takes no message when isAvailable answers neither true nor false, or throws', async () => {
    for (const isAvailable of [async () => true, () => undefined, fail(new Error('the line is down'))]) {
      logs.lines.length = 0;
      executor.says = { isAvailable };
      expect((await send()).status).toBe(503);
      await logged('WrongExecutor.isAvailable failed');
    }
  });

  it.each(WRONG)('[P6] keeps the answer to a question when answer answers %s', async (_, answer) => {
    executor.says = { submit: () => ({ kind: 'uncertain' }) };
    const call03 = (params: object) =>
      team.call({ path: '/a2a/helper-1', method: 'message/send', params, version: '0.3' });
    const configuration = { blocking: false };
    const { id } = (await call03({ message: message03(), configuration })).body.result;
    const asking = { taskId: id, state: 'input_required', revision: 1, statusText: 'Which?' };
    executor.says = { status: () => [{ kind: 'reported', report: asking }], answer };
    const got = await team.call({
      path: '/a2a/helper-1',
      method: 'tasks/get',
      params: { id },
      version: '0.3',
    });
    expect(got.body.result.status.state).toBe('input-required');
    const answered = await call03({ message: message03({ taskId: id }), configuration });
    expect([answered.status, answered.body.result?.id]).toEqual([200, id]);
    await logged('WrongExecutor.answer failed');
  });
});
