import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { FILE_SCHEMAS, schemaAddress } from "../../src/contract/schema-address.ts";
import { InstalledPackage } from "./installed-package.ts";

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await InstalledPackage.create();
});
afterAll(async () => installed.remove());

describe("the tarball", () => {
  test("holds the built library, its command and what a reader wants, and nothing else", () => {
    const isBuilt = (path: string) =>
      /^build\/(library\/(parts\/)?[\w-]+\.js|types\/(src|pulumi-provider)\/.+\.d\.ts|plugin\/[\w.-]+\.index\.js)$/.test(
        path,
      );
    const others = installed.files.filter((path) => !isBuilt(path) && !/^docs\/[\w-]+\.md$/.test(path));
    const program = "pulumi-resource-graph-deploy";
    const plugin = [
      "PulumiPlugin.yaml",
      "index.js",
      "licences.txt",
      "package.json",
      program,
      `${program}.cmd`,
      "start.cjs",
    ];
    expect(others.sort()).toEqual([
      ...["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "bin/graph-deploy.mjs"],
      ...plugin.map((name) => `build/plugin/${name}`),
      ...["package.json", "pulumi-provider/stub.cjs"],
      ...FILE_SCHEMAS.map((name) => `schema/${name}.schema.json`),
    ]);
    expect(installed.files).toEqual(expect.arrayContaining(["build/types/src/index.d.ts", "docs/library.md"]));
    expect(installed.files.filter((path) => /(^|\/)(test|bench|examples?)\//.test(path))).toEqual([]);
  });

  test("explains itself without documents that it does not hold", async () => {
    const folder = join(installed.directory, "node_modules", "graph-deploy");
    const texts = await Promise.all(
      installed.files.map(async (path) => ({ path, text: await readFile(join(folder, path), "utf8") })),
    );
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.filter(({ text }) => /(?<!local-)\bservice\.md\b/i.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test("is small", () => {
    // The library and its pages, and the plugin: a bundle, with gRPC and the messages of Pulumi in it.
    expect(installed.tarballBytes).toBeLessThan(1_300_000 + 600_000);
  });
});

const names =
  "[library.connect, library.deploy, library.uploadExperiment, library.FieldNames, experiments.uploadResults, local.startLocalService, tracing.Tracer, traces.uploadTraces].map((it) => typeof it).join()";
const allFunctions = "function,function,function,function,function,function,function,function";

describe("the installed package", () => {
  test("is imported by ESM", async () => {
    const code = `import * as library from "graph-deploy"; import * as experiments from "graph-deploy/experiments"; import * as local from "graph-deploy/local"; import * as tracing from "graph-deploy/tracing"; import * as traces from "graph-deploy/trace-files"; console.log(${names});`;
    expect(await installed.node("use.mjs", code)).toBe(allFunctions);
  });

  test("is required by CommonJS", async () => {
    const code = `const library = require("graph-deploy"); const experiments = require("graph-deploy/experiments"); const local = require("graph-deploy/local"); const tracing = require("graph-deploy/tracing"); const traces = require("graph-deploy/trace-files"); console.log(${names});`;
    expect(await installed.node("use.cjs", code)).toBe(allFunctions);
  });

  test("loads zod and undici, and no other package, with graph-deploy/tracing", async () => {
    const code = `
      import { registerHooks } from "node:module";
      const packages = new Set();
      registerHooks({
        load(url, context, next) {
          const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url)?.[1];
          if (name !== undefined) packages.add(name);
          return next(url, context);
        },
      });
      await import("graph-deploy/tracing");
      console.log([...packages].sort().join());
    `;
    const packages = (await installed.node("tracing.mjs", code)).split(",");
    expect(packages).toEqual(expect.arrayContaining(["graph-deploy", "zod"]));
    expect(["graph-deploy", "undici", "zod"]).toEqual(expect.arrayContaining(packages));
  });

  test("needs Pulumi's SDK for nothing but Pulumi programs, and names it when it is missing", async () => {
    const code = `import("graph-deploy/pulumi").catch(({ code, message }) => console.log(code, message.split("'")[1]));`;
    expect(await installed.node("without-pulumi.mjs", code)).toBe("ERR_MODULE_NOT_FOUND @pulumi/pulumi");
  });

  test("reports its version by its package.json", async () => {
    expect(await installed.node("version.cjs", `console.log(require("graph-deploy/package.json").name)`)).toBe(
      "graph-deploy",
    );
  });

  test("has its JSON schemas for programs, too", async () => {
    const code = `console.log(require("graph-deploy/schema/graph.schema.json").$id)`;
    expect(await installed.node("schema.cjs", code)).toBe(schemaAddress("graph"));
  });

  test("keeps its other files to itself", async () => {
    const code = `import("graph-deploy/build/library/index.js").catch((error) => console.log(error.code));`;
    expect(await installed.node("deep.mjs", code)).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });

  test("starts the local service by npx, and its URL is the first line", async () => {
    await installed.npx(["graph-deploy", "local", "--port", "0"], async (line) => {
      expect(line).toMatch(/^http:\/\/(127\.0\.0\.1|localhost):\d+$/);
      const response = await fetch(`${line}/v2/deployments/${crypto.randomUUID()}`);
      expect(response.status).toBe(404);
    });
  });
});

test("an older Node gets one sentence from the command", () => {
  const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.18.0" } })`;
  const args = [
    "--import",
    `data:text/javascript,${encodeURIComponent(older)}`,
    join(projectRoot, "bin", "graph-deploy.mjs"),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, "local"], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: "graph-deploy needs Node 22.19 or later; this is Node 22.18.0.\n",
  });
});
