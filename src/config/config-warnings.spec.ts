import { configWarnings } from './config-warnings.js';
import { loadAppConfig, type Environment } from './load-app-config.js';

function warningsOf(environment: Environment): string[] {
  const complete = { ACCOUNT_JWT_SECRET: 's'.repeat(32), ...environment };
  return configWarnings(complete, loadAppConfig(complete));
}

describe('configWarnings', () => {
  it('[O1] points out names that are nearly a setting, without their values', () => {
    expect(warningsOf({ A2A_WAIT_BUDGET: 'x-value', RELAY_HEARBEAT_MS: '5' })).toEqual([
      'A2A_WAIT_BUDGET is not a setting and has no effect; is A2A_WAIT_BUDGET_MS meant?',
      'RELAY_HEARBEAT_MS is not a setting and has no effect; is RELAY_HEARTBEAT_MS meant?',
    ]);
  });

  it('[O1] leaves the variables of other programs and valid settings alone', () => {
    expect(
      warningsOf({ A2A_SDK_TELEMETRY: 'on', PATH: '/bin', PROT: '1', RELAY_HEARTBEAT_MS: '500' }),
    ).toEqual([]);
  });

  it('[O1] warns about a public URL in production over which tokens travel unencrypted', () => {
    const insecure = { PUBLIC_BASE_URL: 'http://api.example' };
    expect(warningsOf({ ...insecure, NODE_ENV: 'production' })).toEqual([
      'PUBLIC_BASE_URL is not https: clients would send their tokens unencrypted',
    ]);
    expect(warningsOf({ PUBLIC_BASE_URL: 'https://api.example', NODE_ENV: 'production' })).toEqual([]);
    expect(warningsOf(insecure)).toEqual([]);
  });
});
