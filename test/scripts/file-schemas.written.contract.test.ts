import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { schemaAddress, type FileSchema } from "../../src/contract/schema-address.ts";
import { readRecord } from "../../src/deployment/record.ts";
import { parseSnapshot } from "../../src/judgement/cases/snapshot-reader.ts";
import { snapshotText } from "../../src/judgement/cases/snapshot-writer.ts";
import { withRig } from "../deployment/rig.ts";
import { carriedOut, makeStep } from "../front/steps/judge/step.ts";
import { faultsBy, validatorOf } from "./schema-validator.ts";

const example = (name: string) => readFile(join(projectRoot, "examples/results/judged", name), "utf8");

/** A judgement of the examples with each kind of rule. */
async function judged() {
  const first = await makeStep({ results: "before.csv" }, { files: { "before.csv": await example("baseline.csv") } });
  const { written: before } = await carriedOut(first.env);
  const second = await makeStep(
    {
      results: "now.csv",
      baseline: "main.snapshot.jsonl",
      gates: [
        "correct not regressed",
        "tone >= 0.5",
        "warn: p95(latency) [language = de] <= 2s",
        "tone drop <= 0.1",
        "tone not worse by 0.2",
        "errors = 0",
      ].join("\n"),
    },
    {
      files: {
        "now.csv": await example("regressed.csv"),
        "main.snapshot.jsonl": await readFile(before.snapshot ?? "", "utf8"),
      },
    },
  );
  const { written } = await carriedOut(second.env);
  return {
    judgement: await readFile(written.judgement ?? "", "utf8"),
    snapshots: await Promise.all([before, written].map(({ snapshot = "" }) => readFile(snapshot, "utf8"))),
  };
}

function expectValid(name: FileSchema, lines: readonly string[]): void {
  const validate = validatorOf(name);
  expect(JSON.parse(lines[0] ?? "")).toHaveProperty("$schema", schemaAddress(name));
  for (const line of lines) expect(faultsBy(validate, JSON.parse(line))).toEqual([]);
}

describe("what steps write names its schema and is valid by it:", () => {
  test("a judgement and its snapshots", { tags: "slow" }, async () => {
    const { judgement, snapshots } = await judged();
    expectValid("judgement", [judgement]);
    expect(snapshots).toHaveLength(2);
    for (const snapshot of snapshots) {
      expectValid("snapshot", snapshot.trimEnd().split("\n"));
      expect(snapshotText(parseSnapshot(snapshot))).toBe(snapshot);
    }
  });

  withRig("the record of a deploy", { tags: "slow" }, async ({ deploy, directory }) => {
    const record = join(directory, "kept.json");
    await deploy({ record });
    expectValid("deploy-record", [await readFile(record, "utf8")]);
    expect(readRecord(record)).toHaveProperty("record.format", 1);
  });
});

test.each([
  ["judgement", { schema: 2 }],
  ["judgement", { schema: 1, status: "green" }],
  ["snapshot", { schema: "graph-deploy/snapshot@2" }],
  ["snapshot", { case: "x", name: "x", digest: "x", trials: [] }],
  ["deploy-record", { format: 2 }],
  ["deploy-record", {}],
] as const)("the schema of a %s refuses %j", (name, value) => {
  expect(faultsBy(validatorOf(name), value)).not.toEqual([]);
});
