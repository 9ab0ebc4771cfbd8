import { expect, test } from "vitest";
import { merged, runOperation } from "../../../src/tracing/ingest/run-queue.ts";

const ID = "0193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";

test("a field with the name of a method of Object is sent", () => {
  const run = { id: ID, constructor: "a", toString: "b" };
  expect(Object.entries(runOperation("post", run).fields)).toEqual(Object.entries(run));
});

test("merging a run with a later addition: the later value wins", () => {
  const post = runOperation("post", { id: ID, name: "a", inputs: { q: 1 }, error: "e" });
  const patch = runOperation("patch", { id: ID, name: null, error: "f", outputs: { a: 1 }, end_time: "t" });
  expect(merged(post, patch)).toMatchObject({
    event: "post",
    id: ID,
    fields: { id: ID, name: "a", error: "f", end_time: "t" },
    parts: { inputs: '{"q":1}', outputs: '{"a":1}' },
  });
});

test("merging a run with an earlier addition: the addition wins", () => {
  const patch = runOperation("patch", { id: ID, error: "f", outputs: { a: 1 } });
  const post = runOperation("post", { id: ID, name: "a", error: "e", inputs: { q: 1 } });
  expect(merged(patch, post)).toMatchObject({
    event: "post",
    fields: { id: ID, name: "a", error: "f" },
    parts: { inputs: '{"q":1}', outputs: '{"a":1}' },
  });
});

test("the size of a run counts all its values", () => {
  const text = "x".repeat(10_000);
  const empty = runOperation("post", { id: ID }).size;
  for (const field of ["error", "extra", "inputs"]) {
    const { size } = runOperation("post", { id: ID, [field]: field === "error" ? text : { text } });
    expect(size - empty).toBeGreaterThanOrEqual(10_000);
  }
});
