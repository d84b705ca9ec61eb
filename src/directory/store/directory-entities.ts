import { AccountEntity } from './account.entity.js';
import { AgentEntity } from './agent.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ComputerEntity } from './computer.entity.js';

/** Every table of the directory, for the data sources. */
export const DIRECTORY_ENTITIES = [AccountEntity, ComputerEntity, AgentEntity, ApiKeyEntity];
