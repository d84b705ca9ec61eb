import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { LedgerEntry } from '../src/ledger/ledger-entry.entity.js';
import { Ledger } from '../src/ledger/ledger.js';
import { TestShop } from './shop.js';

const DEADLINE_MS = 20_000;

describe('the ledger', () => {
  let shop: TestShop;
  before(async () => (shop = await TestShop.start()));
  after(() => shop.stop());

  const entriesOf = (taskId: string) => shop.repository(LedgerEntry).findBy({ taskId });

  it('has what happened to a task, soon after it happened', async () => {
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: '2 chairs' }] };
    const { body } = await shop.call('/a2a/@shop/orders', 'SendMessage', { message });
    const { id } = body.result.task;
    // Listeners are called after the caller's answer, or before.
    const finished = await until(async () => (await entriesOf(id)).find(({ kind }) => kind === 'finished'));
    assert.deepEqual([finished.accountId, finished.state], ['ann', 'completed']);
    assert.ok((await entriesOf(id)).some(({ kind }) => kind === 'submitted'));
  });

  it('has one row for what is told twice, as it was told last', async () => {
    const told = {
      taskId: 't',
      contextId: 'c',
      accountId: 'ann',
      agentId: 'shop.orders',
      state: 'working',
    } as const;
    for (const statusAtMs of [1, 2]) await shop.get(Ledger).record({ kind: 'working', ...told, statusAtMs });
    assert.deepEqual(
      (await entriesOf('t')).map(({ statusAtMs }) => statusAtMs),
      [2],
    );
  });
});

async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    assert.ok(Date.now() < deadline, 'it did not happen in time');
    await delay(20);
  }
}
