import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { signAccountToken } from '../../../src/accounts/index.js';
import { startDaemon, type RunningDaemon, type Runtime } from '../../../src/daemon/index.js';
import {
  AccountTokenVerifier,
  AgentDirectory,
  Clock,
  HelloApiModule,
  JobExecutor,
  MessageQuota,
  type JobOrder,
} from '../../../src/index.js';
import {
  ACCOUNT_TOKEN_VERIFIER_RULES,
  AGENT_DIRECTORY_RULES,
  CLOCK_RULES,
  JOB_EXECUTOR_RULES,
  MESSAGE_QUOTA_RULES,
  signTestToken,
  testSettings,
  type DirectorySubject,
  type ExecutorSubject,
  type QuotaSubject,
  type Rule,
  type VerifierSubject,
} from '../../../src/testing/index.js';

const RELAY_TOKEN = 'rt_contract-laptop-0123456789abcdef01234567';
const API_KEY = 'hi_contract-0123456789abcdef0123456789abcdef';
const AGENT = { id: 'helper-1', username: 'ann', handle: 'helper', computerId: 'laptop' };

/** Works until it is told to stop. */
const patient: Runtime = {
  run: (_, { signal }) =>
    new Promise((resolve) =>
      signal.addEventListener('abort', () => resolve({ state: 'failed', statusText: 'stopped' })),
    ),
};

const folder = mkdtempSync(join(tmpdir(), 'hello-contracts-'));
let app: INestApplication;
let daemon: RunningDaemon;

beforeAll(async () => {
  const file = join(folder, 'directory.json');
  const directory = {
    accounts: [{ id: 'ann', username: 'ann' }],
    computers: [
      { id: 'laptop', account: 'ann', relayToken: RELAY_TOKEN },
      { id: 'tower', account: 'ann', relayToken: `${RELAY_TOKEN}-of-another` },
    ],
    agents: [{ id: AGENT.id, account: 'ann', handle: 'helper', computer: 'laptop', visibility: 'public' }],
    apiKeys: [{ account: 'ann', key: API_KEY }],
  };
  writeFileSync(file, JSON.stringify(directory));
  chmodSync(file, 0o600);
  app = await NestFactory.create(
    HelloApiModule.forRoot({ settings: testSettings({ DIRECTORY_FILE: file }) }),
    { logger: false, rawBody: true },
  );
  await app.listen(0, '127.0.0.1');
  daemon = await startDaemon({
    url: `${(await app.getUrl()).replace('http', 'ws')}/relay`,
    token: RELAY_TOKEN,
    dataDir: join(folder, 'daemon'),
    config: { concurrency: 20, queueLimit: 100, agents: {} },
    runtimes: { helper: patient },
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const executor = app.get(JobExecutor, { strict: false });
  const deadline = Date.now() + 10_000;
  while (!executor.isAvailable('laptop')) {
    if (Date.now() > deadline) throw new Error('the daemon did not connect');
    await new Promise((resolve) => setImmediate(resolve));
  }
});

afterAll(async () => {
  await daemon?.stop({ drainMs: 0 });
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

const verifying = (): VerifierSubject => ({
  verifier: app.get(AccountTokenVerifier, { strict: false }),
  tokenOf: signTestToken,
  invalidTokens: async (accountId) => [
    await signAccountToken({ secret: 'another-secret-of-at-least-32-bytes', accountId, ttlSeconds: 60 }),
  ],
});
const finding = (): DirectorySubject => ({
  directory: app.get(AgentDirectory, { strict: false }),
  agent: AGENT,
  relayToken: RELAY_TOKEN,
  apiKey: { key: API_KEY, accountId: 'ann' },
});
const counting = (): QuotaSubject => ({
  quota: app.get(MessageQuota, { strict: false }),
  accountIds: ['ann', 'bob'],
});
const running = (): ExecutorSubject => ({
  executor: app.get(JobExecutor, { strict: false }),
  reachable: { computerId: 'laptop', handle: 'helper' },
  offlineComputerId: 'tower',
});
const telling = (): Clock => app.get(Clock, { strict: false });

/** Every rule passes with the default. */
function keeps<S>(name: string, rules: readonly Rule<S>[], subject: () => S): void {
  describe(`the default ${name} keeps its rules`, () => {
    it.each(rules.map((rule) => [rule.title, rule] as const))('%s', (_, rule) => rule.check(subject()));
  });
}

keeps('AccountTokenVerifier', ACCOUNT_TOKEN_VERIFIER_RULES, verifying);
keeps('AgentDirectory', AGENT_DIRECTORY_RULES, finding);
keeps('MessageQuota', MESSAGE_QUOTA_RULES, counting);
keeps('JobExecutor', JOB_EXECUTOR_RULES, running);
keeps('Clock', CLOCK_RULES, telling);

/** The default with some of its methods broken on purpose. */
function broken<P extends object>(port: P, change: (port: P) => Partial<P>): P {
  return Object.assign(Object.create(port) as P, change(port));
}

/** A rule and a subject that breaks it. */
function breaking<S>(rules: readonly Rule<S>[], title: string, subject: () => S) {
  const rule = rules.find((candidate) => candidate.title.includes(title));
  if (!rule) throw new Error(`There is no rule "${title}"`);
  return [rule.title, () => rule.check(subject())] as const;
}

const verifier = (title: string, change: (port: AccountTokenVerifier) => Partial<AccountTokenVerifier>) =>
  breaking(ACCOUNT_TOKEN_VERIFIER_RULES, title, () => {
    const subject = verifying();
    return { ...subject, verifier: broken(subject.verifier, change) };
  });
const directory = (title: string, change: (port: AgentDirectory) => Partial<AgentDirectory>) =>
  breaking(AGENT_DIRECTORY_RULES, title, () => {
    const subject = finding();
    return { ...subject, directory: bound(subject.directory, change) };
  });
const quota = (title: string, change: (port: MessageQuota) => Partial<MessageQuota>) =>
  breaking(MESSAGE_QUOTA_RULES, title, () => {
    const subject = counting();
    return { ...subject, quota: broken(subject.quota, change) };
  });
const executor = (title: string, change: (port: JobExecutor) => Partial<JobExecutor>) =>
  breaking(JOB_EXECUTOR_RULES, title, () => {
    const subject = running();
    return { ...subject, executor: broken(subject.executor, change) };
  });
const clock = (title: string, now: () => number) => breaking(CLOCK_RULES, title, () => ({ now }));

/** The directory has private members, which methods of a derived object cannot reach. */
function bound(
  port: AgentDirectory,
  change: (port: AgentDirectory) => Partial<AgentDirectory>,
): AgentDirectory {
  const methods = [
    'findByAddress',
    'findById',
    'findComputerByRelayToken',
    'findComputer',
    'handlesOf',
    'recordSeen',
    'findAccountByApiKey',
  ] as const;
  const all = Object.fromEntries(methods.map((name) => [name, (port[name] as () => unknown).bind(port)]));
  return { ...all, ...change(port) } as AgentDirectory;
}

describe('a contract suite notices an implementation that breaks a rule', () => {
  it.each([
    verifier('a valid token is its account', (port) => ({
      verify: async (token) => (await port.verify(token))?.toLowerCase(),
    })),
    verifier('not mixed up', (port) => {
      let last: string | undefined;
      return {
        verify: async (token) => {
          last = (await port.verify(token)) ?? last;
          await new Promise((resolve) => setImmediate(resolve));
          return last;
        },
      };
    }),
    verifier('not valid is nobody', () => ({
      verify: async (token) =>
        (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }).sub,
    })),
    verifier('no token at all are nobody', (port) => ({
      verify: async (token) => {
        if (token === '') throw new Error('no token');
        return port.verify(token);
      },
    })),
    directory('found by its address and by its id', () => ({ findById: async () => undefined })),
    directory('look-ups are exact', (port) => ({
      findByAddress: (username, handle) => port.findByAddress(username.toLowerCase(), handle),
    })),
    directory('can change it for others', (port) => {
      let shared: object | undefined;
      return {
        findById: async (id) => (shared ??= { ...(await port.findById(id)) }) as never,
      };
    }),
    directory('a relay token opens its computer', () => ({
      findComputerByRelayToken: async () => ({ id: 'laptop', accountId: 'ann' }),
    })),
    directory('the handles of its assistants', () => ({ handlesOf: async () => ['helper'] })),
    directory('the later time of presence stands', (port) => {
      let seen = 0;
      return {
        recordSeen: async (_, nowMs) => void (seen = nowMs),
        findComputer: async (id) => {
          const computer = await port.findComputer(id);
          return computer && { ...computer, ...(seen > 0 && { lastSeenAtMs: seen }) };
        },
      };
    }),
    directory('an API key is its account', () => ({ findAccountByApiKey: async () => 'ann' })),
    quota('whole numbers', () => ({ limitOf: async () => ({ limit: 0.5, windowMs: 1000 }) })),
    quota('nobody has heard of', (port) => ({
      limitOf: async (accountId) => {
        if (accountId.startsWith('nobody')) throw new Error('no such account');
        return port.limitOf(accountId);
      },
    })),
    quota('asking counts nothing', () => {
      let left = 100;
      return { limitOf: async () => ({ limit: left--, windowMs: 1000 }) };
    }),
    executor('is available', () => ({ isAvailable: () => true })),
    executor('is refused', () => ({ submit: async () => ({ kind: 'uncertain' }) })),
    executor('under the id of its task', (port) => ({
      submit: (order: JobOrder) => port.submit({ ...order, taskId: `other-${order.taskId}` }),
    })),
    executor('never submitted', () => ({ status: async () => [] })),
    executor('a cancel is confirmed', () => ({ cancel: async () => ({ kind: 'unreachable' }) })),
    executor('only a job that asks', () => ({ answer: async () => ({ kind: 'uncertain' }) })),
    executor('a hint that never fails', () => ({
      forget: () => {
        throw new Error('offline');
      },
    })),
    clock('whole number', () => performance.now()),
    clock('not in seconds', () => Math.floor(Date.now() / 1000)),
  ])('%s', async (_, check) => {
    await expect(check()).rejects.toThrow();
  });
});
