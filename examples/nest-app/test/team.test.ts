import 'reflect-metadata';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getRepositoryToken } from '@nestjs/typeorm';
import { AccountTokenVerifier, AgentDirectory, JobExecutor } from 'hello-api';
import {
  ACCOUNT_TOKEN_VERIFIER_RULES,
  AGENT_DIRECTORY_RULES,
  report,
  ScriptedExecutor,
  testSettings,
} from 'hello-api/testing';
import request from 'supertest';
import { openSession } from '../src/session-verifier.js';
import { HelperEntity } from '../src/team-directory.js';
import { TeamModule } from '../src/team.module.js';

const HELPER = { id: 'helper-1', team: 'shop', name: 'desk', computer: 'computer-1' };

describe('an application with hello-api', () => {
  const executor = new ScriptedExecutor();
  let app: INestApplication;

  before(async () => {
    executor.onSubmit = ({ taskId, message }) => ({
      kind: 'accepted',
      report: report(taskId, 'completed', 1, { reply: message.text.toUpperCase() }),
    });
    const module = await Test.createTestingModule({
      imports: [
        TeamModule.register({
          database: ':memory:',
          settings: testSettings({
            PUBLIC_BASE_URL: 'https://shop.example/assistants',
            ACCOUNT_JWT_SECRET: undefined,
          }),
          ports: [{ provide: JobExecutor, useValue: executor }],
        }),
      ],
    }).compile();
    app = module.createNestApplication({ rawBody: true, logger: ['error'] });
    await app.listen(0);
    await app.get(getRepositoryToken(HelperEntity), { strict: false }).save(HELPER);
  });
  after(() => app.close());

  const call = (method: string, params: object, token = openSession('ann')) =>
    request(app.getHttpServer())
      .post('/assistants/a2a/@shop/desk')
      .set('Authorization', `Bearer ${token}`)
      .set('A2A-Version', '1.0')
      .send({ jsonrpc: '2.0', id: 1, method, params });

  it('answers at the team’s own address and at those of assistants', async () => {
    await request(app.getHttpServer()).get('/orders').expect(200, { orders: [] });
    const { body } = await request(app.getHttpServer())
      .get('/assistants/a2a/@shop/desk/.well-known/agent-card.json')
      .expect(200);
    assert.equal(body.supportedInterfaces[0].url, 'https://shop.example/assistants/a2a/@shop/desk');
  });

  it('takes messages of the team’s own sessions, and of nobody else', async () => {
    const params = { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] } };
    const { body } = await call('SendMessage', params).expect(200);
    assert.equal(body.result.task.artifacts[0].parts[0].text, 'HELLO');
    await call('SendMessage', params, 'ann.forged').expect(401);
  });

  it('answers a method of the team’s own, validated', async () => {
    const greeted = await call('x.team/greet', { name: 'Bob' }).expect(200);
    assert.deepEqual(greeted.body.result, { greeting: 'Hello Bob, from ann' });
    const refused = await call('x.team/greet', { name: 5 }).expect(200);
    assert.equal(refused.body.error.code, -32602);
  });

  for (const rule of ACCOUNT_TOKEN_VERIFIER_RULES) {
    it(`verifier: ${rule.title}`, () =>
      rule.check({
        verifier: app.get(AccountTokenVerifier, { strict: false }),
        tokenOf: openSession,
        invalidTokens: (accountId) => [`${accountId}.forged`, openSession('bob').replace('bob', accountId)],
      }));
  }

  for (const rule of AGENT_DIRECTORY_RULES) {
    it(`directory: ${rule.title}`, () =>
      rule.check({
        directory: app.get(AgentDirectory, { strict: false }),
        agent: { id: HELPER.id, username: HELPER.team, handle: HELPER.name, computerId: HELPER.computer },
        relayToken: undefined,
        apiKey: undefined,
      }));
  }
});
