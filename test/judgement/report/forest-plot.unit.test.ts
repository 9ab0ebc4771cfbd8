import { describe, expect, test } from "vitest";
import { forestOf } from "../../../src/judgement/report/forest-plot.ts";
import { madeJudged, type TextCase } from "./report-rig.ts";

const COUNT = 60;
const made = (accuracy: (at: number) => number, latency: (at: number) => number): readonly TextCase[] =>
  Array.from({ length: COUNT }, (_, at) => ({
    name: `c${String(at).padStart(2, "0")}`,
    scores: { accuracy: accuracy(at), latency: latency(at), words: 10 * latency(at) },
  }));

const WORDS = { words: { kind: "unbounded", direction: "lower" } } as const;
const before = made(
  () => 1,
  () => 100,
);

function plots(gates: string, now: readonly TextCase[]) {
  const { metrics, rules } = madeJudged({ now, before, gates, facts: WORDS }).judgement;
  const groups = forestOf(metrics, rules);
  const rowOf = (name: string) => {
    const metric = metrics.find((one) => one.metric === name)!;
    const row = groups.find((group) => group.metrics.includes(metric))?.rowOf(metric).text ?? "";
    const at = (pattern: RegExp) => Number(pattern.exec(row)?.[1]);
    return {
      row,
      zero: at(/class="zero" x1="([\d.]+)%"/),
      change: at(/cx="([\d.]+)%"/),
      low: at(/class="interval \w+" x1="([\d.]+)%"/),
      high: at(/class="interval \w+" x1="[\d.]+%" x2="([\d.]+)%"/),
      bound: at(/class="bound" x1="([\d.]+)%"/),
      zone: at(/class="zone" x="0" y="0" width="([\d.]+)%"/),
    };
  };
  return { groups, rowOf };
}

describe("the forest plot", () => {
  const worse = made(
    (at) => Number(at >= 9),
    (at) => 110 + (at % 7),
  );
  const gates = "accuracy not worse by 2pp\naccuracy not worse by 5pp\nlatency not worse by 20%";

  test("has harm to the left of 0, whatever is better", () => {
    const { rowOf } = plots(gates, worse);
    for (const name of ["accuracy", "latency", "words"]) {
      const { change, zero, low, high } = rowOf(name);
      expect(change).toBeLessThan(zero);
      expect(Math.min(low, high)).toBeLessThan(change);
      expect(Math.max(low, high)).toBeGreaterThan(change);
    }
    const { rowOf: better } = plots(
      "",
      made(
        () => 1,
        (at) => 90 - (at % 7),
      ),
    );
    expect(better("latency").change).toBeGreaterThan(better("latency").zero);
  });

  test("marks where more harm begins than the strictest rule allows", () => {
    const { rowOf, groups } = plots(gates, worse);
    const accuracy = rowOf("accuracy");
    const perPoint = (accuracy.zero - accuracy.change) / 15;
    expect(accuracy.zone).toBeCloseTo(accuracy.zero - 2 * perPoint, 1);
    const latency = rowOf("latency");
    expect(latency.zone).toBeLessThan(latency.low);
    expect(rowOf("words").zone).toBeNaN();
    expect(groups.map(({ hasMargin }) => hasMargin)).toEqual([true, true, false]);
    expect(accuracy.row).toContain("a rule allows −2.0 pp");
    expect(latency.row).toContain("a rule allows +20.0 %");
  });

  test("marks how bad the change may be where a rule asks for it, and says what that supposes", () => {
    const { rowOf, groups } = plots(gates, worse);
    const [accuracy, latency] = [rowOf("accuracy"), rowOf("latency")];
    expect(accuracy.bound).toBeLessThan(accuracy.change);
    expect(accuracy.row).toMatch(/; at worst −[\d.]+ pp<\/title>/);
    expect(latency.bound).toBeLessThan(latency.low);
    expect(latency.row).toMatch(/; at worst \+[\d.]+ %, as if one more case had taken 100 times as long<\/title>/);
    expect(rowOf("words").bound).toBeNaN();
    expect(groups.map(({ hasBound }) => hasBound)).toEqual([true, true, false]);
  });

  test("puts on one axis what has one unit and one direction", () => {
    const { groups } = plots(gates, worse);
    expect(groups.map(({ metrics }) => metrics.map(({ metric }) => metric))).toEqual([
      ["accuracy"],
      ["latency"],
      ["words"],
    ]);
    expect(groups[0]?.axis.text).toContain(">−10 pp<");
    expect(groups[1]?.axis.text).toContain(">+20 %<");
  });

  test("draws nothing without a comparison", () => {
    const { metrics, rules } = madeJudged({ now: worse, facts: WORDS }).judgement;
    expect(forestOf(metrics, rules).map(({ axis, rowOf }) => [axis.text, rowOf(metrics[0]!).text])).toEqual([["", ""]]);
  });

  test("marks what a rule about the plain change allows, and a change beyond it as harm", () => {
    const { rowOf, groups } = plots("accuracy drop <= 5pp\nlatency rise <= 5%", worse);
    for (const name of ["accuracy", "latency"]) {
      const { row, zone, change, zero } = rowOf(name);
      expect(change).toBeLessThan(zone);
      expect(zone).toBeLessThan(zero);
      expect(row).toContain('class="change worse"');
    }
    expect(groups.map(({ hasMargin }) => hasMargin)).toEqual([true, true, false]);
    const { rowOf: held } = plots("accuracy drop <= 20pp\nwarn: latency rise <= 5%", worse);
    expect(held("accuracy").zone).toBeLessThan(held("accuracy").change);
    for (const name of ["accuracy", "latency"]) expect(held(name).row).toContain('class="change plain"');
  });

  test("has no mark where the rule is about another number than the one that is plotted", () => {
    expect(plots("p95(latency) rise <= 1%", worse).rowOf("latency").zone).toBeNaN();
    // The mean rises by 1 in 10, and no case by more than a few percent.
    const skewed = plots(
      "latency rise <= 5%",
      made(
        () => 1,
        (at) => (at === 0 ? 100 * COUNT : 100),
      ),
    );
    expect(skewed.rowOf("latency").zone).toBeGreaterThan(0);
  });
});
