import { expect, test } from "vitest";
import { endsBeforeStart, runDoubts, runFaults } from "../../src/contract/run-rules.ts";
import type { Run } from "../../src/contract/run.ts";

const ROOT = "0f8fad5b-d9cb-469f-a165-70867728950e";
const CHILD = "1f8fad5b-d9cb-469f-a165-70867728950e";
const AT = (second: number) => `20240102T03040${String(second)}000000Z`;

const root: Run = {
  id: ROOT,
  trace_id: ROOT,
  dotted_order: AT(5) + ROOT,
  name: "plan",
  run_type: "chain",
  start_time: "2024-01-02T03:04:05Z",
};
const child: Run = { ...root, id: CHILD, parent_run_id: ROOT, dotted_order: `${AT(5)}${ROOT}.${AT(6)}${CHILD}` };

test("a run and its child that keep the rules have no fault, in upper case either", () => {
  for (const run of [root, child, { ...child, parent_run_id: ROOT.toUpperCase() }, { ...root, start_time: 1 }]) {
    expect(runFaults(run, { made: true })).toEqual([]);
  }
});

test.each<[string, Partial<Run>, string]>([
  ["no name", { name: null }, "name is missing"],
  ["a time that is none", { end_time: "yesterday" }, "end_time is not an ISO 8601 time"],
  ["a time before 1970", { start_time: -1 }, "start_time is not an ISO 8601 time"],
  ["no trace", { trace_id: null }, "trace_id is missing"],
  ["no place", { dotted_order: null }, "dotted_order is missing"],
  ["the place of another run", { dotted_order: AT(5) + CHILD }, "dotted_order does not end with the id of the run"],
  ["the id of another trace", { trace_id: CHILD }, "trace_id does not match the first part of dotted_order"],
  ["a parent that its place lacks", { parent_run_id: CHILD }, "parent_run_id does not match the part of dotted_order"],
])("a root with %s is refused", (_what, change, fault) => {
  const faults = runFaults({ ...root, ...change }, { made: true }).map(({ field, what }) => `${field} ${what}`);
  expect(faults).toEqual([expect.stringContaining(fault)]);
});

test("a child names its parent where it is made, and need not where something is added to it", () => {
  const orphan = { ...child, parent_run_id: null };
  expect(runFaults(orphan, { made: true })).toEqual([
    { field: "dotted_order", what: expect.stringContaining("single") },
  ]);
  expect(runFaults({ ...orphan, name: null, start_time: null }, { made: false })).toEqual([]);
});

test.each<[string, Run, readonly string[]]>([
  ["nothing unusual", { ...child, name: "x".repeat(128), session_id: ROOT.toUpperCase() }, []],
  ["an empty name", { ...root, name: "" }, ["an empty name"]],
  ["a long name", { ...root, name: "x".repeat(129) }, ["a name of more than 128 characters"]],
  ["another type", { ...root, run_type: "agent" }, ["a `run_type` other than the known ones"]],
  ["an empty type", { ...root, run_type: "" }, ["a `run_type` other than the known ones"]],
  ["another id of a project", { ...root, session_id: "a/b" }, ["a `session_id` that is not a UUID"]],
  [
    "a start before its parent",
    { ...child, dotted_order: `${AT(5)}${ROOT}.${AT(4)}${CHILD}` },
    ["a `dotted_order` whose times go back"],
  ],
])("a run with %s keeps the contract, which has no such rule", (_what, run, doubts) => {
  expect(runFaults(run, { made: true })).toEqual([]);
  expect(runDoubts(run)).toEqual(doubts);
});

test.each([
  [1000, 1000, false],
  [1999, 1000, false],
  [2000, 1999, true],
  [1_000_000, 0, true],
  [1000.5, 1000.4, false],
  [0, 1, false],
])("a run from %d to %d ends before it starts, by a millisecond: %s", (started, ended, early) => {
  expect(endsBeforeStart(started, ended)).toBe(early);
});
