import { Controller, Get, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  AccountTokenVerifier,
  AgentDirectory,
  HelloApiModule,
  type ModuleSettings,
  type PortProvider,
} from 'hello-api';
import { GreetingHandler } from './greeting.handler.js';
import { SessionVerifier } from './session-verifier.js';
import { HelperEntity, TeamDirectory } from './team-directory.js';

@Controller('orders')
export class OrdersController {
  @Get()
  list() {
    return { orders: [] };
  }
}

/** What the replaced ports inject. */
@Module({ imports: [TypeOrmModule.forFeature([HelperEntity])], exports: [TypeOrmModule] })
class HelpersModule {}

@Module({ providers: [GreetingHandler] })
class GreetingModule {}

@Module({})
export class TeamModule {
  /** @param ports more of them, such as a scripted executor in tests */
  static register(options: {
    database: string;
    settings: ModuleSettings;
    ports?: PortProvider[];
  }): DynamicModule {
    return {
      module: TeamModule,
      imports: [
        TypeOrmModule.forRoot({
          type: 'sqlite',
          database: options.database,
          entities: [HelperEntity],
          synchronize: true,
        }),
        HelloApiModule.forRoot({
          settings: options.settings,
          path: 'assistants',
          imports: [HelpersModule, GreetingModule],
          ports: [
            { provide: AccountTokenVerifier, useClass: SessionVerifier },
            { provide: AgentDirectory, useClass: TeamDirectory },
            ...(options.ports ?? []),
          ],
        }),
      ],
      controllers: [OrdersController],
    };
  }
}
