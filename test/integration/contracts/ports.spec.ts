import {
  ACCOUNT_TOKEN_VERIFIER_RULES,
  AGENT_DIRECTORY_RULES,
  CLOCK_RULES,
  JOB_EXECUTOR_RULES,
  MESSAGE_QUOTA_RULES,
  testRules,
  type Rule,
} from '../../../src/testing/index.js';
import { ASSERTION, type Broken, type Change, changed, neverBroken, ruleNamed } from './broken-port.js';
import { BROKEN_CLOCKS, BROKEN_QUOTAS, BROKEN_VERIFIERS } from './broken-ports/accounts.js';
import { BROKEN_DIRECTORIES } from './broken-ports/directories.js';
import { BROKEN_EXECUTORS } from './broken-ports/executors.js';
import { PortSubjects } from './port-subjects.js';

const subjects = new PortSubjects();
beforeAll(() => subjects.start(), 60_000);
afterAll(() => subjects.stop(), 60_000);

/** A suite with implementations that break it. */
interface Contract<Subject, Port extends object> {
  rules: readonly Rule<Subject>[];
  broken: readonly Broken<Port>[];
  /** The default, with a change of it. */
  open: (change: Change<Port>) => Subject;
}

function contract<Subject, Port extends object>(
  name: string,
  { rules, broken, open }: Contract<Subject, Port>,
) {
  describe(`the default ${name} keeps its rules`, () => {
    testRules(rules, it, () => open(() => ({})));
  });

  describe(`the contract of ${name} notices one that breaks a rule`, () => {
    it('has a title of its own for every rule, and a broken implementation', () => {
      const titles = rules.map(({ title }) => title);
      expect(new Set(titles).size).toBe(titles.length);
      expect(neverBroken(rules, broken)).toEqual([]);
    });

    it.each(broken.map(([rule, what, change]) => [ruleNamed(rules, rule).title, what, change] as const))(
      '%s: one that %s',
      async (title, _, change) => {
        await expect(ruleNamed(rules, title).check(open(change))).rejects.toMatchObject(ASSERTION);
      },
    );
  });
}

contract('AccountTokenVerifier', {
  rules: ACCOUNT_TOKEN_VERIFIER_RULES,
  broken: BROKEN_VERIFIERS,
  open: (change) => {
    const subject = subjects.verifier();
    return { ...subject, verifier: changed(subject.verifier, change) };
  },
});

contract('AgentDirectory', {
  rules: AGENT_DIRECTORY_RULES,
  broken: BROKEN_DIRECTORIES,
  open: (change) => {
    const subject = subjects.directory();
    return { ...subject, directory: changed(subject.directory, change) };
  },
});

contract('MessageQuota', {
  rules: MESSAGE_QUOTA_RULES,
  broken: BROKEN_QUOTAS,
  open: (change) => {
    const subject = subjects.quota();
    return { ...subject, quota: changed(subject.quota, change) };
  },
});

contract('JobExecutor', {
  rules: JOB_EXECUTOR_RULES,
  broken: BROKEN_EXECUTORS,
  open: (change) => {
    const subject = subjects.executor();
    return { ...subject, executor: changed(subject.executor, change) };
  },
});

contract('Clock', {
  rules: CLOCK_RULES,
  broken: BROKEN_CLOCKS,
  open: (change) => changed(subjects.clock(), change),
});
