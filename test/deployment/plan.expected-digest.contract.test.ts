import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rig } from "./rig.ts";

const B = `sha256:${"b".repeat(64)}`;

test("a directory is deployed with its own digest only, and another one is refused before anything is written", async () => {
  const { deploy, dryRun, of, requests, spool, write } = await rig();
  await dryRun();
  const digest = of("source-packed")[0]?.archive.digest ?? "";
  for (const run of [deploy, dryRun]) {
    await expect(run({ expectedDigest: B })).rejects.toMatchObject({
      code: "PLAN",
      reasons: ["DIGEST_DIFFERS"],
      message: `The expected digest is ${B}, but the source has ${digest}.`,
    });
  }
  expect(requests().every((request) => request.startsWith("GET "))).toBe(true);
  expect(await readdir(spool)).toEqual([]);
  await expect(deploy({ expectedDigest: digest })).resolves.toMatchObject({ outcome: "deployed" });
  await write({ "src/support.py": "graph = 3\n" });
  await expect(deploy({ expectedDigest: digest })).rejects.toMatchObject({ reasons: ["DIGEST_DIFFERS"] });
});

test("a source that is live already must have the expected digest too", async () => {
  const { deploy, directory, of } = await rig();
  const record = join(directory, "..", "record.json");
  await deploy({ record });
  const digest = of("source-packed")[0]?.archive.digest ?? "";
  await expect(deploy({ record, expectedDigest: digest })).resolves.toMatchObject({ outcome: "unchanged" });
  await expect(deploy({ record, expectedDigest: B })).rejects.toMatchObject({ reasons: ["DIGEST_DIFFERS"] });
});
