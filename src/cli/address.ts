import { CliError } from './cli-error.js';

const ASSISTANT = /^@([^/@?#\s]+)\/([^/@?#\s]+?)\/?(\?[^#\s]*)?$/;

/**
 * The JSON-RPC endpoint that an address means: an endpoint URL as it is, or `@user/handle` (a link key as
 * `?k=…` behind it) at the service `base`.
 * @throws CliError for anything else
 */
export function endpointOf(address: string, base: string): string {
  if (/^https?:\/\//i.test(address)) return parseUrl(address, 'the address').href;
  const match = ASSISTANT.exec(address);
  if (!match) throw new CliError('the address must be an endpoint URL or @user/handle');
  const [, username = '', handle = '', query = ''] = match;
  const service = parseUrl(base, '--base').href.replace(/\/+$/, '');
  return `${service}/a2a/@${encodeURIComponent(username)}/${encodeURIComponent(handle)}${query}`;
}

function parseUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new CliError(`${what} is not an http or https URL`);
  }
  if (url.username || url.password) throw new CliError(`${what} must not hold a user name or password`);
  return url;
}
