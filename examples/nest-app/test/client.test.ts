import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SendMessageRequest, TaskState, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
import { BASE_URL, SHOP_URL, TestShop } from './shop.js';

describe('the official client', () => {
  let shop: TestShop;
  before(async () => (shop = await TestShop.start()));
  after(() => shop.stop());

  /** The client as its users make it, behind what a proxy does: the public address leads to the shop. */
  const clientOf = (account: string): Promise<Client> => {
    const fetchImpl: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('Authorization', `Bearer ${shop.tokenOf(account)}`);
      return fetch(String(input).replace(SHOP_URL, shop.origin), { ...init, headers });
    };
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    });
    const card = `${BASE_URL}/a2a/@shop/orders/.well-known/agent-card.json`;
    return new ClientFactory(options).createFromUrl(card, '');
  };

  it('finds the assistant by its card, sends a message, and fetches the task', async () => {
    const client = await clientOf('ann');
    assert.equal((await client.getAgentCard()).name, 'Orders');
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: '2 chairs' }] };
    const sent = (await client.sendMessage(SendMessageRequest.fromJSON({ message }))) as Task;
    assert.equal(sent.status?.state, TaskState.TASK_STATE_COMPLETED);

    const fetched = await client.getTask({ tenant: '', id: sent.id });
    assert.deepEqual(fetched.artifacts[0]?.parts[0]?.content, {
      $case: 'text',
      value: 'Order 1: 2 chairs. It is kept as a draft.',
    });
  });
});
