import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runOperation, type RunEvent, RunQueue } from "../../../src/tracing/ingest/run-queue.ts";

const ALL = { runs: 100, size: Infinity };
const post = (id: string, name = "") => runOperation("post", { id, name });
const patch = (id: string, error: string) => runOperation("patch", { id, error });

describe("a queue of runs", () => {
  test("makes an addition a part of the run that waits", () => {
    const queue = new RunQueue();
    for (const operation of [post("a"), post("b"), patch("a", "late")]) queue.add(operation);
    expect(queue.take(ALL).map(({ id, event, fields }) => [id, event, fields["error"]])).toEqual([
      ["a", "post", "late"],
      ["b", "post", undefined],
    ]);
  });

  test("lets no addition overtake its run", () => {
    const queue = new RunQueue();
    queue.add(post("a"));
    queue.take(ALL);
    queue.add(patch("a", "late"));
    expect([queue.ready, queue.has("a"), queue.take(ALL)]).toEqual([0, true, []]);
    queue.settle(["a"]);
    expect(queue.take(ALL).map(({ event }) => event)).toEqual(["patch"]);
    queue.settle(["a"]);
    expect([queue.has("a"), queue.size]).toEqual([false, 0]);
  });

  test("takes a run that is longer than a portion alone", () => {
    const queue = new RunQueue();
    for (const operation of [post("a", "x".repeat(5_000)), post("b"), post("c")]) queue.add(operation);
    const portion = { runs: 2, size: 1_000 };
    expect(queue.take(portion).map(({ id }) => id)).toEqual(["a"]);
    expect(queue.take(portion).map(({ id }) => id)).toEqual(["b", "c"]);
  });

  test("loses nothing and counts what it holds, whatever happens to it", () => {
    const id = fc.constantFrom("a", "b", "c", "d");
    const step = fc.oneof(
      fc.tuple(fc.constantFrom<RunEvent>("post", "patch"), id, fc.string()),
      fc.tuple(fc.constant("take" as const), fc.integer({ min: 1, max: 3 })),
      fc.tuple(fc.constant("settle" as const), id),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new RunQueue();
        const away = new Set<string>();
        const given = new Set<string>();
        for (const [what, which, text = ""] of steps) {
          if (what === "take") {
            for (const taken of queue.take({ runs: which, size: 2_000 })) away.add(taken.id);
          } else if (what === "settle") {
            queue.settle([which]);
            if (away.delete(which) && !queue.has(which)) given.delete(which);
          } else {
            queue.add(runOperation(what, { id: which, error: text }));
            given.add(which);
          }
          expect(queue.ids()).toEqual(given);
        }
        queue.settle([...away]);
        for (const { id } of queue.take(ALL)) queue.settle([id]);
        expect([queue.size, queue.ids().size]).toEqual([0, 0]);
      }),
    );
  });
});
