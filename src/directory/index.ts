export {
  AgentDirectory,
  STORED_DIRECTORY,
  type AccessRequest,
  type Agent,
  type AgentSkill,
  type Computer,
  type Visibility,
} from './agent-directory.js';
export { AgentInCodeError, AgentsInCode, type AgentInCode } from './code/agents-in-code.js';
export { IN_PROCESS } from './entry-fields.js';
export { AccountAdmin } from './admin/account-admin.js';
export { AgentAdmin, type AgentSettings } from './admin/agent-admin.js';
export { ApiKeyAdmin } from './admin/api-key-admin.js';
export { ComputerAdmin } from './admin/computer-admin.js';
export { DirectoryAdminError, type AdminProblem } from './admin/directory-admin.errors.js';
export { DirectoryListing } from './admin/directory-listing.js';
export type {
  AccountView,
  AgentView,
  ApiKeyView,
  ComputerView,
  ListFilter,
} from './admin/directory-views.js';
export { DirectoryEvents } from './directory-events.js';
export { DirectoryModule } from './directory.module.js';
export { DirectoryFileError } from './import/directory-file.errors.js';
export { DirectoryImport } from './import/directory-import.js';
export { TypeOrmAgentDirectory } from './store/type-orm-agent-directory.js';
export { DIRECTORY_ENTITIES } from './store/directory-entities.js';
export { linkKeysOf, visibleTo } from './visible-to.js';
