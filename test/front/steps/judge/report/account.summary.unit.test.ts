import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeStep } from "../../../../../front/steps/judge/step.ts";
import type { Judgement } from "../../../../../src/judgement/judgement.ts";
import { caseSet, judged, yesNo } from "../../../../judgement/rig.ts";
import { expectHarmlessMarkdown } from "../../../account/harmless.ts";
import { SECRET } from "../../../account/hostile-text.ts";
import { factsOf } from "../../../account/step-output.ts";
import { hostileRun } from "./hostile-judgement.ts";
import { JUDGEMENTS, runOf } from "./judge-events.ts";
import { summaryOf } from "../step.ts";

const summary = (judgement: Judgement) => summaryOf(factsOf(judgeStep.reporting, runOf(judgement)));

describe("the job summary of a judgement", () => {
  test("begins with what happened", () => {
    expect(summary(JUDGEMENTS.regressed)).toMatch(/^### ❌ Regressed: correct went from 0\.9 to 0\.8 on 100 cases/);
    expect(summary(JUDGEMENTS.twin)).toMatch(
      /^### ✅ Passed: correct went from 0\.9 to 0\.89 on 100 cases, which chance alone can explain\.\n/,
    );
    expect(summary(JUDGEMENTS.incomplete)).toMatch(/^### ❌ Incomplete: 50 cases of the baseline have no row now/);
    expect(summary(JUDGEMENTS.bootstrap)).toMatch(/^### ⚠️ Nothing was compared/);
  });

  test("shows a number with its interval, and rules that do not hold first", () => {
    const text = summary(JUDGEMENTS.regressed);
    expect(text).toContain(
      "| correct<br>_better: higher_ | 0\\.8 \\[0.711, 0.867\\] | 0\\.9 \\[0.826, 0.945\\] | −10.0 pp \\[−18.5, −1.8\\] | 0\\.013 | regressed |",
    );
    expect(text.indexOf("| ❌ |")).toBeLessThan(text.indexOf("| ✅ |"));
    expect(text).toContain("| `c003` | correct | 1 → 0 | `results.jsonl:4` |");
  });

  test("never says that there is no regression", () => {
    for (const judgement of Object.values(JUDGEMENTS)) expect(summary(judgement)).not.toMatch(/no regression/i);
  });

  test("of very many cases stays below what a runner takes, by whole rows with a count", { tags: "slow" }, () => {
    const long = (index: number) => `${"long name ".repeat(20)}${String(index)}`;
    const cases = (value: number) =>
      yesNo(Array.from({ length: 5_000 }, () => value)).map((one, index) => ({ ...one, name: long(index) }));
    const text = summary(judged(caseSet(cases(0)), caseSet(cases(1)), "correct not regressed"));
    expect(Buffer.byteLength(text)).toBeLessThan(200_000);
    expect(text).toMatch(/\nand 4,\d{3} more\n/);
    expectHarmlessMarkdown(text);
  });
});

test("hostile texts do nothing in the summary", () => {
  fc.assert(
    fc.property(hostileRun, ({ events }) => {
      const redact = (text: string) => text.replaceAll(SECRET, "***");
      expectHarmlessMarkdown(summaryOf(factsOf(judgeStep.reporting, events), { redact }));
    }),
  );
});
