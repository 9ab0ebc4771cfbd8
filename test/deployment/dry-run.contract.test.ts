import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { rig } from "./rig.ts";

test("a dry run of a new deployment writes nothing and says what would be created", async () => {
  const { dryRun, requests, spool, of } = await rig();
  const { change } = await dryRun({ secrets: [{ name: "A", value: "value-of-a" }] });
  expect(change).toMatchObject({
    target: "create",
    name: "support-agent",
    fields: [{ name: "graph_config_path", before: undefined, after: "graph.json" }],
    secretNames: ["A"],
  });
  expect(requests().every((request) => request.startsWith("GET "))).toBe(true);
  expect(await readdir(spool)).toEqual([]);
  expect(of("source-packed")[0]?.archive.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(JSON.stringify(change)).not.toContain("value-of-a");
});

test("a dry run of an existing deployment says what would change", async () => {
  const { deploy, dryRun, requests } = await rig();
  const { deploymentId } = await deploy({ sourceConfig: { install_command: "npm ci" } });
  const before = requests().length;
  const { change } = await dryRun({ sourceConfig: { install_command: "npm install", build_command: "npm run build" } });
  expect(change).toMatchObject({
    target: "update",
    deployment: { id: deploymentId },
    latestRevision: { status: "DEPLOYED" },
    fields: [
      { name: "graph_config_path", before: "graph.json", after: "graph.json" },
      { name: "source_config.install_command", before: '"npm ci"', after: '"npm install"' },
      { name: "source_config.build_command", before: undefined, after: '"npm run build"' },
    ],
  });
  expect(
    requests()
      .slice(before)
      .every((request) => request.startsWith("GET ")),
  ).toBe(true);
});
