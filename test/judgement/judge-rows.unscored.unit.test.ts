import { describe, expect, test } from "vitest";
import { GatesError, judge, parseSnapshot, snapshotText } from "../../src/judgement/index.ts";
import type { ResultRow } from "../../src/judgement/index.ts";

/** Rows of 20 cases that all name a score without a number. */
const rows = (more: Partial<ResultRow> = {}) =>
  Array.from({ length: 20 }, (_, at): ResultRow => ({
    ...{ id: `q-${String(at)}`, inputs: { at }, scores: { a: 1, b: null } },
    ...{ metadata: { kind: at < 8 ? "tool" : "chat" }, ...more },
  }));

const given = (gates: string, hasBaseline: boolean) => ({
  ...{ datasetName: "qa", results: { rows: rows(), run: "2" }, gates },
  ...(hasBaseline ? { baseline: { rows: rows(), run: "1" } } : {}),
});

describe.each([false, true])("a score that no row gives a number (baseline: %s)", (hasBaseline) => {
  test("is missing in each of them", async () => {
    const of = async (gates: string) => (await judge(given(gates, hasBaseline))).judgement.rules[0];
    expect(await of("missing_scores = 0\na >= 0.9")).toMatchObject({ holds: false, found: "missing_scores is 20" });
    expect(await of("missing_scores [kind = tool] <= 8")).toMatchObject({ holds: true, found: "missing_scores is 8" });
    expect(await of("missing_scores <= 20")).toMatchObject({ holds: true });
  });

  test.each([
    "b >= 0.9",
    "b drop <= 5pp",
    "b not regressed",
    "b not worse by 5pp",
    "p95(b) <= 3",
    "b [kind = tool] > 0",
  ])("leaves a rule about it incomplete: %s", async (rule) => {
    const { judgement } = await judge(given(`${rule}\na >= 0.9\nmissing_scores <= 20`, hasBaseline));
    expect([judgement.status, judgement.rules[0]?.verdict]).toEqual(["incomplete", "incomplete"]);
    expect(judgement.rules[0]?.found).toMatch(/has no score$/);
    const warned = await judge(given(`warn: ${rule}\na >= 0.9\nmissing_scores <= 20`, hasBaseline));
    expect(warned.judgement.status).toBe("warned");
  });

  test("is a name that a rule may have, and one that is close to it is not", async () => {
    const error: unknown = await judge(given("bb >= 0.9", hasBaseline)).catch((thrown: unknown) => thrown);
    if (!(error instanceof GatesError)) expect.fail("no error");
    expect(error.faults[0]?.message).toBe("does not name a metric or a counter");
    const lower = { ...given("b rise <= 5pp", hasBaseline), directions: { b: "lower" as const } };
    expect((await judge(lower)).judgement.status).toBe("incomplete");
  });

  test("is unknown in a snapshot too", async () => {
    const { results } = await judge(given("a >= 0.9", false));
    const snapshot = parseSnapshot(snapshotText(results));
    const again = { ...given("b >= 0.9\nmissing_scores <= 20", hasBaseline), results: snapshot };
    expect((await judge(again)).judgement.rules.map(({ found }) => found)).toEqual([
      "b has no score",
      "missing_scores is 20",
    ]);
  });
});

test("the score of a measure's name is meant by the bare name where nothing was measured", async () => {
  const results = { rows: rows({ scores: { a: 1, latency: null } }) };
  const { judgement } = await judge({ datasetName: "qa", results, gates: "latency <= 3" });
  expect(judgement.rules[0]?.found).toBe('"latency" has no score');
});
