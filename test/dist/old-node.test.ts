import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { builtPackage } from "./built-package.ts";
import type { Consumer } from "./consumer.ts";

const run = promisify(execFile);
// The Node of the machine, which need not be the one of the project.
const NODE = "/usr/bin/node";

const version = await run(NODE, ["--version"]).then(
  ({ stdout }) => stdout.trim(),
  () => undefined,
);
const isOld = /^v(?:20|21)\./.test(version ?? "");
if (!isOld) console.log(`The tests on an older Node are skipped: ${NODE} is ${version ?? "not there"}.`);

const SENTENCE = new RegExp(`graph-deploy needs Node 22\\.19 or later; this is ${String(version).slice(1)}\\.`);

describe.skipIf(!isOld)("on a Node that is too old", () => {
  let built: Consumer;
  beforeAll(async () => {
    built = await builtPackage();
  });

  test.each([
    ["the library", "library.mjs", 'import "graph-deploy";'],
    ["the resources", "resources.mjs", 'import "graph-deploy/pulumi";'],
    ["the provider", "provider.cjs", 'require("graph-deploy/pulumi/stub").check({}, {});'],
  ])("%s says which one is needed, in one sentence", async (_, file, code) => {
    await writeFile(join(built.directory, file), code);
    const failed: unknown = await run(NODE, [file], { cwd: built.directory }).catch((error: unknown) => error);
    const stderr = typeof failed === "object" && failed !== null && "stderr" in failed ? String(failed.stderr) : "";
    expect(stderr).toMatch(SENTENCE);
    expect(stderr).not.toMatch(/SyntaxError|does not provide an export|\n {4}at /);
  });

  // The engine starts the program, or has the language host of Node load what the manifest names.
  test.each([
    ["the program", ["pulumi-resource-graph-deploy", "127.0.0.1:1"]],
    ["what the manifest names", ["-e", 'require(require("./package.json").main.replace(/^/, "./"))']],
  ])("%s of the plugin says which one is needed, and nothing else", async (_, args) => {
    const cwd = join(built.directory, "node_modules/graph-deploy/build/plugin");
    const failed: unknown = await run(NODE, args, { cwd }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(SENTENCE) as string });
    expect(failed).toMatchObject({ stderr: expect.stringMatching(/^.{1,100}\n$/) as string });
  });
});
