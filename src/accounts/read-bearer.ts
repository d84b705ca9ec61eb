const BEARER = /^bearer[ \t]+(\S+)[ \t]*$/i;

/**
 * The token of an `Authorization` header. The scheme may be written in any case and followed by any number of blanks
 * (RFC 9110 §11.1), so that every spelling is the same credential.
 * @returns `undefined` for no header, another scheme, no token or more than one
 */
export function readBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1];
}
