// Writes down what others can see of the package: every exported name with its declaration, and every type of ours that
// these mention. `npm run api`
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = join(fileURLToPath(import.meta.url), '..', '..');
export const reportFile = join(root, 'test', 'pins', 'public-api.txt');

/** Entry points of package.json, with the sources that they are built from. */
function entryPoints() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([name, { default: file, types }]) => ({
      name: name.replace(/^\./, 'hello-api'),
      source: join(root, file.replace('./dist/', '').replace(/\.js$/, '.ts')),
      declarations: join(root, types),
    }));
}

/**
 * @returns the report as text: for each entry point its names in order, each with its declaration and no comments, and then
 *   what these mention and no entry point exports
 */
export function publicApi() {
  const entries = entryPoints();
  const program = declarationProgram(entries);
  const checker = program.getTypeChecker();
  const exported = new Set();
  const sections = entries.map(({ name, declarations }) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(declarations));
    const names = checker.getExportsOfModule(module).sort(byName);
    const symbols = names.map((symbol) => ({ name: symbol.name, target: targetOf(symbol, checker) }));
    for (const { target } of symbols) exported.add(target);
    return [`## ${name}`, ...symbols.map(({ name, target }) => sectionOf(name, target)), ''].join('\n\n');
  });
  const mentioned = mentionedBy(exported, { program, checker }).sort(byName);
  const others = mentioned.map((symbol) => sectionOf(symbol.name, symbol));
  return [...sections, ['## mentioned by these', ...others, ''].join('\n\n')].join('\n');
}

/** @returns what to write beside a change in CHANGELOG.md, so that none goes unmentioned */
export function digestOf(report) {
  return createHash('sha256').update(report).digest('hex').slice(0, 12);
}

/** The declarations as the package has them: types that are inferred stand nowhere else. They are kept in memory. */
function declarationProgram(entries) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.build.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root, {
    declaration: true,
    emitDeclarationOnly: true,
    removeComments: true,
    noCheck: true,
  });
  const sources = ts.createProgram(
    entries.map(({ source }) => source),
    options,
  );
  const files = new Map();
  sources.emit(undefined, (file, text) => files.set(file, text));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, directoryExists } = host;
  Object.assign(host, {
    fileExists: (file) => files.has(file) || fileExists(file),
    readFile: (file) => files.get(file) ?? readFile(file),
    directoryExists: (folder) =>
      [...files.keys()].some((file) => file.startsWith(folder)) || directoryExists(folder),
    getSourceFile: (file, language) => {
      const text = files.get(file) ?? readFile(file);
      return text === undefined ? undefined : ts.createSourceFile(file, text, language, true);
    },
  });
  return ts.createProgram(
    entries.map(({ declarations }) => declarations),
    { ...options, declaration: false, emitDeclarationOnly: false, noEmit: true },
    host,
  );
}

/** Every symbol of ours that the declarations name, and those that these name in turn. */
function mentionedBy(exported, { program, checker }) {
  const found = new Set();
  const visit = (node) => {
    if (isPrivate(node)) return;
    if (ts.isIdentifier(node)) note(checker.getSymbolAtLocation(node));
    ts.forEachChild(node, visit);
  };
  const note = (symbol) => {
    const target = symbol && targetOf(symbol, checker);
    if (!target || exported.has(target) || found.has(target) || !isOurs(target, program)) return;
    found.add(target);
    declarationsOf(target).forEach(visit);
  };
  for (const symbol of exported) declarationsOf(symbol).forEach(visit);
  return [...found];
}

/** Whether it is declared by a statement of a file of ours; members and parameters stand in the text of their owner. */
function isOurs(symbol, program) {
  return declarationsOf(symbol).some(
    (node) =>
      node.parent !== undefined &&
      ts.isSourceFile(node.parent) &&
      !program.isSourceFileFromExternalLibrary(node.getSourceFile()) &&
      node.getSourceFile().fileName.startsWith(join(root, 'dist')),
  );
}

function targetOf(symbol, checker) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The statements that declare a symbol, overloads and merged ones included. */
function declarationsOf(symbol) {
  return (symbol.declarations ?? []).map((node) =>
    ts.isVariableDeclaration(node) ? node.parent.parent : node,
  );
}

function isPrivate(node) {
  return ts.isClassElement(node) && (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
}

function sectionOf(name, symbol) {
  return [`### ${name}`, ...declarationsOf(symbol).map((node) => withoutPrivates(node.getText()))].join('\n');
}

/** What is private may change without a word. */
function withoutPrivates(text) {
  return text
    .split('\n')
    .filter((line) => !/^\s*(private |#)/.test(line))
    .join('\n');
}

function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = publicApi();
  writeFileSync(reportFile, report);
  console.log(`public interface ${digestOf(report)}: write it into CHANGELOG.md, beside what has changed`);
}
