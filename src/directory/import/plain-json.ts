const BLANK = /[ \t\r\n]/;

/**
 * Reads a text that is JSON as programs write it. Large directories are made by programs, and a YAML parser needs fifty times the
 * memory of the text.
 * @returns `undefined` for what is not JSON, and for JSON that says something twice or in an unusual way, such as an object with
 *   a key that it has already: that is for the YAML parser to judge
 */
export function readPlainJson(source: string): unknown {
  if (!/^[ \t\r\n]*\{/.test(source)) return undefined;
  try {
    const value: unknown = JSON.parse(source);
    return isSpelledAs(source, JSON.stringify(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a JSON text is, but for blanks between its parts, the compact one. */
function isSpelledAs(source: string, compact: string): boolean {
  let place = 0;
  let inString = false;
  for (let at = 0; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (!inString && BLANK.test(char)) continue;
    if (char !== compact.charAt(place)) return false;
    place += 1;
    if (char === '"') inString = !inString;
    else if (char === '\\') {
      at += 1;
      if (source.charAt(at) !== compact.charAt(place)) return false;
      place += 1;
    }
  }
  return place === compact.length;
}
