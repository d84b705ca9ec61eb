import { Module, type DynamicModule } from '@nestjs/common';
import { AccountTokenVerifier, AgentDirectory, HelloApiModule } from 'hello-api';
import { DirectoryModule } from './directory/directory.module.js';
import { TeamDirectory } from './directory/team-directory.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { SessionVerifier } from './sessions/session-verifier.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { shopDatabase } from './shop.database.js';
import { ASSISTANTS_PATH, type ShopSettings } from './shop.settings.js';

/** The whole application: the shop, and hello-api as a part of it. */
@Module({})
export class ShopModule {
  static register({ database, sessionKey, assistants }: ShopSettings): DynamicModule {
    const sessions = SessionsModule.register(sessionKey);
    return {
      module: ShopModule,
      imports: [
        shopDatabase(database),
        sessions,
        OrdersModule,
        LedgerModule,
        HelloApiModule.forRoot({
          settings: assistants,
          path: ASSISTANTS_PATH,
          // They provide what the ports below inject.
          imports: [sessions, DirectoryModule],
          ports: [
            { provide: AccountTokenVerifier, useClass: SessionVerifier },
            { provide: AgentDirectory, useClass: TeamDirectory },
          ],
        }),
      ],
    };
  }
}
