import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SignJWT, UnsecuredJWT } from 'jose';
import { signAccountToken } from '../../../src/accounts/index.js';
import { startDaemon, type RunningDaemon, type Runtime } from '../../../src/daemon/index.js';
import { DirectoryImport } from '../../../src/directory/index.js';
import {
  AccountTokenVerifier,
  AgentDirectory,
  Clock,
  HelloApiModule,
  JobExecutor,
  MessageQuota,
} from '../../../src/index.js';
import {
  signTestToken,
  testSettings,
  type DirectorySubject,
  type ExecutorSubject,
  type QuotaSubject,
  type VerifierSubject,
} from '../../../src/testing/index.js';

export const RELAY_TOKEN = 'rt_contract-laptop-0123456789abcdef01234567';
export const API_KEY = 'hi_contract-0123456789abcdef0123456789abcdef';
const HELPER = { id: 'helper-1', username: 'ann', handle: 'helper', computerId: 'laptop' };
const RETIRED = { id: 'retired-1', username: 'ann', handle: 'retired', computerId: 'laptop' };
const FORMER = { id: 'former-1', username: 'former', handle: 'helper', computerId: 'desktop' };

const agentOf = ({ id, username, handle, computerId }: typeof HELPER) => ({
  ...{ id, account: username, handle, computer: computerId, visibility: 'public' },
});
const STAYING = {
  accounts: [{ id: 'ann', username: 'ann' }],
  computers: [
    { id: 'laptop', account: 'ann', relayToken: RELAY_TOKEN },
    { id: 'tower', account: 'ann', relayToken: `${RELAY_TOKEN}-of-another` },
  ],
  agents: [agentOf(HELPER)],
  apiKeys: [{ account: 'ann', key: API_KEY }],
};
const LEAVING = {
  accounts: [{ id: 'former', username: 'former' }],
  computers: [{ id: 'desktop', account: 'former', relayToken: `${RELAY_TOKEN}-of-a-former-one` }],
  agents: [agentOf(RETIRED), agentOf(FORMER)],
  apiKeys: [{ account: 'former', key: `${API_KEY}-of-a-former-one` }],
};

/** Works until it is told to stop. */
const patient: Runtime = {
  run: (_, { signal }) =>
    new Promise((resolve) =>
      signal.addEventListener('abort', () => resolve({ state: 'failed', statusText: 'stopped' })),
    ),
};

/** The defaults of all ports, in one application with a computer. */
export class PortSubjects {
  readonly #folder = mkdtempSync(join(tmpdir(), 'hello-contracts-'));
  #app: INestApplication | undefined;
  #daemon: RunningDaemon | undefined;

  async start(): Promise<void> {
    const file = join(this.#folder, 'directory.json');
    const write = (entries: object) => writeFileSync(file, JSON.stringify(entries));
    const names = ['accounts', 'computers', 'agents', 'apiKeys'] as const;
    write(Object.fromEntries(names.map((name) => [name, [...STAYING[name], ...LEAVING[name]]])));
    chmodSync(file, 0o600);
    const settings = testSettings({ DIRECTORY_FILE: file });
    this.#app = await NestFactory.create(HelloApiModule.forRoot({ settings }), {
      logger: false,
      rawBody: true,
    });
    await this.#app.listen(0, '127.0.0.1');
    write(STAYING);
    await this.#app.get(DirectoryImport, { strict: false }).run();
    this.#daemon = await startDaemon({
      url: `${(await this.#app.getUrl()).replace('http', 'ws')}/relay`,
      token: RELAY_TOKEN,
      dataDir: join(this.#folder, 'daemon'),
      config: { concurrency: 100, queueLimit: 100, agents: {} },
      runtimes: { helper: patient },
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    await this.#untilAvailable();
  }

  async stop(): Promise<void> {
    await this.#daemon?.stop({ drainMs: 0 });
    await this.#app?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  readonly verifier = (): VerifierSubject => ({
    verifier: this.#get(AccountTokenVerifier),
    tokenOf: signTestToken,
    invalidTokens: async (accountId) => {
      const secret = 'another-secret-of-at-least-32-bytes';
      const [head = '', body = ''] = (await signTestToken(accountId)).split('.');
      return [
        await signAccountToken({ secret, accountId, ttlSeconds: 60 }),
        await new SignJWT()
          .setProtectedHeader({ alg: 'HS256' })
          .setSubject(accountId)
          .sign(Buffer.from(secret)),
        new UnsecuredJWT().setSubject(accountId).setExpirationTime('1h').encode(),
        `${head}.${body}.`,
        `${head}.${body}`,
      ];
    },
  });

  readonly directory = (): DirectorySubject => ({
    directory: this.#get(AgentDirectory),
    agent: HELPER,
    relayToken: RELAY_TOKEN,
    apiKey: { key: API_KEY, accountId: 'ann' },
    inactive: {
      agents: [RETIRED, FORMER],
      computerIds: ['desktop'],
      relayTokens: LEAVING.computers.map(({ relayToken }) => relayToken),
      apiKeys: LEAVING.apiKeys.map(({ key }) => key),
    },
  });

  readonly quota = (): QuotaSubject => ({ quota: this.#get(MessageQuota), accountIds: ['ann', 'bob'] });

  readonly executor = (): ExecutorSubject => ({
    executor: this.#get(JobExecutor),
    reachable: { computerId: 'laptop', handle: 'helper' },
    offlineComputerId: 'tower',
  });

  readonly clock = (): Clock => this.#get(Clock);

  #get<Port>(token: abstract new (...args: never[]) => Port): Port {
    if (!this.#app) throw new Error('The application is not started');
    return this.#app.get<Port>(token, { strict: false });
  }

  async #untilAvailable(): Promise<void> {
    const executor = this.#get(JobExecutor);
    const deadlineMs = Date.now() + 30_000;
    while (!executor.isAvailable('laptop')) {
      if (Date.now() > deadlineMs) throw new Error('the daemon did not connect');
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
