import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DeployRequest } from "../../src/index.ts";
import { withRig, rig, type Rig } from "./rig.ts";

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
  expect(of("source-hashed")[0]?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(JSON.stringify(change)).not.toContain("value-of-a");
});

withRig("a dry run of an existing deployment says what would change", async ({ deploy, dryRun, requests }) => {
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

describe("a dry run finds of the source what a deploy finds, and compresses only what may be too large", () => {
  const packed = ({ of }: Rig) => of("source-packed").length;
  const limited = ({ request }: Rig, maxBytes: number): Partial<DeployRequest> => {
    const { source } = request();
    return source.source === "internal_source" ? { source: { ...source, maxBytes } } : {};
  };

  withRig("the digest of a deploy, by hashing alone", async (parts) => {
    await parts.dryRun();
    expect(packed(parts)).toBe(0);
    await parts.deploy();
    expect(parts.of("source-hashed").map(({ digest }) => digest)).toEqual([
      parts.of("source-packed")[0]?.archive.digest,
    ]);
    expect(parts.of("step-ended")[0]).toMatchObject({ step: "source" });
  });

  withRig("an archive that is larger than allowed", async (parts) => {
    await parts.write({ "src/model.bin": randomBytes(60_000).toString("latin1") });
    const request = limited(parts, 50_000);
    for (const run of [parts.dryRun, parts.deploy]) {
      await expect(run(request)).rejects.toMatchObject({ code: "SOURCE_TOO_LARGE" });
    }
    expect(await readdir(parts.spool)).toEqual([]);
  });

  withRig("an archive that is just as large as allowed, and one byte more", { tags: "slow" }, async (parts) => {
    await parts.write({ "src/model.bin": randomBytes(60_000).toString("latin1") });
    await parts.deploy();
    const bytes = parts.of("source-packed")[0]?.archive.bytes ?? 0;
    for (const run of [parts.dryRun, parts.deploy]) {
      await expect(run(limited(parts, bytes - 1))).rejects.toMatchObject({ code: "SOURCE_TOO_LARGE" });
      await run(limited(parts, bytes));
    }
  });

  withRig("an archive whose headers alone are larger than allowed, although its files are empty", async (parts) => {
    await parts.write(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`src/empty_${index}.py`, ""])));
    const request = limited(parts, 500);
    for (const run of [parts.dryRun, parts.deploy]) {
      await expect(run(request)).rejects.toMatchObject({ code: "SOURCE_TOO_LARGE" });
    }
  });

  withRig("files that are larger than allowed, in an archive that is not", async (parts) => {
    await parts.write({ "src/rows.csv": "1,2,3\n".repeat(20_000) });
    await expect(parts.dryRun(limited(parts, 50_000))).resolves.toMatchObject({ outcome: "dry-run" });
    expect(packed(parts)).toBe(1);
    expect(await readdir(parts.spool)).toEqual([]);
  });

  withRig("a source that another run deployed with other settings is hashed once", async (parts) => {
    const record = join(parts.directory, "..", "record.json");
    await parts.deploy({ record });
    const { change } = await parts.dryRun({ record, secrets: [{ name: "A", value: "b" }] });
    expect(change.recalled).toMatchObject({ verdict: "new" });
    expect(parts.of("source-hashed")).toHaveLength(1);
    expect(packed(parts)).toBe(1);
  });

  withRig("a source that is live is hashed once, and not packed", async (parts) => {
    const record = join(parts.directory, "..", "record.json");
    await parts.deploy({ record });
    const { change } = await parts.dryRun({ record });
    expect(change.recalled).toEqual({ verdict: "unchanged", reason: expect.stringContaining("is live") as string });
    expect(parts.of("source-hashed")).toHaveLength(1);
    expect(packed(parts)).toBe(1);
  });
});
