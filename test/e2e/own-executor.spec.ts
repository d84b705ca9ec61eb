import { Injectable, Module } from '@nestjs/common';
import {
  AgentDirectory,
  Assistant,
  HelloApiModule,
  JobExecutor,
  JobReports,
  type AssistantJob,
  type CancelOutcome,
  type InputOutcome,
  type JobOrder,
  type SubmitOutcome,
} from '../../src/index.js';
import { REMOTE_EXECUTOR } from '../../src/relay/index.js';
import { AgentDirectoryDouble, agentOf } from '../support/agent-directory-double.js';
import { newMessage } from '../support/test-api.js';
import { TeamFiles, startTeamApp } from '../support/team-app.js';

class OneAssistant extends AgentDirectoryDouble {
  override readonly agents = [agentOf({ username: 'ann', handle: 'helper', computerId: 'queue' })];
}

/** Puts jobs into a line of the team's; what works on them reports later. */
@Injectable()
class QueueExecutor extends JobExecutor {
  readonly asked: string[] = [];
  readonly orders: JobOrder[] = [];
  onOrder: (order: JobOrder) => void = () => undefined;

  constructor(readonly reports: JobReports) {
    super();
  }

  isAvailable(computerId: string): boolean {
    this.asked.push(computerId);
    return true;
  }
  async submit(order: JobOrder): Promise<SubmitOutcome> {
    this.orders.push(order);
    setImmediate(() => this.onOrder(order));
    return { kind: 'accepted', report: { taskId: order.taskId, state: 'working', revision: 1 } };
  }
  async status(computerId: string) {
    this.asked.push(computerId);
    return undefined;
  }
  async cancel(computerId: string): Promise<CancelOutcome> {
    this.asked.push(computerId);
    return { kind: 'unreachable' };
  }
  async answer({ computerId }: { computerId: string }): Promise<InputOutcome> {
    this.asked.push(computerId);
    return { kind: 'not_sent' };
  }
  forget(computerId: string): void {
    this.asked.push(computerId);
  }
}

@Assistant({ handle: 'desk', account: { id: 'acct-team', username: 'team' }, visibility: 'public' })
class Desk {
  async run({ text }: AssistantJob): Promise<string> {
    return `at the desk: ${text}`;
  }
}

@Module({ providers: [Desk] })
class TeamModule {}

describe('an executor of a team', () => {
  const files = new TeamFiles();
  let team: Awaited<ReturnType<typeof startTeamApp>>;
  let executor: QueueExecutor;

  beforeAll(async () => {
    team = await startTeamApp([
      HelloApiModule.forRoot({
        settings: files.settings,
        imports: [TeamModule],
        ports: [
          { provide: JobExecutor, useClass: QueueExecutor },
          { provide: AgentDirectory, useClass: OneAssistant },
        ],
      }),
    ]);
    executor = team.app.get<QueueExecutor>(REMOTE_EXECUTOR, { strict: false });
  });
  beforeEach(() => {
    executor.asked.length = 0;
    executor.orders.length = 0;
  });
  afterAll(async () => {
    await team.app.close();
    files.remove();
  });

  const send = async (path: string, text: string) => {
    const message = newMessage({ parts: [{ text }] });
    return (await team.call({ path, method: 'SendMessage', params: { message } })).body.result.task;
  };

  it('[S3] [R4] tells by reports how its jobs ended, and who waits hears of it', async () => {
    const outcomes: string[] = [];
    executor.onOrder = ({ taskId, computerId, message }) => {
      const end = { taskId, state: 'completed', revision: 2, reply: `done: ${message.text}` } as const;
      void (async () => {
        outcomes.push((await executor.reports.report('elsewhere', end)).kind);
        outcomes.push((await executor.reports.report(computerId, { ...end, revision: 1 })).kind);
        outcomes.push((await executor.reports.report(computerId, end)).kind);
      })();
    };
    const task = await send('/a2a/@ann/helper', 'work');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts[0].parts).toEqual([{ text: 'done: work' }]);
    expect(outcomes.slice(0, 2)).toEqual(['unknown', 'ignored']);
  });

  it('is told what is wrong with a report', async () => {
    const right = { taskId: 'task-1', state: 'completed', revision: 2 };
    for (const [wrong, text] of [
      [{ state: 'succeeded' }, 'state must be one of submitted, working'],
      [{ revision: 0 }, 'revision must be a whole number from 1'],
      [{ revision: Number.NaN }, 'revision must be a whole number from 1'],
      [{ taskId: undefined }, 'taskId must be the id of the order'],
      [{ reply: 7 }, 'reply must be text'],
    ] as const) {
      await expect(executor.reports.report('queue', { ...right, ...wrong } as any)).rejects.toThrow(text);
    }
  });

  it('[S1] never gets the jobs of assistants in the process', async () => {
    const task = await send('/a2a/@team/desk', 'hello');
    expect(task.artifacts[0].parts).toEqual([{ text: 'at the desk: hello' }]);
    const canceled = await team.call({
      path: '/a2a/@team/desk',
      method: 'CancelTask',
      params: { id: task.id },
    });
    expect(canceled.body.error.code).toBe(-32002);
    expect([executor.orders, executor.asked]).toEqual([[], []]);
  });
});
