// Test an application: settings, tokens and a computer that does what the test says.
export { ScriptedExecutor, report } from './scripted-executor.js';
export { signTestToken, testSettings } from './test-settings.js';

// Test a port: every rule of its, to be run against an implementation of yours.
export { testRules, type Rule, type TestFunction } from './rule.js';
export { ACCOUNT_TOKEN_VERIFIER_RULES, type VerifierSubject } from './account-token-verifier.rules.js';
export { AGENT_DIRECTORY_RULES, type DirectorySubject } from './agent-directory.rules.js';
export { CLOCK_RULES } from './clock.rules.js';
export { JOB_EXECUTOR_RULES, type ExecutorSubject } from './job-executor.rules.js';
export { MESSAGE_QUOTA_RULES, type QuotaSubject } from './message-quota.rules.js';
export { TASK_STORE_RULES } from './task-store/task-store.rules.js';
export type { TaskStoreSubject } from './task-store/store-rule.rules.js';
