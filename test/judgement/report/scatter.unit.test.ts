import { describe, expect, test } from "vitest";
import { chartedMetrics } from "../../../src/judgement/report/charted-metric.ts";
import { distributionOf, latencyCurveOf } from "../../../src/judgement/report/distribution.ts";
import { scatterOf } from "../../../src/judgement/report/scatter.ts";
import { markup } from "../../../src/pages/markup.ts";
import { Random } from "../../../bench/text.ts";
import { textOf } from "../../local/page-cards.ts";
import { madeJudged, type TextCase } from "./report-rig.ts";

const FACTS = { quality: { kind: "bounded", low: 0, high: 1, direction: "higher" } } as const;

function charted(pairs: readonly (readonly [before: number, now: number])[], metric = "ok") {
  const side = (at: 0 | 1): readonly TextCase[] =>
    pairs.map((pair, number) => ({ name: `c${String(number)}`, scores: { [metric]: pair[at] } }));
  return chartedMetrics(madeJudged({ now: side(1), before: side(0), facts: FACTS }))[0]!;
}

const random = new Random(3);
const many = Array.from({ length: 2_000 }, () => [random.fraction(), random.fraction()] as const);

describe("baseline against now", () => {
  test("is a bubble with a count for each place, where there are few", () => {
    const found = scatterOf(
      charted([
        [1, 1],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ]),
    ).text;
    expect(found.match(/<circle/g)).toHaveLength(4);
    expect(textOf(found)).toContain("1 worse , 1 better , 3 the same");
    expect(found).toMatch(/<circle class="spot worse"[^>]*>\s*<text class="count"[^>]*>1</);
  });

  test("names the sides of the diagonal by what is better", () => {
    const side = (metric: string) =>
      /class="corner (\w+)"/.exec(
        scatterOf(
          charted(
            [
              [100, 120],
              [90, 90],
            ],
            metric,
          ),
        ).text,
      )?.[1];
    expect([side("quality"), side("latency")]).toEqual(["better", "worse"]);
  });

  test("is a few paths for many places", () => {
    const found = scatterOf(charted(many, "quality")).text;
    expect(found).not.toContain("<circle");
    expect(found.match(/<path class="dots/g)!.length).toBeLessThanOrEqual(12);
    expect(found.length).toBeLessThan(40_000);
  });

  test("is not there without pairs", () => {
    expect(scatterOf({ ...charted([[1, 1]]), pairs: [] }).text).toBe("");
  });
});

describe("the distribution", () => {
  test("has the share of each bin on both sides", () => {
    const found = distributionOf(charted(many, "quality")).text;
    expect(found).toContain("now");
    expect(found).toMatch(/class="area baseline" d="M\S+/);
    expect(/class="line now" d="([^"]*)"/.exec(found)![1]!.match(/H/g)).toHaveLength(20);
    expect(textOf(found)).toContain("mean min p50 p90 p95 p99");
  });

  test("is left out for yes and no", () => {
    expect(
      distributionOf(
        charted([
          [1, 0],
          [0, 0],
        ]),
      ),
    ).toEqual(markup``);
  });
});

describe("the curve of a latency", () => {
  test("rises to all cases, in no more steps than can be seen", () => {
    const found = latencyCurveOf(
      charted(
        many.map(([a, b]) => [100 + 900 * a, 100 + 900 * b]),
        "latency",
      ),
    ).text;
    const line = /class="line now" d="([^"]*)"/.exec(found)?.[1] ?? "";
    expect(line.match(/V/g)!.length).toBeLessThanOrEqual(301);
    expect(line).toMatch(/V24$/);
  });

  test("is left out for one case", () => {
    expect(latencyCurveOf(charted([[100, 100]], "latency")).text).toBe("");
  });
});
