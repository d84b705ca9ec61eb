export {
  AgentDirectory,
  type Agent,
  type AgentSkill,
  type Computer,
  type Visibility,
} from './agent-directory.js';
