import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { digestFault } from "../../src/deployment/plan.ts";
import { withRig, rig } from "./rig.ts";

const A = `sha256:${"a".repeat(64)}`;
const B = `sha256:${"b".repeat(64)}`;
const image = (imageUri: string) => ({ source: "external_docker", imageUri }) as const;

describe("the expected digest", () => {
  test.each([
    [A, ""],
    [B, `is ${B}, but the image has ${A}`],
    ["a".repeat(64), "is not `sha256:` with 64 hex digits in lower case"],
    [A.toUpperCase(), "is not `sha256:` with 64 hex digits in lower case"],
  ])("%s against an image by its digest", (expected, fault) => {
    expect(digestFault(image(`registry.example/agent:1@${A}`), expected)).toBe(fault);
  });

  test.each(["registry.example/agent", "registry.example/agent:1", `registry.example/agent@${A}0`, A])(
    "proves nothing of the image %s",
    (uri) => {
      expect(digestFault(image(uri), A)).toContain("needs an image by its digest");
    },
  );

  test("proves nothing of a repository or an earlier revision", () => {
    expect(digestFault({ source: "github", repoRef: "main", graphConfig: "graph.json" }, A)).toContain("cannot be");
    expect(digestFault({ source: "revision", revision: "previous" }, A)).toContain("cannot be proved");
  });
});

test(
  "a directory is deployed with its own digest only, and another one is refused before anything is written",
  { tags: "slow" },
  async () => {
    const { deploy, dryRun, of, requests, spool, write } = await rig();
    await dryRun();
    const digest = of("source-hashed")[0]?.digest ?? "";
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
  },
);

withRig("a source that is live already must have the expected digest too", async ({ deploy, directory, of }) => {
  const record = join(directory, "..", "record.json");
  await deploy({ record });
  const digest = of("source-packed")[0]?.archive.digest ?? "";
  await expect(deploy({ record, expectedDigest: digest })).resolves.toMatchObject({ outcome: "unchanged" });
  await expect(deploy({ record, expectedDigest: B })).rejects.toMatchObject({ reasons: ["DIGEST_DIFFERS"] });
});
