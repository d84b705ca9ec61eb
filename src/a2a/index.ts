export * from './errors.js';
export { messageText, type Message, type TextPart } from './message.js';
export {
  isPlainText,
  refusePushConfiguration,
  requirePlainTextAccepted,
  requireText,
} from './message-rules.js';
export { TASK_STATES, TERMINAL_STATES, isTerminal, type TaskState } from './task-state.js';
