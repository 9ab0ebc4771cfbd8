import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COMMENT_MARK, commentOf } from "../../../../../front/steps/judge/report/comment.ts";
import { judgeStep } from "../../../../../front/steps/judge/step.ts";
import type { Judgement } from "../../../../../src/judgement/judgement.ts";
import { baselineOf, caseSet, judged, yesNo } from "../../../../judgement/rig.ts";
import { expectHarmlessMarkdown } from "../../../account/harmless.ts";
import { SECRET } from "../../../account/hostile-text.ts";
import { factsOf } from "../../../account/step-output.ts";
import { hostileJudgement } from "./hostile-judgement.ts";
import { JUDGEMENTS, runOf } from "./judge-events.ts";
import { summaryOf } from "../step.ts";

const AGAINST = { patterns: [], age: undefined, anchors: [] };
const comment = (judgement: Judgement) => commentOf({ judgement, against: AGAINST });

describe("the comment of a judgement", () => {
  test("begins with a mark by which a job finds it, and then with what happened", () => {
    const [mark, first] = comment(JUDGEMENTS.regressed).split("\n");
    expect(mark).toBe(COMMENT_MARK);
    expect(first).toMatch(/^### ❌ Regressed: correct went from 0\.9 to 0\.8 on 100 cases/);
  });

  test("names ten cases at most, those that newly fail first, and counts the others", () => {
    const text = comment(JUDGEMENTS.regressed);
    expect(text.match(/^\| `c\d+`/gm)).toHaveLength(10);
    expect(text).toContain("\nand 2 more\n");
    expect(text).toContain("Cases: 12 newly failing, 2 fixed");
  });

  test("has the warnings that the summary has, and the badge of a metric whose rule is broken", () => {
    const set = (count: number) => caseSet(yesNo(Array.from({ length: 100 }, (_, at) => Number(at < count))));
    const judgement = judged(set(80), baselineOf(set(90)), "correct drop <= 1pp", {
      warnings: ["The baseline is old."],
    });
    const facts = factsOf(judgeStep.reporting, runOf(judgement));
    const warned = ["Two files have the same rows.", ...judgement.warnings];
    const texts = [
      commentOf({ judgement, against: AGAINST }, { warnings: warned }),
      summaryOf({ ...facts, warnings: warned }),
    ];
    for (const text of texts) {
      expect(text.match(/^- ⚠️ .*$/gm)).toHaveLength(warned.length);
      expect(text).toContain("- ⚠️ Two files have the same rows.");
      expect(text).toMatch(/^\| correct<br>_better: higher_ \|.*\| rule broken \|$/m);
    }
    expect(comment(judgement)).toContain("- ⚠️ ");
  });

  test("has as many warnings as there is room for, and counts the others", () => {
    const warnings = Array.from({ length: 30 }, (_, at) => `${String(at)} ${"x".repeat(1_000)}`);
    const text = commentOf({ judgement: JUDGEMENTS.regressed, against: AGAINST }, { warnings });
    expect(text.match(/^- ⚠️ /gm)).toHaveLength(7);
    expect(text).toContain("\n- and 23 more in the log\n");
  });

  test("has at most 60,000 characters, whatever the names", { tags: "slow" }, () => {
    const name = (index: number) => `<|>&\`@${"*|".repeat(150)}${String(index)}`;
    const cases = (value: number) =>
      yesNo(Array.from({ length: 50 }, () => value)).map((one, index) => ({ ...one, name: name(index) }));
    const metrics = (value: number) => {
      const scores = Array.from({ length: 40 }, (_, index) => [name(index), value] as const);
      return caseSet(cases(value).map((one) => ({ ...one, scores: Object.fromEntries(scores) })));
    };
    const gates = Array.from({ length: 40 }, (_, at) => `rows >= 10${String(at)} # ${"x".repeat(300)}`).join("\n");
    const text = comment(judged(metrics(0), metrics(1), gates));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(text).toContain("more");
    expectHarmlessMarkdown(text.replace(COMMENT_MARK, ""));
  });
});

test("hostile texts do nothing in a comment", () => {
  fc.assert(
    fc.property(hostileJudgement, (judgement) => {
      const redact = (text: string) => text.replaceAll(SECRET, "***");
      const text = commentOf({ judgement, against: { ...AGAINST, patterns: judgement.warnings } }, { redact });
      expectHarmlessMarkdown(text.replace(COMMENT_MARK, ""));
    }),
  );
});
