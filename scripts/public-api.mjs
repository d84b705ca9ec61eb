// Writes down what others can see of the package: every exported name with its declaration. `npm run api`
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
    .map(([name, { default: file }]) => ({
      name: name.replace(/^\./, 'hello-api'),
      source: join(root, file.replace('./dist/', '').replace(/\.js$/, '.ts')),
    }));
}

/** @returns the report as text: for each entry point its names in order, each with its declaration and no comments */
export function publicApi() {
  const entries = entryPoints();
  const { config } = ts.readConfigFile(join(root, 'tsconfig.build.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root, {
    declaration: true,
    emitDeclarationOnly: true,
    removeComments: true,
    noCheck: true,
  });
  const program = ts.createProgram(
    entries.map(({ source }) => source),
    options,
  );
  const declarations = emitted(program);
  const checker = program.getTypeChecker();
  return entries
    .map(({ name, source }) => reportOf(name, source, { program, checker, declarations }))
    .join('\n');
}

/** @returns what to write beside a change in CHANGELOG.md, so that none goes unmentioned */
export function digestOf(report) {
  return createHash('sha256').update(report).digest('hex').slice(0, 12);
}

/** Declarations by their source file, since types that are inferred stand only there. */
function emitted(program) {
  const files = new Map();
  program.emit(undefined, (_, text, __, ___, [source] = []) => {
    if (source)
      files.set(source.fileName, ts.createSourceFile(source.fileName, text, ts.ScriptTarget.Latest, true));
  });
  return files;
}

function reportOf(name, source, { program, checker, declarations }) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(source));
  const names = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = names.map((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return [`### ${symbol.name}`, ...declarationsOf(target, declarations)].join('\n');
  });
  return [`## ${name}`, ...lines, ''].join('\n\n');
}

function declarationsOf(symbol, declarations) {
  const own = new Set((symbol.declarations ?? []).map((declaration) => declaration.getSourceFile().fileName));
  return [...own].flatMap((file) =>
    (declarations.get(file)?.statements ?? [])
      .filter((statement) => namesOf(statement).includes(symbol.name))
      .map((statement) => withoutPrivates(statement.getText())),
  );
}

function namesOf(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map((declaration) => declaration.name.getText());
  }
  return statement.name ? [statement.name.getText()] : [];
}

/** What is private may change without a word. */
function withoutPrivates(text) {
  return text
    .split('\n')
    .filter((line) => !/^\s*(private |#)/.test(line))
    .join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = publicApi();
  writeFileSync(reportFile, report);
  console.log(`public interface ${digestOf(report)}: write it into CHANGELOG.md, beside what has changed`);
}
