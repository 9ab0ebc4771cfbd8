import { expect, test } from "vitest";
import { badgesOf } from "../../../src/judgement/words/standing.ts";
import { baselineOf, caseSet, judged, yesNo } from "../rig.ts";

const passed = (count: number) => caseSet(yesNo(Array.from({ length: 100 }, (_, at) => Number(at < count))));

function badges(gates: string, now: number, before = 90): readonly string[] {
  const judgement = judged(passed(now), baselineOf(passed(before)), gates);
  const [metric] = judgement.metrics;
  return metric === undefined ? [] : badgesOf(metric, judgement.rules).map(({ text, tone }) => `${text} (${tone})`);
}

test.each([
  ["correct drop <= 1pp", 80, ["rule broken (bad)"]],
  ["correct drop <= 20pp", 80, []],
  ["correct >= 0.85", 80, ["rule broken (bad)"]],
  ["warn: correct drop <= 1pp", 80, ["rule warns (warn)"]],
  ["warn: correct drop <= 1pp\ncorrect >= 0.85", 80, ["rule broken (bad)"]],
  ["correct not regressed\ncorrect drop <= 1pp", 80, ["regressed (bad)"]],
  ["correct not regressed\ncorrect drop <= 1pp", 87, ["too few (neutral)", "rule broken (bad)"]],
  ["correct not regressed", 99, ["improved (good)"]],
  ["errors = 0", 80, []],
] as const)("%s, from 90 to %d of 100, has the badges %j", (gates, now, texts) => {
  expect(badges(gates, now)).toEqual(texts);
});

test("a metric on another scale has not improved, and its rules are not judged", () => {
  const tone = (value: number) =>
    caseSet(
      Array.from({ length: 30 }, (_, at) => ({ name: `c${String(at)}`, scores: { tone: value * (1 + at / 100) } })),
      { tone: { kind: "unbounded", direction: "higher" } },
    );
  const judgement = judged(tone(60), baselineOf(tone(0.6)), "tone not regressed\ntone drop <= 0.1\ntone >= 0.5");
  expect(judgement.status).toBe("incomplete");
  expect(judgement.rules.map(({ holds, verdict }) => [holds, verdict])).toEqual(
    judgement.rules.map(() => [undefined, "incomplete"]),
  );
  const [metric] = judgement.metrics;
  expect(metric && badgesOf(metric, judgement.rules)).toEqual([{ text: "incomplete", tone: "warn" }]);
});
