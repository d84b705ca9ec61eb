import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AccountTokenVerifier, hashSecret } from 'hello-api';
import { startDaemon, type RunningDaemon, type Runtime } from 'hello-api/daemon';
import { ACCOUNT_TOKEN_VERIFIER_RULES, AGENT_DIRECTORY_RULES, testRules } from 'hello-api/testing';
import { ComputerEntity, HelperEntity } from '../src/directory/directory.entities.js';
import { SessionVerifier } from '../src/sessions/session-verifier.js';
import { TeamDirectory } from '../src/directory/team-directory.js';
import { TestShop } from './shop.js';

const RELAY_TOKEN = 'rt_of-the-warehouse-0123456789';
const HELPER = {
  id: 'helper-1',
  team: 'warehouse',
  name: 'stock',
  computer: 'computer-1',
  updatedAtMs: 1_790_000_000_000,
  revision: 1,
};

const shout: Runtime = {
  run: async ({ text }) => ({ state: 'succeeded', reply: text.toUpperCase() }),
};

let shop: TestShop;
before(async () => {
  shop = await TestShop.start();
  await shop.repository(HelperEntity).insert(HELPER);
  await shop.repository(ComputerEntity).insert({
    id: HELPER.computer,
    team: HELPER.team,
    relayTokenHash: hashSecret(RELAY_TOKEN),
    lastSeenAtMs: 0,
  });
});
after(() => shop.stop());

describe('the shop’s own verifier', () => {
  const tokenOf = (accountId: string) => shop.tokenOf(accountId);
  const invalidTokens = (accountId: string) => [
    `${accountId}.forged`,
    tokenOf('bob').replace('bob', accountId),
  ];

  testRules(ACCOUNT_TOKEN_VERIFIER_RULES, it, () => {
    const verifier = shop.get(AccountTokenVerifier);
    assert.ok(verifier instanceof SessionVerifier);
    return { verifier, tokenOf, invalidTokens };
  });
});

describe('the shop’s own directory', () => {
  testRules(AGENT_DIRECTORY_RULES, it, () => ({
    directory: new TeamDirectory(shop.repository(HelperEntity), shop.repository(ComputerEntity)),
    agent: { id: HELPER.id, username: HELPER.team, handle: HELPER.name, computerId: HELPER.computer },
    relayToken: RELAY_TOKEN,
    apiKey: undefined,
  }));

  it('brings messages to a helper on a computer of the team’s', async () => {
    const daemon = await startHelper();
    try {
      await daemon.connected;
      const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'chairs?' }] };
      const { body } = await shop.call('/a2a/@warehouse/stock', 'SendMessage', { message });
      assert.equal(body.result.task.artifacts[0].parts[0].text, 'CHAIRS?');
    } finally {
      await daemon.stop({ drainMs: 0 });
    }
  });
});

function startHelper(): Promise<RunningDaemon> {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return startDaemon({
    url: `${shop.origin.replace('http', 'ws')}/api/assistants/relay`,
    token: RELAY_TOKEN,
    dataDir: shop.folderOf('daemon'),
    config: { concurrency: 1, queueLimit: 10, agents: {} },
    runtimes: { [HELPER.name]: shout },
    logger: silent,
  });
}
