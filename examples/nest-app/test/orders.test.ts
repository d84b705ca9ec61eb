import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import request from 'supertest';
import { BASE_URL, TestShop } from './shop.js';

const ORDERS = '/a2a/@shop/orders';
const ORDERS_03 = '/a2a/shop.orders';
let messages = 0;

const said = (text: string, more: object = {}) => {
  messages += 1;
  return { message: { messageId: `m-${messages}`, role: 'ROLE_USER', parts: [{ text }], ...more } };
};
const said03 = (text: string, more: object = {}) => {
  messages += 1;
  const parts = [{ kind: 'text', text }];
  return { message: { kind: 'message', messageId: `m-${messages}`, role: 'user', parts, ...more } };
};

describe('the assistant of orders', () => {
  let shop: TestShop;
  before(async () => (shop = await TestShop.start()));
  after(() => shop.stop());

  const ordersOf = async (account: string) => {
    const answer = await request(shop.server)
      .get('/api/orders')
      .set('Authorization', `Bearer ${shop.tokenOf(account)}`)
      .expect(200);
    return (answer.body.orders as { text: string; state: string }[]).map(
      ({ text, state }) => `${text}: ${state}`,
    );
  };

  it('has a card of each version, below the shop’s own address', async () => {
    const card = await request(shop.server)
      .get(`/api/assistants${ORDERS}/.well-known/agent-card.json`)
      .expect(200);
    assert.equal(card.body.name, 'Orders');
    assert.equal(card.body.supportedInterfaces[0].url, `${BASE_URL}${ORDERS}`);
    const card03 = await request(shop.server)
      .get(`/api/assistants${ORDERS_03}/.well-known/agent-card.json`)
      .expect(200);
    assert.equal(card03.body.url, `${BASE_URL}${ORDERS_03}`);
  });

  it('answers customers, and no token of anybody else', async () => {
    const { body } = await shop.call(ORDERS, 'SendMessage', said('2 chairs'), 'bob');
    const { task } = body.result;
    assert.match(task.artifacts[0].parts[0].text, /^Order \d+: 2 chairs\. It is kept as a draft\.$/);
    assert.deepEqual(await ordersOf('bob'), ['2 chairs: draft']);
    await request(shop.server)
      .post(`/api/assistants${ORDERS}`)
      .set('Authorization', 'Bearer bob.forged')
      .set('A2A-Version', '1.0')
      .send({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: said('2 chairs') })
      .expect(401);
    await request(shop.server).get('/api/orders').set('Authorization', 'Bearer bob.forged').expect(401);
  });

  it('is closed to the shop’s own people by its guard', async () => {
    const { body } = await shop.call(ORDERS, 'SendMessage', said('2 chairs'), 'staff-1');
    assert.equal(body.result.task.status.state, 'TASK_STATE_REJECTED');
    assert.deepEqual(await ordersOf('staff-1'), []);
  });

  it('asks over 0.3 before it places an order, also over a restart, and drafts it once', async () => {
    const asked = await shop.call(ORDERS_03, 'message/send', said03('a table'), 'cleo');
    const { id, status } = asked.body.result;
    assert.equal(status.state, 'input-required');
    assert.match(status.message.parts[0].text, /^Place order \d+\?$/);
    assert.deepEqual(await ordersOf('cleo'), ['a table: draft']);

    await shop.restart();
    const { body } = await shop.call(ORDERS_03, 'message/send', said03('yes', { taskId: id }), 'cleo');
    assert.equal(body.result.status.state, 'completed');
    assert.match(body.result.artifacts[0].parts[0].text, /: a table\. It is placed\.$/);
    assert.deepEqual(await ordersOf('cleo'), ['a table: placed']);
  });

  it('places nothing after another answer', async () => {
    const { id } = (await shop.call(ORDERS_03, 'message/send', said03('a lamp'), 'dan')).body.result;
    const { body } = await shop.call(ORDERS_03, 'message/send', said03('no', { taskId: id }), 'dan');
    assert.match(body.result.artifacts[0].parts[0].text, /It was not placed\.$/);
    assert.deepEqual(await ordersOf('dan'), ['a lamp: draft']);
  });

  it('keeps its tasks over a restart, for the account that sent them', async () => {
    const { task } = (await shop.call(ORDERS, 'SendMessage', said('a rug'), 'eve')).body.result;
    await shop.restart();
    const kept = await shop.call(ORDERS, 'GetTask', { id: task.id }, 'eve');
    assert.deepEqual(kept.body.result.artifacts, task.artifacts);
    const foreign = await shop.call(ORDERS, 'GetTask', { id: task.id }, 'ann');
    assert.equal(foreign.body.error.code, -32001);
  });
});

describe('the method of the shop', () => {
  let shop: TestShop;
  before(async () => (shop = await TestShop.start()));
  after(() => shop.stop());

  it('finds an order of the caller’s own', async () => {
    await shop.call(ORDERS, 'SendMessage', said('2 chairs'));
    const { body } = await shop.call(ORDERS, 'x.shop/order', { number: 1 });
    assert.deepEqual(body.result, { number: 1, text: '2 chairs', state: 'draft' });
  });

  for (const [what, params, account, why] of [
    ['what is no number', { number: 'one' }, 'ann', /integer|less than 1/],
    ['a number too small', { number: 0 }, 'ann', /not be less than 1/],
    ['no number at all', {}, 'ann', /integer|less than 1/],
    ['the order of somebody else', { number: 1 }, 'bob', /no order of yours/],
  ] as const) {
    it(`refuses ${what}, and says which field is wrong, and why`, async () => {
      const { error } = (await shop.call(ORDERS, 'x.shop/order', params, account)).body;
      assert.equal(error.code, -32602);
      const [violation] = error.data[0].fieldViolations;
      assert.equal(violation.field, 'number');
      assert.match(violation.description, why);
    });
  }
});
