import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";

// A test file stands where its source does and has its name, then a topic if there are several, and its tier:
// `src/http/retry.ts` has `test/http/retry.unit.test.ts` and `test/http/retry.retry-after.unit.test.ts`. So does a table of
// odd files, which one test reads for all formats.
const TIER = /\.(?:(?:unit|contract|process|built|fault)\.test\.ts|odd\.yaml)$/;
// These rooms are about the repository as a whole.
const WITHOUT_SOURCE = /^test\/(?:docs|errors|tooling)\//;

const glob = (...patterns: readonly string[]) =>
  globSync([...patterns], { cwd: projectRoot, exclude: ["action/dist/**"] }).map((path) => path.replaceAll("\\", "/"));

const SOURCES = new Set(glob("src/**/*.ts", "front/**/*.ts", "action/**/*.ts", "pulumi-provider/**/*.ts"));
// The tools that tests and scripts are made of have tests, too.
const TOOLS = new Set(glob("bench/**/*.ts", "scripts/**/*.ts", "test/**/!(*.test).ts"));
const TESTS = glob("test/**/*.test.ts", "test/**/*.odd.yaml").filter(
  (path) => TIER.test(path) && !WITHOUT_SOURCE.test(path),
);

/** The names that a test file may speak of: `a/b.c.unit.test.ts` is about `a/b.c`, or about the topic `c` of `a/b`. */
function subjectsOf(path: string): readonly string[] {
  const subject = path.slice("test/".length).replace(TIER, "");
  const parts = basename(subject).split(".");
  return parts.map((_, index) => join(dirname(subject), parts.slice(0, index + 1).join(".")).replaceAll("\\", "/"));
}

/** The source of a test file; undefined where no file has its name. */
function sourceOf(path: string): string | undefined {
  const files = subjectsOf(path).flatMap((name) => [`src/${name}.ts`, `${name}.ts`, `test/${name}.ts`]);
  return files.find((file) => SOURCES.has(file) || TOOLS.has(file));
}

interface Syntax {
  /** The files that it imports for more than their types. */
  readonly imports: readonly string[];
  /** True for a file that takes decisions; others hold types, constants, declarations and what is always done alike. */
  readonly decides: boolean;
}

const DECISIONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ...[ts.SyntaxKind.IfStatement, ts.SyntaxKind.ConditionalExpression, ts.SyntaxKind.SwitchStatement],
  ...[ts.SyntaxKind.ForStatement, ts.SyntaxKind.ForOfStatement, ts.SyntaxKind.ForInStatement],
  ...[ts.SyntaxKind.WhileStatement, ts.SyntaxKind.DoStatement, ts.SyntaxKind.TryStatement],
  ...[ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken],
  ts.SyntaxKind.RegularExpressionLiteral,
]);

/** An error that only keeps what it was given: `test/errors/` shows the sentences of all of them. */
function isPlainError(node: ts.Node): boolean {
  if (!ts.isClassDeclaration(node)) return false;
  const [base] = node.heritageClauses?.[0]?.types ?? [];
  const isError = base !== undefined && ts.isIdentifier(base.expression) && base.expression.text.endsWith("Error");
  return (
    isError && node.members.every((member) => ts.isPropertyDeclaration(member) || ts.isConstructorDeclaration(member))
  );
}

function parse(file: string, text = readFileSync(join(projectRoot, file), "utf8")): Syntax {
  const imports: string[] = [];
  let decides = false;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const isOfTypes = ts.isExportDeclaration(node) ? node.isTypeOnly : node.importClause?.phaseModifier !== undefined;
      if (!isOfTypes) addImport(node.moduleSpecifier);
      return;
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) addImport(node.arguments[0]);
    if (ts.isTypeNode(node) || isPlainError(node)) return;
    decides ||= DECISIONS.has(node.kind);
    ts.forEachChild(node, visit);
  };
  const addImport = (name: ts.Expression | undefined): void => {
    if (name === undefined || !ts.isStringLiteral(name) || !name.text.startsWith(".")) return;
    imports.push(join(dirname(file), name.text).replaceAll("\\", "/"));
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return { imports, decides };
}

const SYNTAX = new Map([...SOURCES].map((file) => [file, parse(file)]));
const USERS = Map.groupBy(
  [...SYNTAX].flatMap(([user, { imports }]) => imports.map((file) => ({ file, user }))),
  ({ file }) => file,
);

// What begins a program or a step, or is loaded by Pulumi: no source imports it, and processes show what it does.
const BEGINNINGS: ReadonlySet<string> = new Set([
  ...["action/comment/inputs.ts", "src/local-command.ts", "src/node-version.ts"],
  ...["agent-deployment", "agent-options", "deployment", "index", "main", "readiness-provider"].map(
    (name) => `pulumi-provider/${name}.ts`,
  ),
]);

/** The sources that have a test of their name, and those that they are made of. */
function tested(): ReadonlySet<string> {
  const found = new Set(TESTS.flatMap((path) => sourceOf(path) ?? []));
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const [file, users] of USERS) if (users.some(({ user }) => found.has(user))) found.add(file);
  }
  return found;
}

describe("a test file", () => {
  test("has the place and the name of its source", () => {
    expect(TESTS.length).toBeGreaterThan(250);
    expect(TESTS.filter((path) => sourceOf(path) === undefined)).toEqual([]);
  });

  test("may have a topic behind the name", () => {
    expect(sourceOf("test/http/retry.retry-after.unit.test.ts")).toBe("src/http/retry.ts");
    expect(sourceOf("test/front/options/secrets.unit.test.ts")).toBe("front/options/secrets.ts");
    expect(sourceOf("test/http/retry-after.unit.test.ts")).toBeUndefined();
  });
});

describe("a source", () => {
  test("that decides something has a test of its name, or is used by one that has", () => {
    const found = tested();
    const untested = [...SYNTAX].flatMap(([file, { decides }]) => (decides && !found.has(file) ? [file] : []));
    expect(new Set(untested)).toEqual(BEGINNINGS);
  });

  test.each([
    ["export const a = [1, 2] as const; export type B = string | number;", false],
    ["export class AError extends Error { readonly code = 1; constructor(a: string) { super(a || `x`); } }", false],
    ["export * from './a.ts'; export interface A { readonly b?: string }", false],
    ["export const a = (b: boolean) => (b ? 1 : 2);", true],
    ["export function a(b?: string) { return b ?? ''; }", true],
    ["export class A { b() { for (const c of []) c; } }", true],
    ["export const a = /x/;", true],
  ])("decides something by its syntax: %s", (text, decides) => {
    expect(parse("src/a.ts", text).decides).toBe(decides);
  });
});
