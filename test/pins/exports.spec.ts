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
      'InvalidParamsError',
      'JobExecutor',
      'JsonRpcError',
      'RawParams',
      'RuntimeFailure',
      'TaskNotCancelableError',
      'TaskNotFoundError',
      'TaskStore',
      'UnsupportedOperationError',
      'loadAppConfig',
      'serve',
      'startDaemon',
    ]);
  });
});
