import { expect, test } from "vitest";
import { faults, readStep } from "../inputs/step.ts";

const REVISION = "7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11";

test("with revision-id the step only waits, and needs no source", async () => {
  const step = await readStep({ "revision-id": REVISION, timeout: "90s" }, { GITHUB_WORKSPACE: "" });
  expect(step.task).toBe("follow");
  expect(step.request).toEqual({
    target: { name: "agent" },
    revisionId: REVISION,
    timeoutMilliseconds: 90_000,
    pollCapMilliseconds: 10_000,
    onSuperseded: "fail",
    smokeTest: true,
  });
});

test("whatever belongs to a deploy is a fault beside revision-id", async () => {
  const why = "cannot be combined with `revision-id`, which only waits for an existing revision";
  const given = { path: "agent", secrets: "A=1", wait: "false", "dry-run": "true", "deploy-record": "record.json" };
  expect(await faults({ "revision-id": REVISION, ...given })).toEqual(
    ["path", "secrets", "wait", "dry-run", "deploy-record"].map((input) => `${input}: ${why}`),
  );
});

test("a revision-id is a uuid", async () => {
  expect(await faults({ "revision-id": "latest" })).toEqual([
    'revision-id: "latest" is not a valid UUID; leave it empty to deploy',
  ]);
});
