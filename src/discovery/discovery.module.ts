import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { AgentAccess } from './agent-access.service.js';
import { AgentCardController, FormerCardController } from './agent-card.controller.js';
import { AgentDocuments } from './agent-documents.service.js';
import { LegacyMetadataController } from './legacy-metadata.controller.js';
import { PublishedCardController } from './published-card.controller.js';
import { RootCardController } from './root-card.controller.js';

/** Those whose addresses are assistants'. */
export const AGENT_DOCUMENT_CONTROLLERS = [
  AgentCardController,
  FormerCardController,
  PublishedCardController,
  LegacyMetadataController,
];

export interface DiscoveryOptions extends Required<Pick<ModuleMetadata, 'imports'>> {
  /** Whether the place of a card for the whole origin is the service's, to explain that there is none (requirement C6). */
  rootCard?: boolean;
}

/** How assistants are found: cards and metadata. Imports provide `AccountAuthenticator`, `ErrorMapper` and, unless they are global, the directory and settings. */
@Module({})
export class DiscoveryModule {
  static register({ imports, rootCard = true }: DiscoveryOptions): DynamicModule {
    return {
      module: DiscoveryModule,
      imports,
      controllers: [...AGENT_DOCUMENT_CONTROLLERS, ...(rootCard ? [RootCardController] : [])],
      providers: [AgentAccess, AgentDocuments],
    };
  }
}
