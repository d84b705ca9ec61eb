export {
  AnswerPending,
  AssistantRejection,
  type AssistantContext,
  type AssistantJob,
  type AssistantRunner,
} from './assistant.js';
export { Assistant, type AssistantOptions } from './assistant.decorator.js';
export { AssistantSettings } from './assistant-settings.js';
export { AssistantsModule } from './assistants.module.js';
