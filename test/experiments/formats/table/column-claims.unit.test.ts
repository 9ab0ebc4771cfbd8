import { expect, test } from "vitest";
import { claimsOf, isFactName } from "../../../../src/experiments/formats/table/column-claims.ts";
import {
  ColumnValues,
  kindOfJson,
  type ColumnSample,
} from "../../../../src/experiments/formats/table/column-sample.ts";

const rolesOf = (name: string, sample: Partial<ColumnSample> = {}) =>
  claimsOf({ ...new ColumnValues(kindOfJson).sample(name), kind: "text", ...sample }, new Map()).map(
    ({ role }) => role,
  );

test.each<[string, Partial<ColumnSample>, unknown]>([
  ["question", {}, { part: "inputs", key: undefined }],
  ["Expected Output", {}, { part: "expected", key: undefined }],
  ["inputs.question", {}, { part: "inputs", key: "question" }],
  ["latency_ms", { kind: "number" }, { part: "latency", unitMilliseconds: 1 }],
  ["latency_s", { kind: "number" }, { part: "latency", unitMilliseconds: 1_000 }],
  ["error", {}, { part: "error" }],
])("%s with %j may be %j", (name, sample, role) => {
  expect(rolesOf(name, sample)).toContainEqual(role);
});

test.each<[string, Partial<ColumnSample>]>([
  ["latency_ms", { kind: "text" }],
  ["error", { kind: "number" }],
  ["error", { kind: "word", pair: "ok" }],
  ["id", { kind: "object" }],
  ["nothing_known", {}],
])("%s with %j has no part: its values cannot be that", (name, sample) => {
  expect(rolesOf(name, sample)).toEqual([]);
});

test("the name of a fact is never that of a score", () => {
  expect(["error", "latency_ms", "question", "exact"].map(isFactName)).toEqual([true, true, false, false]);
});
