import { readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { snapshotText } from "../../src/judgement/cases/snapshot-writer.ts";
import { Gates } from "../../src/judgement/gates/gates.ts";
import { propertyRuns } from "../property-runs.ts";
import { casesRig } from "./cases/cases-rig.ts";

const row = fc.record({
  id: fc.integer({ min: 0, max: 9 }).map((id) => `q-${String(id)}`),
  correct: fc.constantFrom(0, 1),
  tone: fc.option(fc.constantFrom(0.1, 0.2, 0.7)),
  language: fc.constantFrom("de", "en"),
  latency_ms: fc.integer({ min: 1, max: 9 }),
  error: fc.constantFrom("", "broke"),
});
const given = fc.array(row, { minLength: 5, maxLength: 40 });

/** What was judged, without the places of rows, which follow the files. */
function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, one: unknown) =>
    key === "place" || key === "places" ? undefined : one,
  );
}

test(
  "the same rows in any order, in one file or in several trials, are the same judgement but for their places",
  { tags: "slow" },
  async () => {
    const { workspace, write, filesOf, judge, events } = await casesRig();
    let count = 0;
    const judged = async (files: readonly (readonly object[])[]) => {
      const name = `run${String(count++)}`;
      const texts = files.map((rows, at) => [
        `${name}/${String(at)}.jsonl`,
        rows.map((one) => `${JSON.stringify(one)}\n`).join(""),
      ]);
      await write(Object.fromEntries(texts) as Record<string, string>);
      const results = { files: await filesOf([`${name}/*`]), format: undefined, mapping: undefined, workspace };
      events.length = 0;
      const { judgement, results: set } = await judge(
        { now: "none", baseline: "before.jsonl", anchor: "before.jsonl" },
        {
          results: { ...results, files: results.files.toReversed() },
          keepsTexts: true,
          filesAre: "trials",
          gates: Gates.parse(
            "correct not regressed\ntone [language = de] not worse by 0.1\nwarn: errors = 0\nnewly_failing = 0",
          ),
        },
      );
      return JSON.stringify([withoutPlaces(judgement), snapshotText(set, { withTexts: true })]);
    };
    // Columns are known by the first rows of each file: these have a value of each.
    const first = { id: "first", input: "?", correct: 1, tone: 0.5, language: "de", latency_ms: 5, error: "" };
    const full = (rows: readonly { id: string }[]) => rows.map((one) => ({ input: `question ${one.id}`, ...one }));
    await write({
      "before.jsonl": full([first, ...fc.sample(given, { numRuns: 1, seed: 7 }).flat()])
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(""),
    });
    await fc.assert(
      fc.asyncProperty(given, fc.infiniteStream(fc.nat()), async (rows, keys) => {
        const all = full(rows);
        const shuffled = all
          .map((one) => ({ one, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        const half = Math.floor(rows.length / 2);
        const whole = await judged([[first, first, ...all]]);
        expect(await judged([[first, first, ...shuffled]])).toBe(whole);
        expect(
          await judged([
            [first, ...shuffled.slice(half)],
            [first, ...shuffled.slice(0, half)],
          ]),
        ).toBe(whole);
      }),
      { numRuns: propertyRuns(0.2) },
    );
    expect(await readdir(join(workspace, "run0"))).toEqual(["0.jsonl"]);
  },
);
