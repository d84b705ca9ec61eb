/** What a package has no business to hold: tests, data, settings, and maps to sources that are not in it. */
const FORBIDDEN =
  /\.(spec|test)\.|(^|\/)(test|tests|bench|data|examples|node_modules)\/|(^|\/)\.(?!$)|\.(sqlite|db|pem|key|map|tgz)(-\w+)?$|(^|\/)src\/(?!.*\.(js|d\.ts)$)/;

/** The member of package.json. */
export type Exports = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/**
 * @param paths of all files in the package
 * @param exports the member of package.json
 * @returns one line for each file that should not be there, and for each that is missing
 */
export function contentProblems(paths: string[], exports: Exports): string[] {
  const needed = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? target : Object.values(target),
  );
  return [
    ...paths.filter((path) => FORBIDDEN.test(path)).map((path) => `${path} should not be in the package`),
    ...needed
      .map((target) => target.replace('./', ''))
      .filter((path) => !paths.includes(path))
      .map((path) => `${path} is exported, and missing`),
  ];
}
