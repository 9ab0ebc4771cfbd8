import { expect, test } from "vitest";
import { NOT_A_NUMBER, type JsonValue } from "../../../../src/files/json/value.ts";
import { metadataOf } from "../../../../src/experiments/formats/shared/tool-values.ts";

test.each<[string, JsonValue | undefined, Record<string, JsonValue | undefined>, unknown]>([
  [
    "what the user gave wins over what the tool adds",
    { model: "own" },
    { model: "m", seed: 1 },
    { model: "own", seed: 1 },
  ],
  ["what is no object stands by a name", ["a"], { seed: 1 }, { metadata: ["a"], seed: 1 }],
  [
    "facts that say nothing are left out",
    null,
    { a: "", b: null, c: [], d: {}, e: NOT_A_NUMBER, f: undefined },
    undefined,
  ],
  ["zero and false say something", undefined, { a: 0, b: false }, { a: 0, b: false }],
])("%s", (_what, own, facts, metadata) => {
  expect(metadataOf(own, facts)).toEqual(metadata);
});
