/** A fenced block whose info string has `title="path"`. */
const FILE = /^```[a-z]+ title="([^"]+)"\n([\s\S]*?)^```$/gm;

/** Their contents by their paths. */
export type PageFiles = ReadonlyMap<string, string>;

/**
 * The files that a page prints, as a reader has them who follows it. Where a file is printed again the reader had a project that
 * should work; there a stage ends.
 * @param text of the page, in Markdown
 * @returns for each stage all files of it, by their paths
 */
export function stagesOf(text: string): PageFiles[] {
  const stages: PageFiles[] = [];
  let files = new Map<string, string>();
  let printed = new Set<string>();
  for (const [, path = '', content = ''] of text.matchAll(FILE)) {
    if (printed.has(path)) {
      stages.push(files);
      files = new Map(files);
      printed = new Set();
    }
    printed.add(path);
    files.set(path, content);
  }
  return [...stages, files];
}

/** @returns the code of a page that is in no file, and so is tried by nobody */
export function codeWithoutFile(text: string): string[] {
  return [...text.matchAll(/^```(ts|js|mjs|json|yaml)\n([\s\S]*?)^```$/gm)].map(
    ([, , content = '']) => content,
  );
}
