export {
  AgentDirectory,
  type AccessRequest,
  type Agent,
  type AgentSkill,
  type Computer,
  type Visibility,
} from './agent-directory.js';
export { DirectoryEvents } from './directory-events.js';
export { DirectoryModule } from './directory.module.js';
export { DirectoryFileError } from './import/directory-file.errors.js';
export { DirectoryImport } from './import/directory-import.js';
export { listComputers } from './store/list-computers.js';
export { DIRECTORY_ENTITIES } from './store/directory-entities.js';
export { linkKeysOf, visibleTo } from './visible-to.js';
