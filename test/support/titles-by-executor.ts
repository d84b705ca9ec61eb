import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ID = /\[([A-Z]\d{1,3})\]/g;

/** The ids that titles of tests cite within `describe.each(EXECUTORS)`, titles in tables of the file included. */
export function idsOnBothExecutors(folder: string): Set<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const specs = files.filter((name) => name.endsWith('.spec.ts')).map((name) => join(folder, name));
  return new Set(specs.flatMap((path) => idsOfSource(readFileSync(path, 'utf8'))));
}

/** As above, of one file's text. */
export function idsOfSource(text: string): string[] {
  if (!text.includes('EXECUTORS')) return [];
  const source = ts.createSourceFile('x.spec.ts', text, ts.ScriptTarget.Latest, true);
  const tables = new Map<string, string>();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer) tables.set(name.text, initializer.getText());
    }
  }
  return source.statements.filter(isOnBoth).flatMap((suite) => idsOfSuite(suite, tables));
}

function idsOfSuite(suite: ts.Statement, tables: ReadonlyMap<string, string>): string[] {
  const ids: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) ids.push(...idsIn(node.text));
    const table = ts.isIdentifier(node) ? tables.get(node.text) : undefined;
    if (table !== undefined) ids.push(...idsIn(table));
    ts.forEachChild(node, visit);
  };
  visit(suite);
  return ids;
}

function isOnBoth(statement: ts.Statement): boolean {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return false;
  return /^describe\.each\(EXECUTORS\)$/.test(statement.expression.expression.getText());
}

function idsIn(text: string): string[] {
  return [...text.matchAll(ID)].map(([, id = '']) => id);
}
