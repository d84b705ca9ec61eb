import { Module } from '@nestjs/common';
import { TeamFiles, startTeamApp } from '../test/support/team-app.js';
import { A2AHandler, A2AMethod, HelloApiModule, MessageQuota } from './index.js';

class OneMessage extends MessageQuota {
  async limitOf() {
    return { limit: 1, windowMs: 60_000 };
  }
}

@A2AHandler('1.0')
class CollidingHandler {
  @A2AMethod('GetTask')
  get() {
    return {};
  }
}
@Module({ providers: [CollidingHandler] })
class CollidingModule {}

describe('HelloApiModule', () => {
  const files = new TeamFiles();
  afterAll(() => files.remove());

  it('[O1] refuses wrong settings when the module is made, and says what is right', () => {
    expect(() =>
      HelloApiModule.forRoot({
        settings: { A2A_WAIT_BUDGET_MS: 'soon', PORT: 3000, A2A_STOR_PATH: 'x' } as object,
      }),
    ).toThrow(
      /PORT is for `hello serve` alone[^]*A2A_STOR_PATH is not a setting[^]*PUBLIC_BASE_URL must be set[^]*A2A_WAIT_BUDGET_MS must be a whole number[^]*ACCOUNT_JWT_SECRET or ACCOUNT_JWKS_URL/,
    );
  });

  it('refuses to replace what is no port, and a port twice', () => {
    const forRoot = (...ports: any[]) => HelloApiModule.forRoot({ settings: files.settings, ports });
    expect(() => forRoot({ provide: 'Something', useValue: 1 })).toThrow(
      /Something is no port of hello-api[^]*AccountTokenVerifier, AgentDirectory/,
    );
    const quota = { provide: MessageQuota, useClass: OneMessage };
    expect(() => forRoot(quota, quota)).toThrow('The port MessageQuota is replaced twice');
  });

  it('refuses a method that is answered already', async () => {
    const start = startTeamApp([
      HelloApiModule.forRoot({ settings: files.settings, imports: [CollidingModule] }),
    ]);
    await expect(start).rejects.toThrow(
      /GetTask is answered twice: .*TaskHandler.*CollidingHandler|GetTask is answered twice: .*CollidingHandler/,
    );
  });
});
