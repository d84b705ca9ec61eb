import { VersionNotSupportedError } from '../a2a/index.js';

export const SUPPORTED_VERSION = '1.0';
const ACCEPTED = /^1\.0(\.\d+)?$/;

/**
 * Which version a request asks for (requirement W2, specification §3.6.2): the `A2A-Version` header, else the query
 * parameter of that name; none means 0.3.
 * @returns the error to answer with, or `undefined` when it is 1.0
 */
export function checkVersion(
  header: string | undefined,
  parameter: unknown,
): VersionNotSupportedError | undefined {
  const asked = header?.trim() || firstText(parameter) || '0.3';
  if (ACCEPTED.test(asked)) return undefined;
  return new VersionNotSupportedError(`This endpoint speaks A2A ${SUPPORTED_VERSION} only`, {
    supportedVersions: SUPPORTED_VERSION,
  });
}

function firstText(parameter: unknown): string | undefined {
  const value: unknown = Array.isArray(parameter) ? parameter[0] : parameter;
  return typeof value === 'string' ? value.trim() : undefined;
}
