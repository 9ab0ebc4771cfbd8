import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { loadedModules } from "../bench/loaded.ts";
import { projectRoot } from "../scripts/command.ts";
import * as library from "../src/index.ts";
import { ArgumentsError, deploy, dryRun, follow, uploadExperiment } from "../src/index.ts";

const SOURCES = pathToFileURL(join(projectRoot, "src/")).href;

/** What a program loads that only imports the library. */
async function loadedByImport(): Promise<readonly string[]> {
  const entry = join(projectRoot, "src/index.ts");
  return [...(await loadedModules(entry, { env: process.env, exitCode: 0 }))];
}

test(
  "who imports the library loads its clients and errors, and nothing that one request or workflow alone needs",
  { tags: "slow" },
  async () => {
    const all = await loadedByImport();
    const packages = all.map((url) => /\/node_modules\/([^/]+)\//.exec(url)?.[1]).filter((name) => name !== undefined);
    expect([...new Set(packages)].sort()).toEqual(["eventsource-parser", "zod"]);
    const own = all.filter((url) => url.startsWith(SOURCES)).map((url) => url.slice(SOURCES.length));
    expect(own).toContain("control-plane/client.ts");
    const ofWorkflows = /^(deployment|source|experiments\/(formats|sending)|statistics|judgement)\//;
    expect(own.filter((path) => ofWorkflows.test(path)).sort()).toEqual([
      "deployment/errors.ts",
      "deployment/outcomes.ts",
      "source/entry/errors.ts",
    ]);
    expect(own.length).toBeLessThan(115);
  },
);

test.each<[string, (...given: readonly never[]) => Promise<unknown>]>([
  ["deploy", deploy],
  ["dryRun", dryRun],
  ["follow", follow],
  ["uploadExperiment", uploadExperiment],
])("%s is loaded when it is called, and rejects with the error that was exported before", async (name, workflow) => {
  const error: unknown = await workflow().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ArgumentsError);
  expect(error).toBeInstanceOf(library.GraphDeployError);
  expect(String(error)).toContain(`${name}: `);
});
