import { describe, expect, test } from "vitest";
import { GatesError, judge, parseSnapshot, snapshotText } from "../../src/judgement/index.ts";
import type { JudgeArguments, ResultRow } from "../../src/judgement/index.ts";

type Scores = NonNullable<ResultRow["scores"]>;

/** Rows of 20 cases, each of which took so many seconds. */
function run(seconds: number | undefined, scores: Scores, more: Partial<ResultRow> = {}) {
  const latencyMilliseconds = seconds === undefined ? undefined : seconds * 1000;
  return {
    rows: Array.from({ length: 20 }, (_, at): ResultRow => ({
      ...{ id: `q-${String(at)}`, inputs: { at }, scores, latencyMilliseconds },
      ...more,
    })),
  };
}

const judged = async (given: Partial<JudgeArguments> & Pick<JudgeArguments, "results">) =>
  (await judge({ datasetName: "qa", ...given })).judgement;

async function faultsOf(given: Partial<JudgeArguments> & Pick<JudgeArguments, "results">): Promise<string> {
  try {
    await judged(given);
  } catch (error) {
    if (error instanceof GatesError) {
      return error.faults.map(({ message, hint = "" }) => `${message}; ${hint}`).join("\n");
    }
    throw error;
  }
  return "";
}

// With a baseline and without one, in a part and in all cases.
const DOORS: readonly (readonly [what: string, part: string, hasBaseline: boolean])[] = [
  ["all cases, without a baseline", "", false],
  ["all cases, with a baseline", "", true],
  ["a part, without a baseline", " [kind = slow]", false],
  ["a part, with a baseline", " [kind = slow]", true],
];

describe.each(DOORS)("%s", (_what, part, hasBaseline) => {
  const metadata = { kind: "slow" };
  const given = (results: ReturnType<typeof run>, gates: string) => ({
    ...{ results, gates },
    ...(hasBaseline ? { baseline: { rows: [...results.rows] } } : {}),
  });

  test("a bare name is what was measured, although a score has the name", async () => {
    const results = run(45, { latency: 2, correct: 1 }, { metadata });
    const { status, rules } = await judged(given(results, `p95(latency)${part} <= 3s\n"latency"${part} <= 3`));
    expect(status).toBe("failed");
    expect(rules.map(({ holds }) => holds)).toEqual([false, true]);
    expect(rules[0]?.found).toContain('is 45 s on 20 rows (as measured; the score of this name is `"latency"`)');
    expect(rules[1]?.found).toContain("on 20 cases (the score; what was measured is `latency` without quotes)");
  });

  test("a name that only a score has, under a unit of time or money, is an error that offers the quotes", async () => {
    const results = run(undefined, { latency: 2, cost: 0.01 }, { metadata });
    expect(await faultsOf(given(results, `p95(latency)${part} <= 3s`))).toContain('write "latency" in quotes');
    expect(await faultsOf(given(results, `cost${part} <= $0.05`))).toContain('write "cost" in quotes');
    const { status, rules } = await judged(given(results, `"latency"${part} <= 3\nlatency${part} <= 1\n"cost" <= 1`));
    expect([status, rules.map(({ holds }) => holds)]).toEqual(["failed", [true, false, true]]);
    expect(rules[1]?.found).toContain('"latency"');
  });

  test("a bare counter is the counter, although a score has the name, and the line says so", async () => {
    const results = run(1, { errors: 0.9, error_rate: 0.9, rows: 0.9, newly_failing: 1 }, { metadata });
    const { rules } = await judged(
      given(
        results,
        `errors${part} = 0\nerror_rate${part} <= 1%\nrows${part} = 20\n"errors"${part} >= 0.5\n"rows"${part} < 1`,
      ),
    );
    expect(rules.map(({ holds }) => holds)).toEqual([true, true, true, true, true]);
    expect(rules.map(({ found }) => found)).toEqual([
      'errors is 0 (the counter; the score of this name is `"errors"`)',
      'error_rate is 0 % (the counter; the score of this name is `"error_rate"`)',
      'rows is 20 (the counter; the score of this name is `"rows"`)',
      expect.stringContaining("(the score; the counter is `errors` without quotes)"),
      expect.stringContaining("(the score; the counter is `rows` without quotes)"),
    ]);
  });

  test.each(["contradiction", "retries", "price", "within_latency", "exact_match_tokens"])(
    "%s is not compared until a direction is given",
    { tags: "slow" },
    async (name) => {
      for (const value of [1, 0.5, 3]) {
        const results = run(1, { [name]: value }, { metadata });
        for (const test of ["drop <= 0.1", "rise <= 0.1", "not regressed", "not worse by 5%"]) {
          const gates = `${name}${part} ${test}`;
          expect(await faultsOf(given(results, gates))).toContain(`give its direction, \`${name}: lower\``);
        }
        expect(await faultsOf(given(results, `${name}${part} <= 5`))).not.toContain("direction");
        expect(
          await faultsOf({ ...given(results, `${name}${part} not regressed`), directions: { [name]: "lower" } }),
        ).toBe("");
      }
    },
  );
});

test("cases newly fail by a score whose direction is not known only once it is given", async () => {
  const [results, baseline] = [run(1, { contradiction: 0 }), run(1, { contradiction: 1 })];
  for (const counter of ["newly_failing", "newly_flaky"]) {
    for (const given of [{ results, baseline }, { results }]) {
      const fault = await faultsOf({ ...given, gates: `${counter} = 0` });
      expect(fault).toContain("`contradiction`");
      expect(fault).toContain("`contradiction: lower`");
    }
  }
  const failing = async (direction: "higher" | "lower") =>
    (await judged({ results, baseline, gates: "newly_failing = 0", directions: { contradiction: direction } }))
      .rules[0];
  expect(await failing("lower")).toMatchObject({ holds: true });
  expect(await failing("higher")).toMatchObject({ holds: false, found: "newly_failing is 20" });
});

test("beside other yes/no scores one whose direction is not known is named in a warning", async () => {
  for (const counter of ["newly_failing", "newly_flaky"]) {
    const scores = { contradiction: 0, correct: 1 };
    const [results, baseline] = [run(1, scores), run(2, scores)];
    const { status, warnings } = await judged({ results, baseline, gates: `${counter} = 0` });
    expect(status).toBe("passed");
    expect(warnings).toContainEqual(
      expect.stringMatching(
        /^The rule `newly_\w+ = 0` counts by .*: `contradiction`\. 1 is taken as better\. .*`contradiction: lower`/,
      ),
    );
    const directions = { contradiction: "lower" } as const;
    expect((await judged({ results, baseline, gates: `${counter} = 0`, directions })).warnings).toEqual([]);
    expect((await judged({ results, baseline, gates: "rows >= 1" })).warnings).toEqual([]);
  }
});

test("what was measured and the score of its name are compared each with its own, also over a snapshot", async () => {
  const before = await judge({ results: run(1, { latency: 0.5 }), datasetName: "qa" });
  const stored = parseSnapshot(snapshotText(before.results));
  expect([...stored.metrics]).toEqual([...before.results.metrics]);
  expect([...stored.metrics.keys()]).toEqual(['"latency"', "latency"]);
  const { rules } = await judged({
    results: run(3, { latency: 0.25 }),
    baseline: stored,
    gates: 'latency rise <= 10%\n"latency" rise <= 10%',
  });
  expect(rules.map(({ holds }) => holds)).toEqual([false, true]);
  expect(rules[0]?.found).toContain("latency went from 1 s to 3 s");
  expect(rules[1]?.found).toContain('"latency" went from 0.5 to 0.25');
});

test("a metric that was measured in the baseline is missing, although a score has its name now", async () => {
  const { status, gaps } = await judged({
    results: run(undefined, { latency: 1 }),
    baseline: run(1, { latency: 1 }),
    gates: "latency not regressed",
  });
  expect(status).toBe("incomplete");
  expect(gaps.map(({ kind }) => kind)).toContain("lost-metric");
});

test("a score that is missing is missed under its own name, although the time was measured", async () => {
  const { rows } = run(1, { latency: 0.5, correct: 1 });
  const results = { rows: rows.map((row, at) => (at < 6 ? { ...row, scores: { latency: null, correct: 1 } } : row)) };
  const { status, rules } = await judged({ results, gates: '"latency" <= 0.6\nlatency <= 3s' });
  expect(status).toBe("incomplete");
  expect(rules).toMatchObject([{ verdict: "incomplete" }, { holds: true }]);
});

test("each metric says which direction is better, and where that comes from", async () => {
  const { metrics } = await judged({
    results: run(1, { correct: 1, tone: 0.5, contradiction: 0.5, wer: 0.1, given: 0.4, latency: 0.3 }),
    directions: { given: "lower" },
  });
  const shown = metrics.map(({ metric, facts: { direction, directionFrom, isDirectionUnsure } }) => {
    return [metric, direction, directionFrom, ...(isDirectionUnsure === true ? ["unsure"] : [])];
  });
  expect(shown).toEqual([
    ['"latency"', "lower", "name"],
    ["contradiction", "higher", "assumed", "unsure"],
    ["correct", "higher", "name"],
    ["given", "lower", "given"],
    ["latency", "lower", "measured"],
    ["tone", "higher", "assumed"],
    ["wer", "lower", "name"],
  ]);
});

describe("a direction of a name that a score and a measure share", () => {
  test("is that of the score in quotes, or where nothing of that name is measured", async () => {
    for (const [seconds, name] of [
      [1, '"latency"'],
      [undefined, '"latency"'],
      [undefined, "latency"],
    ] as const) {
      const given = { results: run(seconds, { latency: 0.5 }), directions: { [name]: "higher" } } as const;
      const { metrics } = await judged(given);
      expect(metrics.find(({ metric }) => metric === '"latency"')?.facts.direction).toBe("higher");
    }
  });

  test("is not that of the score without quotes where both are there", async () => {
    const given = { results: run(1, { latency: 0.5 }), directions: { latency: "higher" } } as const;
    await expect(judged(given)).rejects.toThrow(
      '"latency" is measured, and less of it is better; the score of this name is `"latency"`, with the quotes',
    );
  });

  test("that is misspelt is told before the rule that waits for it", async () => {
    const given = { results: run(1, { leak: 0.5 }), baseline: run(1, { leak: 0.5 }), gates: "leak not regressed" };
    await expect(judged({ ...given, directions: { Leak: "lower" } })).rejects.toThrow(
      '`directions`: "Leak" is not a metric; did you mean `leak`?',
    );
  });

  test("cannot turn around what is measured", async () => {
    const given = { results: run(1, { correct: 1 }), directions: { latency: "higher" } } as const;
    await expect(judged(given)).rejects.toThrow('"latency" is measured, and less of it is better');
    expect((await judged({ ...given, directions: { latency: "lower" } })).status).toBe("bootstrap");
  });
});

test("tokens that a cache had count", async () => {
  const usage = {
    input_tokens: 1,
    output_tokens: 67,
    cache_creation_input_tokens: 287,
    cache_read_input_tokens: 30_433,
  };
  const { rules } = await judged({ results: run(1, { correct: 1 }, { usage }), gates: "max(tokens) <= 1000" });
  expect(rules[0]).toMatchObject({ holds: false, found: "max(tokens) is 30,788 on 20 rows" });
});

describe("a snapshot of the version before, which kept a score in place of what was measured", () => {
  /** The header and the cases as that version wrote them: the score under the field of the measure. */
  async function before(scores: Scores): Promise<string> {
    const { results } = await judge({ results: run(2, scores), datasetName: "qa" });
    return snapshotText(results)
      .replace("snapshot@2", "snapshot@1")
      .replace(/,"readings":\{[^}]*\}/, "")
      .replaceAll(/,"(?:start|unscored|direction_from)":(?:"[^"]*"|\[[^\]]*\]|\{[^}]*\}|\d+)/g, "");
  }

  test("is compared with that score where the run has nothing else of that name", async () => {
    const baseline = parseSnapshot(await before({ correct: 1 }));
    const { gaps, rules } = await judged({
      ...{ results: run(undefined, { correct: 1, latency: 2_000 }), baseline, gates: '"latency" rise <= 10%' },
    });
    expect(gaps).toEqual([]);
    expect(rules[0]).toMatchObject({ holds: true });
  });

  test("is compared with what was measured where the run has that", async () => {
    const baseline = parseSnapshot(await before({ correct: 1 }));
    const { gaps, rules } = await judged({ results: run(3, { correct: 1 }), baseline, gates: "latency rise <= 10%" });
    expect(gaps).toEqual([]);
    expect(rules[0]).toMatchObject({ holds: false });
  });

  test("has a score where no time is such: yes or no, or more is better", async () => {
    const text = (await before({ correct: 1 })).replace(
      /\{"name":"latency"[^}]*\}/,
      '{"name":"latency","kind":"unbounded","direction":"higher"}',
    );
    expect([...parseSnapshot(text).metrics.keys()]).toEqual(['"latency"', "correct"]);
  });
});
