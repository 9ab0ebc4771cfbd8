import { describe, expect, test } from "vitest";
import type { JudgeEvent } from "../../../../../front/steps/judge/events.ts";
import { outputsOf } from "../../../../../front/steps/judge/report/facts.ts";
import { outputTexts } from "../../../../../front/account/step-report.ts";
import { ENDINGS, endingOf } from "../../../../../src/judgement/words/standing.ts";
import { judgeStep } from "../../../../../front/steps/judge/step.ts";
import type { Judgement } from "../../../../../src/judgement/judgement.ts";
import { caseSet, judged, yesNo } from "../../../../judgement/rig.ts";
import { factsOf as factsOfStep } from "../../../account/step-output.ts";
import { ended, judgedEvent, JUDGEMENTS, READ, runOf } from "./judge-events.ts";

const { reporting } = judgeStep;
const factsOf = (events: readonly JudgeEvent[]) => factsOfStep(reporting, events);
const valuesOf = (events: readonly JudgeEvent[]) => outputTexts(outputsOf(factsOf(events)));

describe("the outputs of a judgement", () => {
  test("do not count a rule that is open as broken, as log and comment do not", () => {
    const missing = caseSet(yesNo([...Array.from({ length: 90 }, () => 1), ...Array.from({ length: 10 }, () => null)]));
    const judgement = judged(missing, undefined, "correct >= 0.95\nrows >= 200");
    expect(valuesOf(runOf(judgement))).toMatchObject({ "gate-status": "incomplete", "gate-failures": "1" });
    expect(judgement.rules.map((outcome) => ENDINGS[endingOf(outcome)].mark)).toEqual(["?", "✗"]);
  });

  test("of a step that could not judge are incomplete, and never failed", () => {
    expect(valuesOf([])).toMatchObject({ "gate-status": "incomplete", verdict: "", "gate-failures": "" });
    const unwritten = [...READ, judgedEvent(JUDGEMENTS.twin), ended(new Error("the disk is full"))];
    expect(valuesOf(unwritten)).toMatchObject({ "gate-status": "incomplete", "snapshot-path": "" });
  });
});

describe("a step", () => {
  test.each<[Judgement["status"], Judgement, boolean]>([
    ["passed", JUDGEMENTS.twin, true],
    ["warned", JUDGEMENTS.warned, true],
    ["bootstrap", JUDGEMENTS.bootstrap, true],
    ["none", JUDGEMENTS.shown, true],
    ["failed", JUDGEMENTS.regressed, false],
    ["failed", JUDGEMENTS.missing, false],
    ["incomplete", JUDGEMENTS.incomplete, false],
  ])("that %s is green or red", (status, judgement, isGreen) => {
    expect(judgement.status).toBe(status);
    expect(reporting.isSuccess?.(factsOf(runOf(judgement)))).toBe(isGreen);
  });

  test("without a judgement is red", () => {
    expect(reporting.isSuccess?.(factsOf([...READ, ended()]))).toBe(false);
  });
});
