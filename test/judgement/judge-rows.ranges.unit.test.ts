import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ArgumentsError, judge, parseSnapshot, ResultsError, snapshotText } from "../../src/judgement/index.ts";
import { parseRanges } from "../../src/judgement/gates/range-lines.ts";
import type { JudgeArguments, ResultRow } from "../../src/judgement/index.ts";

interface Value {
  readonly id: string;
  readonly what: string;
  readonly input: {
    readonly baseline: readonly number[];
    readonly current: readonly number[];
    readonly direction: "higher" | "lower";
    readonly margin: number;
    readonly range?: readonly [number, number];
    readonly clusters?: readonly string[];
    readonly ceiling?: number;
  };
  readonly expected: { readonly bound?: number; readonly worst?: number; readonly outcome: string };
}

const VALUES = (
  JSON.parse(readFileSync(new URL("../statistics/judgement-values.json", import.meta.url), "utf8")) as {
    readonly cases: readonly Value[];
  }
).cases.filter(({ what }) => what.startsWith("not-worse"));

const rowsOf = (values: readonly number[], of: (value: number, at: number) => Partial<ResultRow>) => ({
  rows: values.map((value, at): ResultRow => ({ id: `c-${String(at)}`, inputs: { at }, ...of(value, at) })),
});
const scored =
  (name: string, clusters?: readonly string[]) =>
  (value: number, at: number): Partial<ResultRow> => ({
    scores: { [name]: value },
    metadata: clusters === undefined ? {} : { document: clusters[at] ?? "" },
  });

/** A judgement by one rule, against a baseline. */
async function judged(
  now: readonly number[],
  before: readonly number[],
  gates: string,
  { name = "m", ...more }: Partial<JudgeArguments> & { readonly name?: string } = {},
) {
  const of = scored(name);
  return await judge({ results: rowsOf(now, of), baseline: rowsOf(before, of), gates, datasetName: "qa", ...more });
}

const repeat = (value: number, count: number) => new Array<number>(count).fill(value);

describe("each value of the bound, in a whole judgement", () => {
  test.each(VALUES.filter(({ id }) => !id.startsWith("ratio-ceiling-broken")))(
    "$id",
    async ({ what, input, expected }) => {
      const { baseline, current, direction, margin, range, clusters, ceiling } = input;
      const isTime = what === "not-worse-ratio";
      const of = isTime ? (value: number) => ({ latencyMilliseconds: value }) : scored("m", clusters);
      const [name, by] = isTime ? ["latency", `${String(margin * 100)}%`] : ["m", String(margin)];
      const [low, high] = range ?? (ceiling === undefined ? [] : [0, ceiling]);
      const run = judge({
        ...{ results: rowsOf(current, of), baseline: rowsOf(baseline, of), datasetName: "qa" },
        ...{ gates: `${name} not worse by ${by}`, cluster: clusters === undefined ? undefined : "document" },
        ...(isTime ? {} : { directions: { m: direction } }),
        ...(low === undefined || high === undefined ? {} : { ranges: { [name]: { min: low, max: high } } }),
      });
      if (expected.outcome === "error") {
        await expect(run).rejects.toThrow(ResultsError);
        return;
      }
      const { judgement } = await run;
      const [rule] = judgement.rules;
      const { comparison } = judgement.metrics.find(({ metric }) => metric === name)!;
      if (expected.outcome === "incomplete") {
        expect(rule).toMatchObject({ holds: false, verdict: "incomplete" });
        expect(rule?.advice).toContain("declare the range");
        expect(comparison?.bound).toBeUndefined();
        return;
      }
      expect(rule?.holds).toBe(expected.outcome === "holds");
      const { bound = 0 } = expected;
      expect(Math.abs((comparison?.bound ?? Number.NaN) - bound)).toBeLessThanOrEqual(
        1e-9 * Math.max(1, Math.abs(bound)),
      );
      if (expected.worst !== undefined) expect(comparison?.worst?.loss).toBe(expected.worst);
      expect(rule?.found).toMatch(/; at worst .*, as if one more (?:case|cluster) had /);
    },
  );

  test("a time above its ceiling is an error", async () => {
    const [{ input }] = VALUES.filter(({ id }) => id === "ratio-ceiling-broken") as [Value];
    const of = (value: number) => ({ latencyMilliseconds: value });
    await expect(
      judge({
        ...{ results: rowsOf(input.current, of), baseline: rowsOf(input.baseline, of), datasetName: "qa" },
        ...{ gates: "latency not worse by 10%", ranges: { latency: { min: 0, max: 10_000 } } },
      }),
    ).rejects.toThrow(/the case `c-71` has 10001 for `latency`, outside of its range 0 to 10,000/);
  });
});

describe("the worst loss", () => {
  test.each([
    ["of marks is what the best case had", repeat(5, 80), "m not worse by 0.2", {}, "lost everything (0 to 5)"],
    ["of shares is 1", repeat(0.9, 80), "m not worse by 5pp", {}, "lost everything (0 to 1)"],
    ["of cosines is 2", [...repeat(0.9, 80), -0.1], "m not worse by 20pp", {}, "lost everything (-1 to 1)"],
    [
      ...["of a declared range is its width", repeat(5, 80), "m not worse by 0.2"],
      ...[{ ranges: { m: { min: 1, max: 5 } } }, "lost everything (1 to 5)"],
    ],
  ] as const)("%s", async (_what, values, gates, more, text) => {
    const { judgement } = await judged(values, values, gates, more);
    expect(judgement.rules[0]?.found).toContain(`as if one more case had ${text}`);
  });

  test.each([
    ["latency", "taken 100 times as long"],
    ["cost", "cost 100 times as much"],
  ])("of %s is a factor of 100", async (name, text) => {
    const of = () => (name === "latency" ? { latencyMilliseconds: 800 } : { metadata: { cost: 0.02 } });
    const run = () => rowsOf(repeat(1, 150), of);
    const gates = `${name} not worse by 10%`;
    const { judgement } = await judge({ results: run(), baseline: run(), gates, datasetName: "qa" });
    expect(judgement.status).toBe("passed");
    expect(judgement.rules[0]?.found).toContain(`as if one more case had ${text}`);
  });

  test("one value of 1.0000001 is 1, and takes no range away", async () => {
    const values = [1.000_000_1, ...repeat(0.9, 79)];
    const { judgement, results } = await judged(values, values, "m not worse by 5pp");
    expect(judgement).toMatchObject({ status: "passed", metrics: [{ facts: { kind: "bounded", low: 0, high: 1 } }] });
    expect(Math.max(...[...results.cases].map(({ trials }) => trials[0]?.values[0] ?? 0))).toBe(1);
    // Of yes or no it takes no kind away either.
    const flags = [1.000_000_1, ...repeat(0, 9), ...repeat(1, 70)];
    expect((await judged(flags, flags, "m not worse by 5pp")).judgement.metrics[0]?.facts.kind).toBe("binary");
  });

  test.each([
    ["less is better, and nothing bounds it", repeat(4, 80), { directions: { m: "lower" } }, "m = 0..50"],
    ["a value is below 0", [-3, ...repeat(7, 79)], {}, "m = -10..10"],
  ] as const)("where %s, is not known: the line to add is in the sentence", async (_what, values, more, line) => {
    const { judgement } = await judged(values, values, "m not worse by 0.5", more);
    expect(judgement).toMatchObject({ status: "incomplete", rules: [{ holds: false, verdict: "incomplete" }] });
    expect(judgement.rules[0]?.advice).toContain(`declare the range of its values`);
    expect(judgement.rules[0]?.advice).toContain(`as in \`ranges: ${line}\`.`);
    expect(judgement.headline).toMatch(
      /^Incomplete: m is as before on 80 cases, and `m not worse by 0.5` cannot be judged\. /,
    );
  });

  test("of a cost that is 0 in one case is not known, unless a range is declared", async () => {
    const of = (cost: number) => ({ metadata: { cost } });
    const costs = [0, ...repeat(0.5, 99)];
    const run = (ranges?: JudgeArguments["ranges"]) =>
      judge({
        ...{ results: rowsOf(costs, of), baseline: rowsOf(costs, of), datasetName: "qa" },
        ...{ gates: "cost not worse by 10%", ranges },
      });
    expect((await run()).judgement.rules[0]).toMatchObject({ verdict: "incomplete" });
    expect((await run({ cost: { min: 0, max: 1 } })).judgement).toMatchObject({
      ...{ status: "passed", metrics: [{ comparison: { worst: { loss: 1, from: "range" } } }] },
    });
  });
});

describe("a declared range", () => {
  const values = repeat(5, 80);
  const gates = "m not worse by 0.2";

  test("that is given holds for both sides, and is in the snapshot", async () => {
    const { judgement, results } = await judged(values, values, gates, { ranges: { m: { min: 1, max: 5 } } });
    expect(judgement.metrics[0]?.comparison?.worst).toEqual({ loss: 4, from: "range" });
    const stored = parseSnapshot(snapshotText(results));
    expect(stored.metrics.get("m")).toMatchObject({ kind: "bounded", low: 1, high: 5, isRangeDeclared: true });
    // Against it a run that declares nothing has the same range, and a plain snapshot has none.
    const again = await judged(values, values, gates, { baseline: stored });
    expect(again.judgement.metrics[0]?.comparison?.worst).toEqual({ loss: 4, from: "range" });
    const plain = parseSnapshot(snapshotText((await judged(values, values, gates)).results));
    const given = await judged(values, values, gates, { baseline: plain, ranges: { m: { min: 1, max: 5 } } });
    expect(given.judgement.metrics[0]?.comparison?.worst).toEqual({ loss: 4, from: "range" });
    expect(given.judgement.warnings.filter((text) => text.includes("range"))).toEqual([]);
  });

  test("of a time is in the snapshot too, as the most that it may be", async () => {
    const of = () => ({ latencyMilliseconds: 1000 });
    const run = () => rowsOf(repeat(1, 100), of);
    const given = {
      gates: "latency not worse by 10%",
      datasetName: "qa",
      ranges: { latency: { min: 0, max: 10_000 } },
    };
    const { judgement, results } = await judge({ results: run(), baseline: run(), ...given });
    expect(judgement.metrics[0]?.comparison?.worst).toEqual({ loss: Math.log(10), from: "ceiling" });
    expect(judgement.rules[0]?.found).toContain("as if one more case had taken 10 times as long (10 s)");
    expect(parseSnapshot(snapshotText(results)).metrics.get("latency")).toMatchObject({
      kind: "positive",
      high: 10_000,
    });
  });

  test.each([
    ["above", 5.1, "m"],
    ["below", 0.9, "m"],
  ])("is an error for a value %s it, which names the case and the value", async (_what, value, name) => {
    const ranges = { m: { min: 1, max: 5 } };
    const wrong = values.with(3, value);
    for (const [now, before, whose] of [
      [wrong, values, ""],
      [values, wrong, " of the baseline"],
    ] as const) {
      await expect(judged(now, before, gates, { ranges })).rejects.toThrow(
        `the case \`c-3\`${whose} has ${String(value)} for \`${name}\`, outside of its range 1 to 5`,
      );
    }
  });

  test("is an error for a value of an anchor, which says whose it is", async () => {
    const anchor = rowsOf(values.with(3, 7), scored("m"));
    await expect(judged(values, values, gates, { anchor, ranges: { m: { min: 1, max: 5 } } })).rejects.toThrow(
      "the case `c-3` of the anchor has 7 for `m`, outside of its range 1 to 5",
    );
  });

  test("reports all values outside at once, in the order of their rows", async () => {
    const wrong = [6, 7, 8, 9, 10, 11, ...values];
    const error: unknown = await judged(wrong, values, gates, { ranges: { m: { min: 1, max: 5 } } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ResultsError);
    expect(error).toMatchObject({ count: 6 });
    const rows = [...String(error).matchAll(/row (\d+)/g)].map(([, row]) => Number(row));
    expect(rows).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("takes a value that rounding brought over its end as the end", async () => {
    const near = values.with(3, 5.000_003);
    const { results } = await judged(near, values, gates, { ranges: { m: { min: 1, max: 5 } } });
    expect(Math.max(...[...results.cases].map(({ trials }) => trials[0]?.values[0] ?? 0))).toBe(5);
    await expect(
      judged(values.with(3, 5.000_005), values, gates, { ranges: { m: { min: 1, max: 5 } } }),
    ).rejects.toThrow("outside");
  });

  test("that is given counts above that of a baseline, with a warning", async () => {
    const { results: stored } = await judged(values, values, gates, { ranges: { m: { min: 1, max: 5 } } });
    const { judgement } = await judged(values, values, gates, { baseline: stored, ranges: { m: { min: 0, max: 10 } } });
    expect(judgement.metrics[0]?.comparison?.worst).toEqual({ loss: 10, from: "range" });
    expect(judgement.warnings).toContain(
      "The range of `m` is 0 to 10 as given, and 1 to 5 in the baseline: the given one counts.",
    );
  });

  test("of a name that no metric has is an error", async () => {
    const run = judged(values, values, gates, { ranges: { n: { min: 1, max: 5 } } });
    await expect(run).rejects.toThrow(ArgumentsError);
    await expect(run).rejects.toThrow(`\`ranges\`: "n" is not a metric; did you mean \`m\`?`);
  });

  test.each([
    [{ min: 5, max: 1 }],
    [{ min: 1, max: 1 }],
    [{ min: 0, max: Number.NaN }],
    [{ min: 0, max: Infinity }],
    [{ min: 0 }],
  ])("%j is none", async (range) => {
    await expect(judged(values, values, gates, { ranges: { m: range as never } })).rejects.toThrow(ArgumentsError);
  });
});

describe("a rule that not even equal cases could meet is open", () => {
  test.each([
    ["yes or no", repeat(1, 20), "m not worse by 5pp", "59 cases", "m not worse by 14pp"],
    ["shares", repeat(0.9, 20), "m not worse by 0.05", "59 cases", "m not worse by 14pp"],
    ["marks", repeat(5, 20), "m not worse by 0.2", "74 cases", "m not worse by 0.7"],
    ["a part of marks", repeat(5, 20), "m not worse by 4%", "74 cases", "m not worse by 14%"],
  ])("%s", async (_what, values, gates, needed, wider) => {
    const { judgement } = await judged(values, values, gates);
    expect(judgement).toMatchObject({ status: "incomplete", verdict: "incomplete" });
    expect(judgement.rules[0]?.advice).toBe(
      `20 cases cannot show this, even if nothing changed: use at least ${needed}, or write \`${wider}\`.`,
    );
    expect((await judged(values, values, wider)).judgement.status).toBe("passed");
    const many = repeat(values[0] ?? 0, Number.parseInt(needed, 10));
    expect((await judged(many, many, gates)).judgement.status).toBe("passed");
    expect((await judged(many.slice(1), many.slice(1), gates)).judgement.status).toBe("incomplete");
  });

  test("clusters are counted, the largest imagined", async () => {
    const clusters = Array.from({ length: 100 }, (_, at) => `d${String(at % 20)}`);
    const run = () => rowsOf(repeat(1, 100), scored("m", clusters));
    const { judgement } = await judge({
      ...{ results: run(), baseline: run(), datasetName: "qa", cluster: "document", gates: "m not worse by 5pp" },
    });
    expect(judgement.rules[0]?.advice).toBe(
      "20 clusters cannot show this, even if nothing changed: use at least 59 clusters, or write `m not worse by 14pp`.",
    );
  });

  test("a margin in parts of a mean of 0 is answered by one in its own unit", async () => {
    const values = [...repeat(-0.5, 10), ...repeat(0.5, 10)];
    const { judgement } = await judged(values, values, "m not worse by 5%");
    expect(judgement.rules[0]?.advice).toContain("write `m not worse by 0.28`");
  });

  test("a margin of more than the best case had is a warning: no result can break it", async () => {
    const { judgement } = await judged(repeat(4, 20), repeat(5, 20), "m not worse by 6");
    expect(judgement.rules[0]).toMatchObject({ holds: true });
    expect(judgement.warnings).toContain(
      "The rule `m not worse by 6` can be broken by no result here, as no case of the baseline has more than 5: write a smaller margin.",
    );
  });

  test("but harm that is shown stays a regression, and a proof stays one", async () => {
    const [passed, failed] = [repeat(1, 20), [...repeat(0, 10), ...repeat(1, 10)]];
    expect((await judged(failed, passed, "m not worse by 5pp")).judgement).toMatchObject({ verdict: "regressed" });
    expect((await judged(passed, failed, "m not worse by 5pp")).judgement).toMatchObject({ status: "passed" });
  });

  test("a warning of it is one, and not an incomplete judgement; the wider rule warns too", async () => {
    const { judgement } = await judged(repeat(1, 20), repeat(1, 20), "warn: m not worse by 5pp");
    expect(judgement).toMatchObject({ status: "warned", rules: [{ verdict: "incomplete" }] });
    expect(judgement.rules[0]?.advice).toContain("or write `warn: m not worse by 14pp`.");
  });
});

describe("what is found beside a bound", () => {
  test("the line for a score with the name of what is measured is about the score", async () => {
    const of = (value: number) => ({ scores: { latency: -value }, latencyMilliseconds: 100 + value });
    const values = [...repeat(0, 25), ...repeat(4, 25)];
    const run = (ranges: JudgeArguments["ranges"]) =>
      judge({
        ...{ results: rowsOf(values, of), baseline: rowsOf(values, of), datasetName: "qa" },
        ...{ gates: '"latency" not worse by 1', ranges },
      });
    const [, line = ""] = /`ranges: (.*)`/.exec((await run({})).judgement.rules[0]?.advice ?? "") ?? [];
    const read = parseRanges(line);
    if (!read.ok) throw new Error(read.faults.join("; "));
    const ranges = Object.fromEntries([...read.ranges].map(([name, { low: min, high: max }]) => [name, { min, max }]));
    expect((await run(ranges)).judgement.rules[0]).toMatchObject({ holds: true, verdict: "not worse" });
  });

  test("a baseline in which no case has anything to lose says so", async () => {
    const { judgement } = await judged([...repeat(0, 49), 3], repeat(0, 50), "m not worse by 0.1");
    expect(judgement.rules[0]).toMatchObject({ holds: true });
    expect(judgement.rules[0]?.found).toMatch(
      /, p 1\.00; nothing can get worse, as every case has the worst score in the baseline$/,
    );
  });

  test("a time that is compared as a difference has its unit", async () => {
    const time = (latencyMilliseconds: number) => ({ latencyMilliseconds });
    const values = [0, ...repeat(800, 199)];
    const { judgement } = await judge({
      ...{ results: rowsOf(values, time), baseline: rowsOf(values, time), datasetName: "qa" },
      ...{ gates: "latency not worse by 400ms", ranges: { latency: { min: 0, max: 20_000 } } },
    });
    expect(judgement.rules[0]?.found).toContain("; at worst +298 ms, as if one more case had lost everything");
  });

  test("the change at worst is left out where the baseline lacks a score that nothing limits", async () => {
    const values = repeat(3, 200);
    const one = (value: number, at: number) => (at === 0 ? {} : scored("m")(value, at));
    const run = { results: rowsOf(values, scored("m")), baseline: rowsOf(values, one), datasetName: "qa" };
    const { judgement } = await judge({ ...run, gates: "m not worse by 0.5" });
    expect(judgement.rules[0]).toMatchObject({ holds: false, verdict: "incomplete" });
    expect(judgement.rules[0]?.found).toContain("as 1 of 200 pairs lacks a score");
    expect(judgement.rules[0]?.found).not.toContain("it changed by");
  });
});
