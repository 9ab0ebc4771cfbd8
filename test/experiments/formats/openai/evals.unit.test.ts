import fc from "fast-check";
import { propertyRuns } from "../../../property-runs.ts";
import { describe, expect, test } from "vitest";
import { openaiEvals } from "../../../../src/experiments/formats/openai/evals.ts";
import { readAll, refusalOf } from "../reading.ts";
import { fixtureFile, storedFile } from "../stored-file.ts";

const at = (second: number) => `2026-11-21 13:30:${String(second).padStart(2, "0")}.000001+00:00`;
const event = (sample_id: unknown, type: string, data: unknown, fields: object = {}) => ({
  run_id: "r",
  event_id: 0,
  sample_id,
  type,
  data,
  created_at: at(1),
  ...fields,
});
const fileOf = (...lines: readonly unknown[]) => storedFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
const read = (...lines: readonly unknown[]) => readAll(openaiEvals, fileOf(...lines));

describe("a sample of evals", () => {
  test("has the answer to its own prompt, not what a model said that judges it", async () => {
    const { rows } = await read(
      event("s", "sampling", { prompt: "q", sampled: ["answer"] }),
      event("s", "sampling", { prompt: "is it right: answer", sampled: ["Yes"] }),
      event("s", "metrics", { choice: "Yes", score: 1 }),
    );
    expect(rows[0]).toMatchObject({ inputs: "q", outputs: "answer", scores: [{ key: "score", value: 1 }] });
    expect(rows[0]?.metadata).toEqual({ choice: "Yes", all_outputs: ["answer", "Yes"] });
  });

  test("has the mean of its matches and metrics, and what is no number is missing", async () => {
    const { rows } = await read(
      ...[true, false, false, true].map((correct) => event("s", "match", { correct, expected: "e", picked: "p" })),
      event("s", "metrics", { a: 1, b: true, c: null }),
      event("s", "metrics", { a: 2, b: false, c: null }),
    );
    expect(rows[0]).toMatchObject({ expected: "e", outputs: "p" });
    expect(rows[0]?.scores).toEqual([
      { key: "match", value: 0.5 },
      { key: "a", value: 1.5 },
      { key: "b", value: 0.5 },
      { key: "c", value: null },
    ]);
  });

  test("ran from its first event to its last, in whatever order they stand", async () => {
    const times = [at(9), at(3), "2026-11-21 15:30:05+02:00", at(7)];
    const { rows } = await read(...times.map((created_at) => event("s", "metrics", {}, { created_at })));
    expect(rows[0]?.times).toEqual({ start: at(3), end: at(9) });
  });

  test("keeps a time that is none, so that it is reported", async () => {
    const { rows } = await read(event("s", "metrics", {}, { created_at: "soon" }), event("s", "metrics", {}));
    expect(rows[0]?.times?.start).toBe("soon");
  });

  test("of two runs in one file is two rows", async () => {
    const { rows } = await read(event("s", "metrics", { a: 1 }), event("s", "metrics", { a: 0 }, { run_id: "r2" }));
    expect(rows.map(({ id, scores }) => [id, scores[0]?.value])).toEqual([
      ["s", 1],
      ["s", 0],
    ]);
  });

  test("has an error even where the event does not say which", async () => {
    const { rows } = await read(event("s", "error", {}), event("t", "error", { type: "E", message: "m" }));
    expect(rows.map(({ error }) => error)).toEqual(["The tool reported a failure without a reason.", "E: m"]);
  });

  test("is there once its last event was read, and the same for every order of the events", async () => {
    const lines = fixtureFile("openai-evals/evals.jsonl").text.trimEnd().split("\n");
    const [spec = "", ...events] = lines;
    const wanted = (await readAll(openaiEvals, fixtureFile("openai-evals/evals.jsonl"))).rows.map(
      ({ place: _, ...row }) => row,
    );
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 4 })), async (picks) => {
        // Events of one sample keep their order, as in the file; samples mix.
        const queues = Map.groupBy(events, (line) => /"sample_id": "[^"]*"/.exec(line)?.[0] ?? "");
        const mixed = [spec];
        while (queues.size > 0) {
          const [key, queue] = [...queues][picks.next().value % queues.size] ?? ["", []];
          mixed.push(queue.shift() ?? "");
          if (queue.length === 0) queues.delete(key);
        }
        const { rows } = await readAll(openaiEvals, storedFile(`${mixed.join("\n")}\n`));
        const byId = (a: { id?: unknown }, b: { id?: unknown }) => (String(a.id) < String(b.id) ? -1 : 1);
        expect(rows.map(({ place: _, ...row }) => row).sort(byId)).toEqual(wanted.toSorted(byId));
      }),
      { numRuns: propertyRuns(0.25) },
    );
  });

  test("is no row for an event of the run as a whole", async () => {
    expect((await read(event(null, "metrics", { a: 1 }))).rows).toEqual([]);
  });

  test("that is broken is a fault without its data, told once", async () => {
    const { rows, faults } = await read(
      event("s", "metrics", "secret"),
      event("s", "match", { correct: true }),
      event(7, "match", {}),
    );
    expect(rows.map(({ id, scores }) => [id, scores.length])).toEqual([
      ["s", 1],
      ["7", 0],
    ]);
    expect(faults).toEqual(["1: `data` is a text, not an object"]);
  });
});

describe("a run of evals", () => {
  test("begins at the time of its spec, which is UTC without saying so", async () => {
    const spec = { eval_name: "e", base_eval: "b", created_at: "2026-11-21 13:30:13.021489" };
    const { run } = await read({ spec }, { final_report: { accuracy: 0.5, words: "no", none: null } });
    expect(run).toEqual({
      tool: "openai-evals",
      times: { start: "2026-11-21 13:30:13.021489Z", fields: { start: "spec.created_at" } },
      metadata: { eval_name: "e", base_eval: "b" },
      summaryScores: [
        { key: "accuracy", value: 0.5 },
        { key: "none", value: null },
      ],
    });
  });

  test("that is cut off is refused, and a broken line before its end is one fault", async () => {
    const good = JSON.stringify(event("s", "metrics", { a: 1 }));
    expect(await refusalOf(openaiEvals, storedFile(`${good}\n${good.slice(0, 30)}`))).toMatch(
      /^results\.any, line 2: /,
    );
    const { rows, faults } = await readAll(openaiEvals, storedFile(`${good}\n{]\n${good}\n`));
    expect([rows.length, faults.length]).toEqual([1, 1]);
  });
});
