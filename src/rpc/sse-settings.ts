/** What event streams need of the settings; bound by the application. The class is its own injection token. */
export abstract class SseSettings {
  /** Longest silence in a stream (`SSE_KEEPALIVE_MS`, requirement P4). */
  abstract readonly keepaliveMs: number;
}
