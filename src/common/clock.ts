/**
 * The present time. Passed in, so that a test decides what time it is. It may be set back: nothing relies on it to rise
 * (`CLOCK_RULES` of `hello-api/testing`).
 */
export abstract class Clock {
  /** Milliseconds since the epoch, whole. */
  abstract now(): number;
}

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }
}
