import type { ModuleSettings } from 'hello-api';

/** Before every address of the application. */
export const PREFIX = 'api';

/** Before the addresses of assistants, behind the prefix. */
export const ASSISTANTS_PATH = 'assistants';

export interface ShopSettings {
  port: number;
  /** File of the shop's own database. */
  database: string;
  /** Signs the sessions. */
  sessionKey: string;
  /** For hello-api, by the names that it knows. */
  assistants: ModuleSettings;
}

/** @throws Error when something that has no default is not set */
export function shopSettings(environment: Readonly<Record<string, string | undefined>>): ShopSettings {
  const { PORT = '3000', SHOP_URL, SHOP_DATA = './data', SESSION_KEY } = environment;
  if (!SESSION_KEY) throw new Error('SESSION_KEY must be set: the secret that signs sessions');
  return {
    port: Number(PORT),
    database: `${SHOP_DATA}/shop.sqlite`,
    sessionKey: SESSION_KEY,
    assistants: {
      A2A_STORE_PATH: `${SHOP_DATA}/a2a.sqlite`,
      PUBLIC_BASE_URL: `${SHOP_URL ?? `http://localhost:${PORT}`}/${PREFIX}/${ASSISTANTS_PATH}`,
    },
  };
}
