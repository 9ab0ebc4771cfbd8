import { beforeAll, describe, expect, test } from "vitest";
import { allPages } from "../docs/markdown-file.ts";
import { builtPackage } from "./built-package.ts";
import type { Consumer } from "./consumer.ts";

let built: Consumer;
beforeAll(async () => {
  built = await builtPackage();
});

// What `pulumi package add` writes into a program, as far as the pages use it: no package here has it.
const PLUGIN_SDK = `
declare module "@graph-deploy/pulumi" {
  import * as pulumi from "@pulumi/pulumi";
  export interface DeploymentArgs {
    source: pulumi.Input<string>;
    directory?: pulumi.Input<{ path: pulumi.Input<string> }>;
  }
  export class Deployment extends pulumi.CustomResource {
    constructor(name: string, args: DeploymentArgs, options?: pulumi.CustomResourceOptions);
  }
}
`;

/** The code blocks of the pages, each a program of its own: what it is called, and its text. */
const pages = (await allPages()).filter(({ path }) => path === "README.md" || /^docs[\\/]/.test(path));
const blocks = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/^( *)```(?:js|javascript|mjs|cjs|jsx|ts|typescript|mts|cts|tsx)\b[^\n]*\n([^]*?)^\1```/gm)].map(
    ([, , code = ""], index) => [`${path.replace(/\W+/g, "-")}-${String(index + 1)}`, code] as const,
  ),
);

/** The blocks as files for the compiler, beside the SDK that some of them use. */
const programs = (end: string) =>
  Object.fromEntries([["plugin-sdk.d.ts", PLUGIN_SDK], ...blocks.map(([name, code]) => [`${name}${end}`, code])]);

test("there are blocks of the library, of the clients and of Pulumi", () => {
  for (const page of ["library", "clients", "pulumi", "pulumi-plugin"]) {
    expect(blocks.filter(([name]) => name.startsWith(`docs-${page}-md-`)).length, page).toBeGreaterThan(1);
  }
});

const COMPILERS = ["typescript", "typescript-5.9"] as const;
// Also what `tsc --init` writes beyond `strict`.
const INIT = ["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--isolatedModules"];
const node16 = ["--module", "node16", "--moduleResolution", "node16"];
const nodenext = ["--module", "nodenext", "--moduleResolution", "nodenext"];
const bundler = ["--module", "esnext", "--moduleResolution", "bundler"];

describe.each(COMPILERS)("with %s", (compiler) => {
  test.each([
    ["node16", ".mts", node16],
    ["nodenext", ".mts", nodenext],
    ["bundler", ".ts", bundler],
  ])("every block of the pages is a program for the type checker under %s", async (_name, end, options) => {
    expect(await built.typeErrors(programs(end), options, compiler)).toBe("");
    expect(await built.typeErrors(programs(end), [...options, ...INIT], compiler)).toBe("");
  });

  test("CommonJS imports the package under nodenext, and under node16 by import() alone", async () => {
    const file = `commonjs-${compiler.replaceAll(".", "-")}.cts`;
    const imports = 'import { connect } from "graph-deploy";\nexport const made: typeof connect = connect;\n';
    expect(await built.typeErrors({ [file]: imports }, nodenext, compiler)).toBe("");
    expect(await built.typeErrors({ [file]: imports }, node16, compiler)).toMatch(/^\S+ error TS1479: /);
    const loads = 'export const made = import("graph-deploy").then(({ connect }) => connect);\n';
    expect(await built.typeErrors({ [file]: loads }, node16, compiler)).toBe("");
  });
});
