/** Where the database is; bound by the application from its settings. The class is its own injection token. */
export abstract class DatabaseSettings {
  /** Path of the SQLite file (`A2A_STORE_PATH`). */
  abstract readonly path: string;
}
