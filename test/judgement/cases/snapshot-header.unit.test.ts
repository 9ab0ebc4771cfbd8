import { expect, test } from "vitest";
import { headerOf, readHeader } from "../../../src/judgement/cases/snapshot-header.ts";
import { caseSet, yesNo } from "../rig.ts";

test("a header keeps which directions nobody said", () => {
  const facts = {
    toxicity: { kind: "binary", low: 0, high: 1, direction: "higher", isDirectionUnsure: true },
    exact: { kind: "unbounded", direction: "lower" },
  } as const;
  const set = caseSet([...yesNo([1], "toxicity"), ...yesNo([1], "exact")], facts);
  const header = readHeader(JSON.parse(JSON.stringify(headerOf(set))), (fault) => {
    throw new Error(fault);
  });
  expect(header.metrics).toEqual(new Map(Object.entries(facts)));
});
