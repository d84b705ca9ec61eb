import { CliError } from './cli-error.js';

const UNIT_SECONDS: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Reads a span of time as people write it: `90`, `90s`, `15m`, `1h`, `7d`.
 * @returns whole seconds, above zero
 * @throws CliError naming the option
 */
export function parseSeconds(text: string, option: string): number {
  const match = /^([1-9][0-9]{0,8})([smhd]?)$/.exec(text);
  const unit = UNIT_SECONDS[match?.[2] ?? 'none'];
  if (!match || unit === undefined) throw new CliError(`${option} must be a time such as 90s, 15m, 1h or 7d`);
  return Number(match[1]) * unit;
}
