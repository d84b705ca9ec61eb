import {
  ConflictException,
  ForbiddenException,
  HttpException,
  Injectable,
  InternalServerErrorException,
  Module,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { A2AHandler, A2AMethod, RawParams, RefusedFailure, type A2ACall } from '../../src/index.js';
import { ADDRESSES, TestApi } from '../support/test-api.js';

/** What guards and methods of others throw, by the word in the parameters. */
const THROWN: Record<string, () => boolean> = {
  false: () => false,
  forbidden: () => raise(new ForbiddenException('Members only')),
  unauthorized: () => raise(new UnauthorizedException('Log in again')),
  conflict: () => raise(new ConflictException({ message: ['one', 'two'], error: 'Conflict' })),
  teapot: () => raise(new RefusedFailure(418, 'I am a teapot', { 'X-Team': 'tea' })),
  busy: () => raise(new HttpException('Too many orders', 429)),
  gateway: () => raise(new HttpException('The warehouse does not answer', 502)),
  redirect: () => raise(new HttpException('elsewhere', 302)),
  broken: () => raise(new InternalServerErrorException('secret detail')),
  wrong: () => raise(new RefusedFailure(200, 'secret detail')),
};

function raise(error: Error): never {
  throw error;
}

@Injectable()
class MembersOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params } = context.getArgByIndex<A2ACall>(0);
    return THROWN[String(params['guard'])]?.() ?? true;
  }
}

@A2AHandler('1.0')
@UseGuards(MembersOnly)
class Orders {
  @A2AMethod('x-acme/Order')
  order(@RawParams() { method }: { method?: string }) {
    THROWN[method ?? '']?.();
    return { taken: true };
  }

  @A2AMethod('x-acme/Watch', { streams: true })
  async *watch() {
    yield { taken: true };
  }
}

@Module({ providers: [Orders, MembersOnly] })
class OrdersModule {}

describe('methods of a team', () => {
  let api: TestApi;
  const call = (params: object, method = 'x-acme/Order') => api.rpc(ADDRESSES.helper, method, params);

  beforeAll(async () => {
    api = await TestApi.start({}, { imports: [OrdersModule] });
  });
  afterAll(() => api.close());

  it.each([
    ['false', 403, 'Forbidden resource', {}],
    ['forbidden', 403, 'Members only', {}],
    ['unauthorized', 401, 'Log in again', { 'www-authenticate': 'Bearer realm="hello-api"' }],
    ['conflict', 409, 'Conflict Exception', {}],
    ['teapot', 418, 'I am a teapot', { 'x-team': 'tea' }],
    ['busy', 429, 'Too many orders', { 'retry-after': '5' }],
    ['gateway', 502, 'The warehouse does not answer', {}],
  ])('[W5] that refuse answer with the status that they name: %s', async (word, status, error, headers) => {
    const given = [call({ guard: word }), call({ guard: word }, 'x-acme/Watch')];
    if (word !== 'false') given.push(call({ method: word }));
    for (const answer of await Promise.all(given)) {
      expect([answer.status, answer.body]).toEqual([status, { error }]);
      expect(answer.headers).toMatchObject(headers);
    }
  });

  it.each(['redirect', 'broken', 'wrong'])(
    '[W4] that fail are an internal error without a text: %s',
    async (word) => {
      for (const params of [{ guard: word }, { method: word }]) {
        const answer = await call(params);
        expect([answer.status, answer.body.error.code]).toEqual([200, -32603]);
        expect(answer.text).not.toMatch(/secret|elsewhere/);
      }
    },
  );

  it('[O2] are counted by how they ended', async () => {
    const { text } = await api.request('GET', '/metrics');
    const count = (outcome: string) =>
      Number(
        new RegExp(`rpc_requests_total\\{[^}]*x-acme/Order[^}]*outcome="${outcome}"[^}]*\\} (\\d+)`).exec(
          text,
        )?.[1],
      );
    expect([count('refused'), count('rate_limited'), count('unavailable'), count('internal_error')]).toEqual([
      9, 2, 2, 6,
    ]);
  });
});
