import { join } from "node:path";
import ts from "typescript";
import { readSources, walk } from "./sources.ts";

/** Where the union of the words is. */
const WORKFLOW = "src/deployment/";
const TYPE = "Outcome";

/**
 * Where a checkout spells outcomes of a deploy: each named function, or constant outside of one, that asks for two words or
 * more of the union, as it compares an outcome, switches over it, or lists or tabulates them. `PATH NAME` of each.
 */
export function outcomePlaces(root: string): readonly string[] {
  const program = openProgram(root);
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().filter(({ fileName }) => isSource(root, fileName));
  const words = outcomeWords(files, checker);
  const spelt = new Map<string, Set<string>>();
  for (const file of files) {
    walk(file, (node) => {
      const found = wordsIn(node, words, checker);
      if (found.length === 0) return;
      const place = `${file.fileName.slice(root.length + 1)} ${placeOf(node)}`;
      spelt.set(place, new Set([...(spelt.get(place) ?? []), ...found]));
    });
  }
  return [...spelt].flatMap(([place, { size }]) => (size > 1 ? [place] : [])).sort();
}

function openProgram(root: string): ts.Program {
  const fail = ({ messageText }: ts.Diagnostic): never => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const options = ts.getParsedCommandLineOfConfigFile(join(root, "tsconfig.json"), { noEmit: true }, host)?.options;
  const rootNames = readSources(root).map(({ path }) => join(root, path));
  return ts.createProgram({ rootNames, options: options ?? {} });
}

function isSource(root: string, fileName: string): boolean {
  return fileName.startsWith(`${root}/`) && !fileName.includes("/node_modules/");
}

function outcomeWords(files: readonly ts.SourceFile[], checker: ts.TypeChecker): ReadonlySet<string> {
  for (const file of files.filter(({ fileName }) => fileName.includes(`/${WORKFLOW}`))) {
    const alias = file.statements.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === TYPE);
    if (alias !== undefined) return new Set(literalsOf(checker.getTypeAtLocation(alias)));
  }
  throw new Error(`no file of ${WORKFLOW} has the type ${TYPE}`);
}

/** The words that a node asks for; those of a list or a table count if it has no others. */
function wordsIn(node: ts.Node, words: ReadonlySet<string>, checker: ts.TypeChecker): readonly string[] {
  const isOutcome = (asked: ts.Expression): boolean => {
    const symbol = checker.getSymbolAtLocation(ts.isPropertyAccessExpression(asked) ? asked.name : asked);
    // The type of what is declared: a comparison before this one narrows the other.
    const type = symbol === undefined ? checker.getTypeAtLocation(asked) : checker.getTypeOfSymbol(symbol);
    const literals = literalsOf(type);
    return literals.length > 3 && literals.every((literal) => words.has(literal));
  };
  if (ts.isCaseClause(node)) {
    return isOutcome(node.parent.parent.expression) && ts.isStringLiteral(node.expression)
      ? [node.expression.text]
      : [];
  }
  if (ts.isBinaryExpression(node)) {
    const [word, asked] = ts.isStringLiteral(node.left) ? [node.left, node.right] : [node.right, node.left];
    return ts.isStringLiteral(word) && words.has(word.text) && isOutcome(asked) ? [word.text] : [];
  }
  const names = ts.isArrayLiteralExpression(node)
    ? node.elements
    : ts.isObjectLiteralExpression(node)
      ? node.properties.map(({ name }) => name)
      : [];
  const texts = names.flatMap((name) =>
    name !== undefined && (ts.isStringLiteral(name) || ts.isIdentifier(name)) ? [name.text] : [],
  );
  const isAll = texts.length === names.length && texts.every((text) => words.has(text));
  return isAll && texts.length > 1 ? texts : [];
}

/** The texts of a union; none if it has anything else but undefined. */
function literalsOf(type: ts.Type): readonly string[] {
  const members = (type.isUnion() ? type.types : [type]).filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0);
  const texts = members.flatMap((member) => (member.isStringLiteral() ? [member.value] : []));
  return texts.length === members.length ? texts : [];
}

/** The nearest function around it that has a name, or else the constant. */
function placeOf(node: ts.Node): string {
  let constant = "";
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    const { parent } = at;
    if ((ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at)) && at.name !== undefined) return at.name.getText();
    const isFunction = ts.isArrowFunction(at) || ts.isFunctionExpression(at);
    if (isFunction && (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent))) {
      return parent.name.getText();
    }
    if (ts.isVariableDeclaration(at)) constant = at.name.getText();
  }
  return constant;
}
