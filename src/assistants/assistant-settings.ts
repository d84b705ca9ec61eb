/** What assistants in the process need to know from the settings; its own injection token. */
export abstract class AssistantSettings {
  /** Folder of their job database, beside the store. */
  abstract readonly dataDir: string;
}
