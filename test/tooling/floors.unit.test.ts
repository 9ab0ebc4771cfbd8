import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { projectRoot, runNode, toolPath } from "../../scripts/command.ts";

// A small house with one import for each rule that breaks it, and some that are allowed.
const house: Readonly<Record<string, string>> = {
  "src/connection.ts": `export {};`,
  "src/contract/a.ts": `import "../http/a.ts";`,
  "src/contract/io.ts": `import "node:fs/promises";`,
  "src/contract/fine.ts": `import "zod";`,
  "src/http/a.ts": `import "../source/a.ts";`,
  "src/http/face.ts": `import "../connection.ts";`,
  "src/http/one.ts": `import "./two.ts";`,
  "src/http/two.ts": `import "./one.ts";`,
  "src/source/a.ts": `import "../control-plane/a.ts";`,
  "src/files/a.ts": `import "../control-plane/fine.ts";`,
  "src/trace-files/a.ts": `import "../../front/account/a.ts"; import "../files/fine.ts";`,
  "src/files/fine.ts": `export {};`,
  "src/files/up.ts": `import "../source/fine.ts";`,
  "src/source/fine.ts": `import "../http/fine.ts"; import "../files/fine.ts";`,
  "src/control-plane/a.ts": `import "../deployment/a.ts";`,
  "src/control-plane/fine.ts": `import "../http/fine.ts"; import "../contract/fine.ts"; import "undici";`,
  "src/http/fine.ts": `import "node:net";`,
  "src/agent-server/a.ts": `import "@actions/core";`,
  "src/agent-server/dev.ts": `import "fast-check";`,
  "src/deployment/a.ts": `import "../../front/account/a.ts";`,
  "src/deployment/lost.ts": `import "./nowhere.ts";`,
  "src/deployment/local.ts": `import "../local/fine.ts";`,
  "src/deployment/test.ts": `import "../../test/a.ts";`,
  "src/local/a.ts": `import "../http/fine.ts";`,
  "src/local/http/a.ts": `import "../runs/fine.ts";`,
  "src/local/runs/fine.ts": `import "../http/fine.ts";`,
  "src/local/http/fine.ts": `export {};`,
  "src/experiments/formats/junit/a.ts": `import "../opik/fine.ts"; import "../shared/fine.ts";`,
  "src/experiments/formats/opik/fine.ts": `export {};`,
  "src/experiments/formats/shared/fine.ts": `export {};`,
  "src/tracing/index.ts": `export * from "./client/a.ts";`,
  "src/tracing/client/a.ts": `import "zod"; import "yaml";`,
  "src/pages/a.ts": `import "../contract/fine.ts"; import "../text/fine.ts";`,
  "src/pages/fine.ts": `import "../text/fine.ts"; import "node:crypto";`,
  "src/text/fine.ts": `export {};`,
  "src/text/a.ts": `import "../pages/fine.ts";`,
  "src/local/fine.ts": `import "../contract/fine.ts"; import "../pages/fine.ts"; import "node:http";`,
  "front/account/a.ts": `export {};`,
  "front/account/up.ts": `import "../steps/judge/fine.ts";`,
  "front/account/toolkit.ts": `import "@actions/core";`,
  "front/options/door.ts": `import "../../action/host.ts";`,
  "front/steps/judge/fine.ts": `import "../../account/a.ts";`,
  "front/steps/deploy/other.ts": `import "../judge/fine.ts";`,
  "action/host.ts": `export {};`,
  "action/github/door.ts": `import "../deploy/fine.ts"; import "../host.ts";`,
  "action/deploy/local.ts": `import "../../src/local/fine.ts";`,
  "action/deploy/other.ts": `import "../upload-traces/a.ts";`,
  "action/deploy/fine.ts": `import "../../front/account/a.ts"; import "../host.ts"; import "@actions/core"; import type {} from "../../src/local/fine.ts";
    export const start = async (): Promise<unknown> => import("../../src/local/fine.ts");`,
  "action/upload-traces/a.ts": `export {};`,
  "action/judge/main.ts": `import "../../src/judgement/fine.ts";`,
  "src/judgement/fine.ts": `import "node:net";`,
  "test/a.ts": `import "../src/http/fine.ts"; import "fast-check";`,
};

const cruise = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

let folder = "";
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "floors-")));
  for (const [path, text] of Object.entries(house)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  for (const file of ["package.json", "tsconfig.json"]) await copyFile(join(projectRoot, file), join(folder, file));
  await symlink(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction");
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

test("each import that breaks a rule of the house is found, and no other", { tags: "slow" }, async () => {
  const config = join(projectRoot, ".dependency-cruiser.mjs");
  const cruiser = toolPath("dependency-cruiser", "bin/dependency-cruiser.mjs");
  const { output } = await runNode(
    cruiser,
    ["--config", config, "-T", "json", "src", "front", "action", "test"],
    folder,
  );
  const { violations } = cruise.parse(JSON.parse(output)).summary;
  expect(violations.map(({ from, rule }) => `${from}: ${rule.name}`).sort()).toEqual([
    "action/deploy/local.ts: local-on-demand",
    "action/deploy/other.ts: doors-apart",
    "action/github/door.ts: shared-rooms-know-no-door",
    "action/judge/main.ts: judge-is-offline",
    "front/account/toolkit.ts: actions-toolkit-in-doors",
    "front/account/up.ts: rooms: front/account",
    "front/options/door.ts: down-only: front",
    "front/steps/deploy/other.ts: steps-apart",
    "src/agent-server/a.ts: actions-toolkit-in-doors",
    "src/agent-server/a.ts: no-development-packages-in-library",
    "src/agent-server/dev.ts: no-development-packages-in-library",
    "src/contract/a.ts: down-only: src/contract",
    "src/contract/io.ts: contract-is-data",
    "src/control-plane/a.ts: down-only: src/control-plane",
    "src/deployment/a.ts: down-only: src/deployment",
    "src/deployment/local.ts: nobody-leans-on-local",
    "src/deployment/lost.ts: no-lost-imports",
    "src/deployment/test.ts: no-test-code-in-product",
    "src/experiments/formats/junit/a.ts: formats-apart",
    "src/files/a.ts: down-only: src/files",
    "src/files/up.ts: down-only: src/files",
    "src/http/a.ts: down-only: src/http",
    "src/http/face.ts: face-on-top",
    "src/http/one.ts: no-circles",
    "src/local/a.ts: local-stands-beside",
    "src/local/http/a.ts: rooms: src/local/http",
    "src/pages/a.ts: down-only: src/pages",
    "src/source/a.ts: down-only: src/source",
    "src/text/a.ts: down-only: src/text",
    "src/trace-files/a.ts: down-only: src/trace-files",
    "src/tracing/index.ts: tracing-is-light",
  ]);
});
