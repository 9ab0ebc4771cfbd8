// @module-tag slow
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeFiles } from "../write-files.ts";
import { packageEntries, packageSurface, PublicSurface, type PublicMember } from "./public-surface.ts";

// Loading the types of the language takes most of the time: one program for the package, and one for all examples.
let surface: PublicSurface;
let fixtures: ts.Program;

const namesOf = ({ unexported }: PublicSurface) => [...unexported.keys()].map((key) => key.replace(/ .*/, "")).sort();

test("each entry of the package is looked at", () => {
  expect(packageEntries().length).toBeGreaterThan(6);
  expect(surface.members.length).toBeGreaterThan(1_000);
});

test("each type in a public signature is exported", () => {
  expect([...surface.unexported].map(([type, user]) => `${type} in ${user}`)).toEqual([]);
});

test("each error that the comment of a call names is one that programs can name", () => {
  const named = surface.calls.flatMap(({ name, doc }) => {
    const errors = [doc.text, ...doc.tags.values()].flatMap((text) => text.match(/\b[A-Z]\w*Error\b/g) ?? []);
    return errors.map((error) => `${error} of ${name}`);
  });
  expect(named.length).toBeGreaterThan(50);
  const known = new Set(surface.members.map(({ name }) => name));
  expect(named.filter((text) => !known.has(text.split(" ", 1)[0] ?? ""))).toEqual([]);
});

const HIDDEN = "export class Hidden { readonly a = 1; }\nexport class Shown {}";
const IMPORT = 'import { Hidden, Shown } from "./hidden.ts";\n';

/** Programs with a type in their public signatures that they do not export. */
const FOUND: readonly (readonly [where: string, code: string])[] = [
  ["in a parameter", "export function f(hidden: Hidden): void {}"],
  ["in a result", "export function f(): Promise<readonly Hidden[]> { throw new Error(); }"],
  ["in a result that is inferred", "export function f() { return [new Hidden()]; }"],
  ["in a parameter that is taken apart", "export function f({ a }: { readonly a: Hidden }): void {}"],
  ["in a bound of a type parameter", "export function f<T extends Hidden>(t: T): void {}"],
  ["in a field", "export interface I { readonly a?: Hidden | undefined }"],
  ["in a method", "export interface I { f(hidden: Hidden): void }"],
  ["in an index", "export interface I { [key: string]: Hidden }"],
  ["in a base", "export interface I extends Hidden {}"],
  ["in a base class", "export class C extends Hidden {}"],
  ["in a constructor", "export class C { constructor(hidden: Hidden) {} }"],
  [
    "in an overload",
    "export function f(a: Hidden): void;\nexport function f(a: 1): void;\nexport function f(): void {}",
  ],
  ["in a static method", "export class C { static f(): Hidden { throw new Error(); } }"],
  ["in an accessor", "export class C { get a(): Hidden { throw new Error(); } }"],
  ["in a type alias", 'export type A = { readonly kind: "a"; readonly hidden: Hidden } | string;'],
  ["in a constant", "export const f = (hidden: Hidden): void => {};"],
  ["beside one that is exported", "export type { Shown };\nexport function f(hidden: Hidden, shown: Shown): void {}"],
];

/** Programs that have none. */
const NOT_FOUND: readonly (readonly [where: string, code: string])[] = [
  ["in a private member", "export class C { #a?: Hidden; private b?: Hidden; protected c?: Hidden }"],
  ["in a member that the declarations leave out", "export interface I {\n  /** @internal */\n  readonly a: Hidden;\n}"],
  ["in a body", "export function f(): void { const a: Hidden | undefined = undefined; void a; }"],
  ["in what is not exported", "function f(hidden: Hidden): void {}\nvoid f;\nexport {};"],
  ["in the constructor of a class that is a type only", "class C { constructor(h: Hidden) {} }\nexport type { C };"],
  ["in a type with another name", "export type { Hidden as Other };\nexport function f(hidden: Hidden): void {}"],
  ["in a type of the language", "export function f(a: Promise<Map<string, Date>>): void {}"],
];

/** Programs with an option `a` that has no comment. */
const UNDOCUMENTED: readonly (readonly [where: string, code: string])[] = [
  ["in an object", "export function f(o: O): void {}\nexport interface O { readonly a: number }"],
  [
    "in an object within",
    "export function f(o: P): void {}\nexport interface P {\n/** P. */\nreadonly o: O }\nexport interface O { readonly a: number }",
  ],
  [
    "in a base",
    "export function f(o: P): void {}\nexport interface P extends O {}\nexport interface O { readonly a: number }",
  ],
  ["in a part", "export function f(o: Partial<O>): void {}\nexport interface O { readonly a: number }"],
  ["in a list", "export function f(o: Iterable<O>): void {}\nexport interface O { readonly a: number }"],
  ["in a choice", "export function f(o: O): void {}\nexport type O = string | { readonly a: number }"],
  ["in place", "export function f(o: { readonly a: number }): void {}"],
  ["of a method", "export class C { f(o: O): void {} }\nexport interface O { readonly a: number }"],
  [
    "in a shape",
    "export function f(o: O): void {}\nconst SHAPE = { a: 1 };\nexport type O = { [K in keyof typeof SHAPE]: number };",
  ],
  ["of a constructor", "export class C { constructor(o: O) {} }\nexport interface O { readonly a: number }"],
];

/** Programs in which `a` is none. */
const NO_OPTION: readonly (readonly [where: string, code: string])[] = [
  ["in a result", "export function f(): O { throw new Error(); }\nexport interface O { readonly a: number }"],
  [
    "in what a callback gets",
    "export function f(g: (o: O) => void): void {}\nexport interface O { readonly a: number }",
  ],
  [
    "of the constructor of an error",
    "export class AnError extends Error { constructor(o: O) { super(); } }\nexport interface O { readonly a: number }",
  ],
];

/** Comments of a call, and what each does not say. */
const COMMENTS: readonly (readonly [comment: string, gaps: readonly string[]])[] = [
  ["Does it.", ["its errors", "what a second call does", "its section of the contract"]],
  ["Does it. Throws AnError.", ["what a second call does", "its section of the contract"]],
  ["Does it.\n@throws AnError.\n@idempotence A read.", ["its section of the contract"]],
  ["Does it.\n@throws AnError.\n@contract Section 4.1.", ["what a second call does"]],
  ["@throws AnError.\n@idempotence A read.\n@contract Section 4.1.", ["what it does"]],
  ["Does it.\n@throws AnError.\n@idempotence A read.\n@contract somewhere", ["its section of the contract"]],
  ["Does it.\n@throws AnError.\n@idempotence Sends nothing.", []],
  ["Does it.\n@throws AnError.\n@idempotence A read.\n@contract Not in the contract.", []],
];
const callWith = (comment: string) =>
  `/**\n * ${comment.replaceAll("\n", "\n * ")}\n */\nexport async function f(): Promise<void> {}`;

const directory = await mkdtemp(join(tmpdir(), "surface-"));
afterAll(() => rm(directory, { recursive: true, force: true }));
const codes = new Map<string, string>();
const fileOf = (code: string) => join(directory, `${[...codes.keys()].indexOf(code).toString()}.ts`);
for (const [, code] of [...FOUND, ...NOT_FOUND, ...UNDOCUMENTED, ...NO_OPTION]) codes.set(code, IMPORT + code);
for (const [comment] of COMMENTS) codes.set(callWith(comment), callWith(comment));
const MANY = 'export * from "./many.ts";';
codes.set(MANY, MANY);
await writeFiles(directory, {
  "hidden.ts": HIDDEN,
  "many.ts":
    "interface One {}\ninterface Two {}\nexport interface A { readonly one: One; f(two: Two, one: One): void }",
  ...Object.fromEntries([...codes].map(([code, text]) => [basename(fileOf(code)), text])),
});
beforeAll(() => {
  surface = packageSurface();
  fixtures = ts.createProgram([...codes.keys()].map(fileOf), {
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, lib: ["lib.es2023.d.ts"], types: [] },
    ...{ allowImportingTsExtensions: true, noEmit: true },
  });
});
const surfaceOf = (code: string) => new PublicSurface(fixtures, [fileOf(code)], (path) => path.startsWith(directory));
const unexportedIn = (code: string) => namesOf(surfaceOf(code));
const nameOf = ({ name, place }: PublicMember) => `${name} (${place})`;
const undocumentedIn = (code: string) =>
  surfaceOf(code)
    .options.filter(({ doc }) => doc.text === "")
    .map(({ name }) => name);

describe("a type that is not exported", () => {
  test.each(FOUND)("is found %s", (_, code) => {
    expect(unexportedIn(code)).toEqual(["Hidden"]);
  });

  test.each(NOT_FOUND)("is not found %s", (_, code) => {
    expect(unexportedIn(code)).toEqual([]);
  });

  test("is found in what is exported from another file, once", () => {
    expect(unexportedIn(MANY)).toEqual(["One", "Two"]);
  });
});

/** What a number counts or is measured in. */
const UNIT =
  /milliseconds|seconds|\bbytes\b|characters|how many|number of|\bthe most\b|\bmost\b|\bshare\b|\bunit\b|\bport\b|status of|\bfrom [01]\b|microseconds/i;

describe("a public option", () => {
  test("says what it is", () => {
    expect(surface.options.length).toBeGreaterThan(400);
    expect(surface.options.filter(({ doc }) => doc.text === "").map(nameOf)).toEqual([]);
  });

  test("that is a number says in what unit", () => {
    const isNumber = ({ type }: PublicMember) => /^number( \| (null|undefined))*$/.test(type);
    const numbers = surface.options.filter(isNumber);
    expect(numbers.length).toBeGreaterThan(60);
    expect(numbers.filter(({ doc }) => !UNIT.test(doc.text)).map(nameOf)).toEqual([]);
  });

  test.each(UNDOCUMENTED)("without a comment is found %s", (_, code) => {
    expect(undocumentedIn(code)).toEqual([expect.stringMatching(/\ba$/)]);
  });

  test.each(NO_OPTION)("is not what stands %s", (_, code) => {
    expect(undocumentedIn(code)).toEqual([]);
  });
});

/** What a call that takes time does not say. */
function untold({ doc: { text, tags } }: PublicMember): readonly string[] {
  const all = [text, ...tags.values()].join("\n");
  const isLocal = /\b(sends|writes) nothing\b/i.test(all);
  return [
    ...(text === "" ? ["what it does"] : []),
    ...(tags.has("throws") || /\b(Throws|Rejects|Fails)\b/.test(text) ? [] : ["its errors"]),
    ...(tags.has("idempotence") ? [] : ["what a second call does"]),
    ...(/\bSections? \d|Not in the contract/.test(tags.get("contract") ?? "") || isLocal
      ? []
      : ["its section of the contract"]),
  ];
}

describe("a public call", () => {
  const takesTime = ({ type }: PublicMember) => /\b(Promise|AsyncGenerator|AsyncIterable)</.test(type);

  test("says what it does", () => {
    expect(surface.calls.length).toBeGreaterThan(100);
    expect(surface.calls.filter(({ doc }) => doc.text === "").map(nameOf)).toEqual([]);
  });

  test("that takes time says its errors, what a second call does, and its section of the contract", () => {
    const calls = surface.calls.filter(takesTime);
    expect(calls.length).toBeGreaterThan(60);
    const gaps = calls.flatMap((call) => untold(call).map((what) => `${nameOf(call)} does not say ${what}`));
    expect(gaps).toEqual([]);
  });

  test.each(COMMENTS)("with the comment %j is found out", (comment, gaps) => {
    const [call] = surfaceOf(callWith(comment)).calls;
    expect(call && takesTime(call)).toBe(true);
    expect(call && untold(call)).toEqual(gaps);
  });
});
