import { VersionNotSupportedError } from '../a2a/index.js';
import type { ProtocolVersion } from './a2a-handler.decorator.js';

/** Past the dot may come a patch number, which changes nothing on the wire (specification §3.6). */
const ACCEPTED: Record<ProtocolVersion, RegExp> = {
  '1.0': /^1\.0(\.\d+)?$/,
  '0.3': /^0\.3(\.\d+)?$/,
};

/** Where a request may say which version it speaks; the header wins. */
export interface VersionRequest {
  header: string | undefined;
  /** The query parameter as parsed: a text, a list of texts or nothing. */
  parameter: unknown;
}

/**
 * Which version a request asks for (requirement W2, specification §3.6.2): the `A2A-Version` header, else the query
 * parameter of that name; none means 0.3.
 * @returns the error to answer with, or `undefined` when it is the one that the endpoint speaks
 */
export function checkVersion(
  spoken: ProtocolVersion,
  { header, parameter }: VersionRequest,
): VersionNotSupportedError | undefined {
  const asked = header?.trim() || firstText(parameter) || '0.3';
  if (ACCEPTED[spoken].test(asked)) return undefined;
  return new VersionNotSupportedError(`This endpoint speaks A2A ${spoken} only`, {
    supportedVersions: spoken,
  });
}

function firstText(parameter: unknown): string | undefined {
  const value: unknown = Array.isArray(parameter) ? parameter[0] : parameter;
  return typeof value === 'string' ? value.trim() : undefined;
}
