import type { ServerResponse } from 'node:http';

/** Whether the client went away before its answer was complete. */
export function isClientGone(response: ServerResponse): boolean {
  return response.destroyed && !response.writableFinished;
}

/** A signal that is aborted when the client goes away before its answer is complete, or has gone already. */
export function clientSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (isClientGone(response)) controller.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) controller.abort();
    });
  return controller.signal;
}
