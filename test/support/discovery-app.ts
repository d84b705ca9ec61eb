import { Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AccountAuthenticator,
  AccountTokenVerifier,
  KeySetUnavailableError,
} from '../../src/accounts/index.js';
import { LoginFailures, SystemClock } from '../../src/common/index.js';
import { AgentDirectory } from '../../src/directory/index.js';
import { DiscoveryModule, DiscoverySettings } from '../../src/discovery/index.js';
import { ErrorMapper } from '../../src/rpc/index.js';
import { AgentDirectoryDouble } from './agent-directory-double.js';

/** Takes `token-of-<account>` for that account's token; `outage` stands for an issuer that cannot be reached. */
class NamedTokenVerifier extends AccountTokenVerifier {
  async verify(token: string): Promise<string | undefined> {
    if (token === 'outage') throw new KeySetUnavailableError();
    return /^token-of-(.+)$/.exec(token)?.[1];
  }
}

export interface DiscoveryApp {
  app: INestApplication;
  directory: AgentDirectoryDouble;
}

/** The discovery module alone, on a port of its own. */
export async function startDiscovery(publicBaseUrl = 'https://api.example'): Promise<DiscoveryApp> {
  const directory = new AgentDirectoryDouble();
  @Module({
    providers: [
      { provide: AgentDirectory, useValue: directory },
      { provide: AccountTokenVerifier, useClass: NamedTokenVerifier },
      { provide: DiscoverySettings, useValue: { publicBaseUrl } },
      { provide: LoginFailures, useValue: new LoginFailures(1_000, new SystemClock()) },
      AccountAuthenticator,
      ErrorMapper,
    ],
    exports: [ErrorMapper, LoginFailures, AgentDirectory, AccountAuthenticator, DiscoverySettings],
  })
  class SurroundingsModule {}
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule.register({ imports: [SurroundingsModule] })],
  }).compile();
  const app = module.createNestApplication({ logger: false });
  await app.listen(0, '127.0.0.1');
  return { app, directory };
}
