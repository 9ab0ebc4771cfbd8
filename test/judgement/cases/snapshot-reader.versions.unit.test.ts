import { join } from "node:path";
import { expect, test } from "vitest";
import { Gates } from "../../../src/judgement/gates/gates.ts";
import { judge } from "../../../src/judgement/judge.ts";
import { readSnapshot } from "../../../src/judgement/cases/snapshot-reader.ts";
import { snapshotText } from "../../../src/judgement/cases/snapshot-writer.ts";
import { parseSnapshot } from "../../../src/judgement/cases/snapshot-reader.ts";
import { baselineOf } from "../rig.ts";
import { plain } from "./cases-rig.ts";

const FIRST = {
  name: "version-1.snapshot.jsonl",
  path: join(import.meta.dirname, "../../fixtures/snapshots/version-1.snapshot.jsonl"),
};

test("a snapshot of version 1 is read, and what it does not say is unknown and not empty", () => {
  const set = readSnapshot(FIRST);
  expect(set.cases).toHaveLength(100);
  expect(set.run).toMatchObject({ dataset: { name: "support" }, run: "70", isComplete: true });
  const { readings, notBaseline, isReset, allowed } = set.run;
  expect([readings, notBaseline, isReset, allowed]).toEqual([undefined, undefined, undefined, undefined]);
  expect(set.metrics.get("correct")?.isRangeDeclared).toBeUndefined();
  for (const { trials } of set.cases) {
    expect(trials.map(({ start, unscored }) => [start, unscored])).toEqual([[undefined, undefined]]);
  }
});

test("a snapshot of version 1 is judged, and stays unknown where it is written again", () => {
  const set = readSnapshot(FIRST);
  const gates = Gates.parse("correct not regressed\ntone drop <= 0");
  expect(judge({ results: set, baseline: baselineOf(set), gates })).toMatchObject({ status: "passed", gaps: [] });
  const again = snapshotText(set);
  expect(again).toMatch(/^\{"schema":"graph-deploy\/snapshot@2"/);
  expect(plain(parseSnapshot(again))).toEqual(plain(set));
});
