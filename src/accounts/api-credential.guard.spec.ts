import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { AccountAuthenticator } from './account-authenticator.service.js';
import { AccountTokenVerifier } from './account-token-verifier.js';
import { UnauthenticatedError } from './accounts.errors.js';
import { ApiCredentialGuard } from './api-credential.guard.js';
import { ApiKeys } from './api-keys.js';

const asked: string[] = [];

class Keys extends ApiKeys {
  async findAccount(key: string): Promise<string | undefined> {
    asked.push(key);
    return key === 'hi_right' ? 'acct-key' : undefined;
  }
}

class Tokens extends AccountTokenVerifier {
  async verify(token: string): Promise<string | undefined> {
    return token === 'a.jwt.token' ? 'acct-token' : undefined;
  }
}

const guard = new ApiCredentialGuard(new Keys(), new AccountAuthenticator(new Tokens()));

async function callerOf(authorization?: string): Promise<unknown> {
  const request: { headers: object; caller?: unknown } = { headers: { authorization } };
  await guard.canActivate(new ExecutionContextHost([request]));
  return request.caller;
}

describe('credentials of the 0.3 endpoint', () => {
  it('[P2] are an API key or an account token', async () => {
    expect(await callerOf('Bearer hi_right')).toEqual({ accountId: 'acct-key' });
    expect(await callerOf('bearer  a.jwt.token')).toEqual({ accountId: 'acct-token' });
  });

  it.each([
    undefined,
    'Bearer',
    'Bearer hi_wrong',
    'Bearer HI_right',
    'Bearer rt_right',
    'Basic hi_right',
    'Bearer hi_right hi_right',
  ])('[P2] [H2] are not %j', async (authorization) => {
    await expect(callerOf(authorization)).rejects.toThrow(UnauthenticatedError);
  });

  it('[P2] [H2] are named in the answer, and never repeated', async () => {
    const failure = await callerOf('Bearer hi_secret').catch(
      (thrown: unknown) => thrown as UnauthenticatedError,
    );
    expect(failure).toMatchObject({
      status: 401,
      message: 'The API key or account access token is not valid',
    });
    expect((failure as UnauthenticatedError).headers()).toEqual({
      'WWW-Authenticate': 'Bearer realm="hello-api", error="invalid_token"',
    });
    await expect(callerOf()).rejects.toThrow('An API key or account access token is required');
  });

  it('[P2] are not looked up beyond the length that keys have', async () => {
    asked.length = 0;
    await expect(callerOf(`Bearer hi_${'x'.repeat(300)}`)).rejects.toThrow(UnauthenticatedError);
    expect(asked).toEqual([]);
  });
});
