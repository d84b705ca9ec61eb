export interface StopSignal {
  /** Settles when a stop was asked for. */
  readonly stopped: Promise<void>;
  /** Aborted at the same moment, for what takes a signal. */
  readonly signal: AbortSignal;
  dispose: () => void;
}

/**
 * Listens for Ctrl-C, SIGTERM and, in a child of the demo, for the end of the parent: a child whose parent was
 * killed should not stay behind and hold the port.
 * @param onRepeat called when a stop is asked for again
 */
export function listenForStop(onRepeat: () => void = () => undefined): StopSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) onRepeat();
    else controller.abort();
  };
  const events = ['SIGINT', 'SIGTERM', 'disconnect'];
  for (const event of events) process.on(event, stop);
  return {
    signal: controller.signal,
    stopped: new Promise((resolve) => {
      controller.signal.addEventListener('abort', () => resolve(), { once: true });
    }),
    dispose: () => {
      for (const event of events) process.off(event, stop);
    },
  };
}
