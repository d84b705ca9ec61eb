import type { Response } from 'express';

/** A signal that is aborted when the client goes away before its answer is complete. */
export function clientSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
