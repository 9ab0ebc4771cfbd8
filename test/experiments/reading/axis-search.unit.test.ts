import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AxisSearch } from "../../../src/experiments/reading/axis-search.ts";
import { rowId } from "../../../src/experiments/rows/identity.ts";
import type { SourceRow } from "../../../src/experiments/rows/source-row.ts";
import type { JsonValue } from "../../../src/files/json/value.ts";

interface Row {
  readonly id: string;
  readonly metadata: Readonly<Record<string, JsonValue>>;
  readonly repetition?: number;
}

function axisOf(rows: readonly Row[]) {
  const [search, byName] = [new AxisSearch(), new AxisSearch()];
  for (const [at, { id, metadata, repetition }] of rows.entries()) {
    const source: SourceRow = {
      place: { file: "a.csv", line: at + 2 },
      id,
      inputs: id,
      metadata,
      repetition,
      scores: [],
    };
    search.take(rowId({ dataset: "d", id, inputs: {}, expected: undefined, repetition: 0 }), source);
    byName.takeNamed(id, source);
  }
  // Of very many cases the one keeps others than the other, which are as good a share.
  expect(byName.find()).toEqual(search.find());
  return search.find();
}

/** Each case with each of the values. */
function crossed(cases: number, column: string, values: readonly JsonValue[]): readonly Row[] {
  return values.flatMap((value) =>
    Array.from({ length: cases }, (_, at) => ({ id: `c${String(at)}`, metadata: { [column]: value } })),
  );
}

describe("an axis", () => {
  test.each<[string, readonly Row[], string | undefined]>([
    [
      "four prompts of seven cases",
      crossed(7, "prompt_version", ["baseline", "cot", "few", "strict"]),
      "prompt_version",
    ],
    ["two models whose names differ in a number", crossed(3, "model", ["gpt-4", "gpt-5"]), "model"],
    ["a column whose name says nothing", crossed(4, "setup", ["hybrid", "dense"]), "setup"],
    ["one case of two models", crossed(1, "model", ["a", "b"]), "model"],
    ["a setting in an object", crossed(5, "config", [{ llm: "a" }, { llm: "b" }]), "config.llm"],
    ["another case in each row", crossed(1, "model", ["a"]).concat(crossed(9, "topic", ["x"])), undefined],
    ["numbered runs", crossed(7, "who", ["run-1", "run-2", "run-3"]), undefined],
    ["dates", crossed(7, "day", ["2026-11-21", "2026-11-22"]), undefined],
    ["numbers", crossed(7, "model", [1, 2]), undefined],
    ["verdicts", crossed(7, "cached", ["true", "false"]), undefined],
    ["what a cache says of the first run and the next", crossed(7, "cache", ["MISS", "HIT"]), undefined],
    ...["trial", "run", "epoch", "attempt", "seed", "sample", "run_name", "Trials"].map(
      (name): [string, readonly Row[], undefined] => [
        `a column named ${name}`,
        crossed(7, name, ["a", "b"]),
        undefined,
      ],
    ),
    ...["round", "host", "annotator", "date", "session"].map((name): [string, readonly Row[], undefined] => [
      `what a repetition goes by: ${name}`,
      crossed(7, name, ["left", "right"]),
      undefined,
    ]),
    ...(
      [
        ["ids", "trace", ["0f3ab1de-0000-4000-8000-00000000000a", "7b3ab1de-0000-4000-8000-00000000000f"]],
        ["short digests", "build", ["abc123f", "def456a"]],
        ["long ids", "trace", ["01J9ZK4Q8W2X", "01J9ZM7R1T5Y"]],
        ["ordinals", "go", ["first", "second"]],
        ["files of a number", "source", ["out/first.json", "out/second.json"]],
        ["days", "began", ["Mon Jan 5 10:00", "Tue Jan 6 11:30"]],
      ] as const
    ).map(([what, name, values]): [string, readonly Row[], undefined] => [what, crossed(7, name, values), undefined]),
    ["files of two settings", crossed(7, "source", ["out/baseline.json", "out/cot.json"]), "source"],
    ["two branches", crossed(7, "commit", ["main", "feature"]), "commit"],
    ["a digest that is said to be a prompt", crossed(7, "prompt_version", ["abc123f", "def456a"]), "prompt_version"],
    ["what an agent did", crossed(2, "agent_action", ["search", "reply"]), undefined],
    ["a case of a model with rows missing", crossed(3, "model", ["gpt-4", "gpt-5"]).slice(1), "model"],
    ["one value", crossed(7, "model", ["a"]), undefined],
    [
      "more values than rows of a case could be told by",
      crossed(
        2,
        "note",
        Array.from({ length: 40 }, (_, at) => `note ${"abcdefgh"[at % 8] ?? ""}${String(at)}x`),
      ),
      undefined,
    ],
    [
      "what names the stated repetitions",
      crossed(7, "host", ["alpha", "beta"]).map((row) => ({
        ...row,
        repetition: row.metadata["host"] === "alpha" ? 0 : 1,
      })),
      undefined,
    ],
    [
      "models whose repetitions are stated",
      [0, 1].flatMap((repetition) => crossed(4, "model", ["a", "b"]).map((row) => ({ ...row, repetition }))),
      "model",
    ],
  ])("%s", (_what, rows, column) => {
    expect(axisOf(rows)?.column).toBe(column);
  });

  test("is the column that others follow, and else says which are beside it", () => {
    const rows = ["a", "b"].flatMap((model) =>
      ["short", "long"].flatMap((prompt) =>
        crossed(6, "model", [model]).map(({ id }) => ({ id, metadata: { model, vendor: `of ${model}`, prompt } })),
      ),
    );
    expect(axisOf(rows)).toMatchObject({ column: "model", beside: ["prompt"], isOfScores: false });
    const pairs = rows.map(({ id, metadata }) => ({
      id,
      metadata: { ...metadata, arm: `${metadata.model} ${metadata.prompt}` },
    }));
    expect(axisOf(pairs)).toMatchObject({ column: "arm", beside: [] });
    expect(axisOf(crossed(6, "metric_name", ["tone", "truth"]))).toMatchObject({ beside: [], isOfScores: true });
  });

  test("is named with its values, cut and without line breaks", () => {
    const axis = axisOf(crossed(7, "model", ["a`b\n::error::", "x".repeat(300), "c", "d", "e", "f"]));
    expect(axis?.message).toBe(
      `\`model\` has the same 6 values in nearly every case: \`a'b ::error::\`, \`${"x".repeat(80)}…\`, \`c\`, \`d\` and 2 more; a mean over their rows says nothing of any of them`,
    );
    expect(axis?.place).toEqual({ file: "a.csv" });
  });

  test(
    "is found whatever the order of the rows, with some of them missing, among columns that are none",
    { tags: "slow" },
    () => {
      const made = fc.record({
        cases: fc.integer({ min: 8, max: 60 }),
        values: fc.uniqueArray(fc.stringMatching(/^[a-z]{3,8}$/).filter(isName), { minLength: 2, maxLength: 6 }),
        name: fc.constantFrom("model", "retriever", "setup", "variante", "x"),
        trials: fc.integer({ min: 1, max: 3 }),
        seed: fc.integer(),
      });
      fc.assert(
        fc.property(made, ({ cases, values, name, trials, seed }) => {
          const random = randomFrom(seed);
          const rows = Array.from({ length: trials }, () => crossed(cases, name, values))
            .flat()
            .map(({ id, metadata }) => ({
              id,
              metadata: {
                ...metadata,
                topic: `topic ${"abc"[id.length % 3] ?? ""}`,
                finish: random() < 0.1 ? "length" : "stop",
              },
            }));
          const shuffled = rows
            .map((row) => [random(), row] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, row]) => row);
          const axis = axisOf(shuffled.slice(Math.floor(rows.length / (20 * values.length))));
          expect(axis?.column).toBe(name);
          expect(axis?.values.toSorted()).toEqual(values.toSorted());
        }),
      );
    },
  );

  test("is not seen in what answers have, which differs from row to row", { tags: "slow" }, () => {
    const made = fc.record({
      cases: fc.integer({ min: 1, max: 200 }),
      trials: fc.integer({ min: 1, max: 10 }),
      odds: fc.double({ min: 0.02, max: 0.4, noNaN: true }),
      seed: fc.integer(),
    });
    let found = 0;
    fc.assert(
      fc.property(made, ({ cases, trials, odds, seed }) => {
        const random = randomFrom(seed);
        const finish = () => ({ finish: random() < odds ? "length" : "stop" });
        const rows = Array.from({ length: trials }, () =>
          crossed(cases, "x", ["x"]).map(({ id }) => ({ id, metadata: finish() })),
        ).flat();
        if (axisOf(rows) !== undefined) found += 1;
      }),
      { numRuns: 300, seed: 7 },
    );
    expect(found).toBeLessThanOrEqual(2);
  });

  test.each([
    { cases: 20, trials: 10, odds: 0.1 },
    { cases: 3, trials: 5, odds: 0.2 },
    { cases: 2, trials: 10, odds: 0.1 },
    { cases: 10, trials: 2, odds: 0.4 },
    { cases: 100, trials: 5, odds: 0.05 },
  ])("is not seen where a service falls back to another model: %o", { tags: "slow" }, ({ cases, trials, odds }) => {
    const random = randomFrom(11);
    let found = 0;
    for (let time = 0; time < 200; time++) {
      const rows = Array.from({ length: trials }, () =>
        crossed(cases, "x", ["x"]).map(({ id }) => ({ id, metadata: { model: random() < odds ? "small" : "large" } })),
      ).flat();
      if (axisOf(rows) !== undefined) found += 1;
    }
    expect(found).toBeLessThanOrEqual(4);
  });

  test("of more cases than are kept is found in any order", { tags: "slow" }, () => {
    const rows = crossed(5_000, "arm", ["left", "right"]);
    expect(axisOf(rows)?.column).toBe("arm");
    expect(axisOf(rows.toReversed())?.column).toBe("arm");
    expect(axisOf(rows.map(({ id, metadata }, at) => ({ id: `${id}-${String(at)}`, metadata })))).toBeUndefined();
  });
});

function isName(text: string): boolean {
  return !/^(?:true|false|yes|no|pass|fail|passed|failed|correct|incorrect|error|none|null)$/.test(text);
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
