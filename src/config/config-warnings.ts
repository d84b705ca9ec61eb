import type { AppConfig } from './app-config.js';
import type { Environment } from './load-app-config.js';
import { SETTINGS } from './settings.js';

const OWN_PREFIX = /^(A2A|RELAY|ACCOUNT|DIRECTORY|HTTP|SSE|METRICS|DOCS)_/;
const TYPO_DISTANCE = 3;

/** What looks like a mistake in valid settings; one line each, without values. */
export function configWarnings(environment: Environment, config: AppConfig): string[] {
  const warnings = Object.keys(environment).sort().flatMap(typoWarning);
  if (environment.NODE_ENV === 'production' && !config.http.publicBaseUrl.startsWith('https://')) {
    warnings.push('PUBLIC_BASE_URL is not https: clients would send their tokens unencrypted');
  }
  return warnings;
}

/** Only names close to a setting's: variables of other programs may begin with the same word. */
function typoWarning(name: string): string[] {
  if (!OWN_PREFIX.test(name) || Object.hasOwn(SETTINGS, name)) return [];
  const meant = Object.keys(SETTINGS)
    .map((setting) => ({ setting, distance: distanceBetween(name, setting) }))
    .sort((left, right) => left.distance - right.distance)[0];
  if (meant === undefined || meant.distance > TYPO_DISTANCE) return [];
  return [`${name} is not a setting and has no effect; is ${meant.setting} meant?`];
}

/** Levenshtein distance: how many letters have to be added, removed or changed. */
function distanceBetween(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
