import {
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { map, of } from 'rxjs';
import { Assistant, HelloApiModule } from '../../src/index.js';
import { TeamFiles, startTeamApp } from '../support/team-app.js';

const team = { id: 'acct-team', username: 'team' };

class Cached implements NestInterceptor {
  intercept() {
    return of('cached');
  }
}

class Louder implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((reply) => `${reply}!`));
  }
}

/** As teams wrap what their controllers return. */
class Wrapping implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((data) => ({ data })));
  }
}

@Assistant({ handle: 'cached', account: team, visibility: 'public' })
@UseInterceptors(Cached)
class CachedDesk {
  async run() {
    return 'fresh';
  }
}

@Assistant({ handle: 'loud', account: team, visibility: 'public' })
@UseInterceptors(Louder)
class LoudDesk {
  async run() {
    return 'fresh';
  }
}

describe('interceptors of a team', () => {
  const files = new TeamFiles();
  let shop: Awaited<ReturnType<typeof startTeamApp>>;

  beforeAll(async () => {
    shop = await startTeamApp([HelloApiModule.forRoot({ settings: files.settings, operations: true })], {
      providers: [CachedDesk, LoudDesk],
      prepare: (app) => app.useGlobalInterceptors(new Wrapping()),
    });
  });
  afterAll(async () => {
    await shop.app.close();
    files.remove();
  });

  it('[O2] leave the metrics as they are', async () => {
    const response = await fetch(`${shop.url}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toMatch(/^# HELP /);
  });

  it('[C1] leave cards and failures as they are', async () => {
    const card = await fetch(`${shop.url}/a2a/@team/loud/.well-known/agent-card.json`);
    expect(await card.json()).toMatchObject({ capabilities: { streaming: false } });
    const failure = await fetch(`${shop.url}/a2a/@team/nobody/.well-known/agent-card.json`);
    expect(failure.status).toBe(404);
    expect(await failure.json()).toEqual({ error: expect.any(String) });
  });

  const replyOf = async (handle: string) => {
    const message = { messageId: handle, role: 'ROLE_USER', parts: [{ text: 'hello' }] };
    // What the global interceptor does to answers of methods is the team's affair.
    const { body } = await shop.call({
      path: `/a2a/@team/${handle}`,
      method: 'SendMessage',
      params: { message },
    });
    return body.result.data.task;
  };

  it('do not change the reply of a run', async () => {
    const task = await replyOf('loud');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts[0].parts[0].text).toBe('fresh');
  });

  it('fail the task in whose run they did not let the assistant come to word', async () => {
    const { status, artifacts } = await replyOf('cached');
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message.parts[0].text).toContain('an interceptor answered in its place');
    expect(artifacts ?? []).toEqual([]);
  });
});
