import type { AppConfig } from './app-config.js';
import { ConfigError } from './config.errors.js';
import { loadAppConfig } from './load-app-config.js';
import { SETTINGS, type SettingName } from './settings.js';

/** Settings of the program around the service; in an application of somebody else they are that application's. */
const OF_THE_APPLICATION = [
  'NODE_ENV',
  'PORT',
  'HOST',
  'CORS_ORIGINS',
  'HTTP_REQUEST_TIMEOUT_MS',
  'HTTP_DIRECT_ROUTES',
  'HTTP_KEEP_ALIVE_MS',
  'LOG_LEVEL',
  'METRICS_ENABLED',
  'DOCS_ENABLED',
] as const satisfies SettingName[];

export type ModuleSettingName = Exclude<SettingName, (typeof OF_THE_APPLICATION)[number]>;

/** The settings of `.env.example` by their names there, as texts or as the values that the texts mean. */
export type ModuleSettings = { readonly [Name in ModuleSettingName]?: string | number | boolean | undefined };

export interface ModuleSettingsOptions {
  /** Whether tokens are verified by something that needs none of the `ACCOUNT_…` settings. */
  ownTokenVerifier: boolean;
}

/**
 * Validates settings that are given in the program, by the rules of the environment's (requirement O1).
 * @throws ConfigError that names every setting that is wrong, missing or unknown and what is allowed, never a value
 */
export function configOf(settings: ModuleSettings, { ownTokenVerifier }: ModuleSettingsOptions): AppConfig {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const problems = given.flatMap(([name]) => nameProblem(name));
  if (settings.PUBLIC_BASE_URL === undefined) {
    problems.push(
      'PUBLIC_BASE_URL must be set: where clients reach the module, with the prefix and path under which it is mounted',
    );
  }
  const texts = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  try {
    const config = loadAppConfig(texts, { ownTokenVerifier });
    if (problems.length > 0) throw new ConfigError([]);
    return config;
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError([...problems, ...error.problems]);
    throw error;
  }
}

function nameProblem(name: string): string[] {
  if ((OF_THE_APPLICATION as readonly string[]).includes(name)) {
    return [`${name} is for \`hello serve\` alone; here it is up to the application that imports the module`];
  }
  return Object.hasOwn(SETTINGS, name) ? [] : [`${name} is not a setting; .env.example lists them`];
}
