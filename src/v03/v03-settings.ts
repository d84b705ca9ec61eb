/** What the 0.3 wire needs of the settings; bound by the application. The class is its own injection token. */
export abstract class V03Settings {
  /** How long `message/send` waits for its task (`A2A_V03_WAIT_BUDGET_MS`, requirement P3). */
  abstract readonly waitBudgetMs: number;
}
