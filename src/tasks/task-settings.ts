/** What the use cases need of the settings; bound by the application. The class is its own injection token. */
export abstract class TaskSettings {
  /** How long a send waits for the end of its task (requirement S3). */
  abstract readonly waitBudgetMs: number;
  /** New messages an account may send in an hour, over all destinations (requirement S9). */
  abstract readonly messagesPerHour: number;
  /** Streams of events an account may have open at once. */
  abstract readonly streamsPerAccount: number;
  /** How long a task, its text and its retry key are kept after its creation (requirement K2). */
  abstract readonly retentionMs: number;
}
