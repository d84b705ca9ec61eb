import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Controller,
  Get,
  UseGuards,
  type ArgumentsHost,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Response } from 'express';
import request from 'supertest';
import { HttpFailure } from '../common/index.js';
import {
  AccountAuthenticator,
  AccountGuard,
  AccountTokenVerifier,
  Caller,
  KeySetUnavailableError,
  readBearer,
  UnauthenticatedError,
  type CallerAccount,
} from './index.js';
import { callerOf } from './caller.decorator.js';

class OneTokenVerifier extends AccountTokenVerifier {
  async verify(token: string): Promise<string | undefined> {
    if (token === 'outage') throw new KeySetUnavailableError();
    return token === 'good' ? 'alice' : undefined;
  }
}

@Controller()
@UseGuards(AccountGuard)
class WhoAmIController {
  @Get('me')
  me(@Caller() caller: CallerAccount): CallerAccount {
    return caller;
  }
}

@Catch(HttpFailure)
class FailureFilter implements ExceptionFilter<HttpFailure> {
  catch(failure: HttpFailure, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    response.status(failure.status).set(failure.headers()).json({ error: failure.message });
  }
}

let app: INestApplication;

beforeAll(async () => {
  const module = await Test.createTestingModule({
    controllers: [WhoAmIController],
    providers: [
      { provide: AccountTokenVerifier, useClass: OneTokenVerifier },
      AccountAuthenticator,
      AccountGuard,
    ],
  }).compile();
  app = module.createNestApplication();
  app.useGlobalFilters(new FailureFilter());
  await app.init();
});

afterAll(() => app.close());

const get = (authorization?: string) => {
  const call = request(app.getHttpServer()).get('/me?access_token=good');
  return authorization === undefined ? call : call.set('Authorization', authorization);
};

describe('AccountGuard', () => {
  it.each(['Bearer good', 'bearer good', 'BEARER   good', 'Bearer\tgood', 'Bearer good  '])(
    '[H1] [B61] lets %p in as the account',
    async (authorization) => {
      const response = await get(authorization).expect(200);
      expect(response.body).toEqual({ accountId: 'alice' });
    },
  );

  it.each([undefined, 'Bearer', 'Bearer ', 'Basic Z29vZA==', 'good', 'Bearergood', 'Bearer good extra'])(
    '[H1] [B57] asks for a token when there is %p',
    async (authorization) => {
      const response = await get(authorization).expect(401);
      expect(response.headers['www-authenticate']).toBe('Bearer realm="hello-api"');
      expect(response.body).toEqual({ error: 'An account access token is required' });
    },
  );

  it('[H1] [H2] refuses a token that is not valid, and repeats nothing of it', async () => {
    const response = await get('Bearer expired-or-forged').expect(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="hello-api", error="invalid_token"');
    expect(response.body).toEqual({ error: 'The account access token is not valid' });
  });

  it('[W5] answers 503 with Retry-After when nobody can tell', async () => {
    const response = await get('Bearer outage').expect(503);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.headers['www-authenticate']).toBeUndefined();
  });
});

describe('AccountAuthenticator.identify', () => {
  const identify = (authorization?: string) =>
    new AccountAuthenticator(new OneTokenVerifier()).identify({ headers: { authorization } });

  it('knows the account of a good token, and takes anything else for nobody', async () => {
    await expect(identify('Bearer good')).resolves.toEqual({ accountId: 'alice' });
    await expect(identify('Bearer bad')).resolves.toBeUndefined();
    await expect(identify('Basic good')).resolves.toBeUndefined();
    await expect(identify()).resolves.toBeUndefined();
  });

  it('does not take an outage for a bad token', async () => {
    await expect(identify('Bearer outage')).rejects.toBeInstanceOf(KeySetUnavailableError);
  });
});

describe('Caller', () => {
  const contextOf = (type: string, first: unknown) =>
    ({
      getType: () => type,
      getArgByIndex: () => first,
      switchToHttp: () => ({ getRequest: () => first }),
    }) as unknown as ExecutionContext;

  it('is the caller of the call object in the context type a2a', () => {
    expect(callerOf(contextOf('a2a', { caller: { accountId: 'alice' } }))).toEqual({ accountId: 'alice' });
  });

  it.each(['a2a', 'http'])('[H1] lets no %s handler run for nobody', (type) => {
    expect(() => callerOf(contextOf(type, {}))).toThrow(UnauthenticatedError);
  });
});

describe('readBearer', () => {
  it('answers a long line of blanks at once', () => {
    expect(readBearer(`Bearer${' '.repeat(100_000)}`)).toBeUndefined();
  });
});
