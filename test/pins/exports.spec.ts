import * as publicApi from '../../src/index.js';

describe('what people who extend it may import', () => {
  it('is this list; a name that goes away breaks somebody', () => {
    expect(Object.keys(publicApi).sort()).toEqual([
      'A2AError',
      'A2AHandler',
      'A2AMethod',
      'AccountTokenVerifier',
      'AgentDirectory',
      'AppModule',
      'Call',
      'Caller',
      'Clock',
      'ConfigError',
      'HelloApiModule',
      'HttpFailure',
      'InvalidParamsError',
      'JobExecutor',
      'JsonRpcError',
      'JwtAccountTokenVerifier',
      'MessageQuota',
      'NotFoundFailure',
      'Params',
      'RawParams',
      'RelayJobExecutor',
      'SettingMessageQuota',
      'StartError',
      'SystemClock',
      'TaskNotCancelableError',
      'TaskNotFoundError',
      'TaskStore',
      'TooManyRequestsFailure',
      'TypeOrmAgentDirectory',
      'TypeOrmTaskStore',
      'UnauthorizedFailure',
      'UnavailableFailure',
      'UnsupportedOperationError',
      'hashSecret',
      'loadAppConfig',
      'serve',
    ]);
  });
});
