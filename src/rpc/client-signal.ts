import type { ServerResponse } from 'node:http';

/** A signal that is aborted when the client goes away before its answer is complete. */
export function clientSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
