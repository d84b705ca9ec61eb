import { UnavailableFailure } from '../common/index.js';

const RETRY_AFTER_SECONDS = 5;

/** What those hear who wait for a task, or follow it, when the service stops (requirement R8). */
export function restartFailure(taskId: string, contextId: string): UnavailableFailure {
  return new UnavailableFailure(
    `The service restarts; task ${taskId} is saved and goes on`,
    RETRY_AFTER_SECONDS,
    { taskId, contextId },
  );
}
