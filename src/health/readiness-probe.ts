/** One thing without which the service cannot do its work. */
export abstract class ReadinessProbe {
  /** Stands in the answer of `/readyz`: one word. */
  abstract readonly name: string;
  /** A rejection counts as `false`; its reason is not shown. */
  abstract isReady(): boolean | Promise<boolean>;
}
