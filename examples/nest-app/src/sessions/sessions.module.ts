import { Global, Module, type DynamicModule } from '@nestjs/common';
import { SessionGuard } from './session.guard.js';
import { Sessions } from './sessions.js';

@Global()
@Module({})
export class SessionsModule {
  static register(key: string): DynamicModule {
    return {
      module: SessionsModule,
      providers: [{ provide: Sessions, useValue: new Sessions(key) }, SessionGuard],
      exports: [Sessions, SessionGuard],
    };
  }
}
