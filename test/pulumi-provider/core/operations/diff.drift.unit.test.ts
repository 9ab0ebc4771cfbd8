import { expect, test } from "vitest";
import { driftOf } from "../../../../pulumi-provider/core/operations/diff.ts";

const [OURS, OTHER] = ["0f8fad5b-d9cb-469f-a165-70867728950e", "1f8fad5b-d9cb-469f-a165-70867728950e"];
const state = { latestRevisionId: OURS, managedRevisionId: OURS, status: "DEPLOYED", drift: [] };

test("our own revision that is live is no drift, in whatever form its id is written", () => {
  expect(driftOf({ ...state, latestRevisionId: OURS.toUpperCase() }, { foreign: true })).toEqual([]);
});

test("our own revision that failed is drift, for whoever asks", () => {
  for (const foreign of [true, false]) {
    expect(driftOf({ ...state, status: "DEPLOY_FAILED" }, { foreign })).toEqual([expect.stringContaining(OURS)]);
  }
});

test("a revision of others and what a refresh noted count only where they are asked for", () => {
  const foreign = { ...state, latestRevisionId: OTHER, drift: ["the image differs", 7] };
  expect(driftOf(foreign, { foreign: true })).toEqual([expect.stringContaining(OTHER), "the image differs"]);
  expect(driftOf({ ...foreign, status: "DEPLOY_FAILED" }, { foreign: false })).toEqual([]);
  expect(driftOf({ drift: ["x"] }, { foreign: true })).toEqual(["x"]);
});
