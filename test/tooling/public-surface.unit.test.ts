import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import ts from "typescript";
import { afterAll, describe, expect, test } from "vitest";
import { writeFiles } from "../write-files.ts";
import { packageEntries, packageSurface, PublicSurface } from "./public-surface.ts";

const surface = packageSurface();

const namesOf = ({ unexported }: PublicSurface) => [...unexported.keys()].map((key) => key.replace(/ .*/, "")).sort();

test("each entry of the package is looked at", () => {
  expect(packageEntries().length).toBeGreaterThan(6);
  expect(surface.members.length).toBeGreaterThan(1_000);
});

test("each type in a public signature is exported", () => {
  expect([...surface.unexported].map(([type, user]) => `${type} in ${user}`)).toEqual([]);
});

// One program for all: loading the types of the language takes most of the time.
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

const directory = await mkdtemp(join(tmpdir(), "surface-"));
afterAll(() => rm(directory, { recursive: true, force: true }));
const codes = new Map<string, string>();
const fileOf = (code: string) => join(directory, `${[...codes.keys()].indexOf(code).toString()}.ts`);
for (const [, code] of [...FOUND, ...NOT_FOUND]) codes.set(code, IMPORT + code);
const MANY = 'export * from "./many.ts";';
codes.set(MANY, MANY);
await writeFiles(directory, {
  "hidden.ts": HIDDEN,
  "many.ts":
    "interface One {}\ninterface Two {}\nexport interface A { readonly one: One; f(two: Two, one: One): void }",
  ...Object.fromEntries([...codes].map(([code, text]) => [basename(fileOf(code)), text])),
});
const fixtures = ts.createProgram([...codes.keys()].map(fileOf), {
  ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, lib: ["lib.es2023.d.ts"], types: [] },
  ...{ allowImportingTsExtensions: true, noEmit: true },
});
const unexportedIn = (code: string) =>
  namesOf(new PublicSurface(fixtures, [fileOf(code)], (path) => path.startsWith(directory)));

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
