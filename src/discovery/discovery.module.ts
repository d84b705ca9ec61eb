import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { AgentAccess } from './agent-access.service.js';
import { AgentCardController, FormerCardController } from './agent-card.controller.js';
import { AgentDocuments } from './agent-documents.service.js';
import { LegacyMetadataController } from './legacy-metadata.controller.js';
import { PublishedCardController } from './published-card.controller.js';
import { RootCardController } from './root-card.controller.js';

/** How assistants are found: cards and metadata. */
@Module({})
export class DiscoveryModule {
  /** @param imports the modules that provide `AgentDirectory`, `AccountAuthenticator` and `DiscoverySettings` */
  static register({ imports }: Required<Pick<ModuleMetadata, 'imports'>>): DynamicModule {
    return {
      module: DiscoveryModule,
      imports,
      controllers: [
        AgentCardController,
        FormerCardController,
        PublishedCardController,
        LegacyMetadataController,
        RootCardController,
      ],
      providers: [AgentAccess, AgentDocuments],
    };
  }
}
