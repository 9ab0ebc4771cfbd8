import ts from "typescript";
import { parsed, walk, type Source } from "./sources.ts";

/** A function that a file keeps to itself and that one call uses. */
export interface CalledOnce {
  readonly path: string;
  readonly name: string;
  readonly lines: number;
}

/** The functions at the top level of a file that it does not export, and to which one reference leads, which is a call. */
export function calledOnce(source: Source): readonly CalledOnce[] {
  const file = parsed(source);
  const functions = new Map(file.statements.flatMap((statement) => privateFunctions(statement, file)));
  const references = new Map<string, { all: number; calls: number }>();
  walk(file, (node) => {
    if (!ts.isIdentifier(node) || !functions.has(node.text) || !isReference(node)) return;
    const { all, calls } = references.get(node.text) ?? { all: 0, calls: 0 };
    const isCall = ts.isCallExpression(node.parent) && node.parent.expression === node;
    references.set(node.text, { all: all + 1, calls: calls + (isCall ? 1 : 0) });
  });
  return [...functions].flatMap(([name, lines]) => {
    const { all = 0, calls = 0 } = references.get(name) ?? {};
    return all === 1 && calls === 1 ? [{ path: source.path, name, lines }] : [];
  });
}

function privateFunctions(statement: ts.Statement, file: ts.SourceFile): readonly (readonly [string, number])[] {
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const lines = lineOf(statement.end) - lineOf(statement.getStart()) + 1;
  if (ts.isFunctionDeclaration(statement)) {
    return statement.name === undefined || isExported(statement) ? [] : [[statement.name.text, lines]];
  }
  if (!ts.isVariableStatement(statement) || isExported(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    const isFunction =
      initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
    return isFunction && ts.isIdentifier(name) ? [[name.text, lines] as const] : [];
  });
}

function isExported({ modifiers }: ts.FunctionDeclaration | ts.VariableStatement): boolean {
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

/** False for the name of a declaration, and for that of a property. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  const isNamed =
    ts.isFunctionDeclaration(parent) ||
    ts.isVariableDeclaration(parent) ||
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent);
  return !isNamed || parent.name !== node;
}
