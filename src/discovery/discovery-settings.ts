/** What cards need to know of the deployment. */
export abstract class DiscoverySettings {
  /** Origin and optional path under which clients reach the service (`PUBLIC_BASE_URL`). */
  abstract readonly publicBaseUrl: string;
}
