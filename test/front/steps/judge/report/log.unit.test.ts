import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JudgeEvent } from "../../../../../front/steps/judge/events.ts";
import { STATUSES } from "../../../../../src/judgement/words/standing.ts";
import { errorsOf } from "../../../../../src/judgement/words/outcomes.ts";
import { judgeStep } from "../../../../../front/steps/judge/step.ts";
import type { LogOptions } from "../../../../../front/account/step-log.ts";
import type { Judgement } from "../../../../../src/judgement/judgement.ts";
import { baselineOf, caseSet, judged, yesNo } from "../../../../judgement/rig.ts";
import { expectHarmlessLog } from "../../../account/harmless.ts";
import { SECRET } from "../../../account/hostile-text.ts";
import { commandIn } from "../../../account/runner-commands.ts";
import { logOf as logOfStep } from "../../../account/step-output.ts";
import { hostileRun } from "./hostile-judgement.ts";
import { JUDGEMENTS, judgedEvent, runOf } from "./judge-events.ts";

function logOf(events: readonly JudgeEvent[], options: Partial<LogOptions> = {}): readonly string[] {
  return logOfStep(judgeStep.reporting, events, options);
}

const annotations = (judgement: Judgement) =>
  logOf(runOf(judgement)).flatMap((line) => {
    const command = commandIn(line);
    return command === undefined || !/^(error|warning)$/.test(command.name) ? [] : [command];
  });

describe("the log of a judgement", () => {
  test("has one annotation for each broken rule, at the first row that broke it", () => {
    expect(annotations(JUDGEMENTS.regressed)).toMatchObject([
      { name: "error", properties: { title: "Regressed", file: "results.jsonl", line: "1" } },
      { name: "error", properties: { title: "Regressed", file: "results.jsonl", line: "1" } },
      { name: "warning", properties: { title: "Rule broken", file: "results.jsonl", line: "1" } },
    ]);
  });

  test("has one annotation for each gap, and none for a rule that holds", () => {
    expect(annotations(JUDGEMENTS.incomplete)).toMatchObject([{ name: "error", properties: { title: "Incomplete" } }]);
    expect(annotations(JUDGEMENTS.twin)).toEqual([]);
    expect(annotations(JUDGEMENTS.missing)).toMatchObject([{ name: "error", properties: { title: "No baseline" } }]);
  });

  test("leaves a runner no more annotations than it keeps, and has every rule in a line", () => {
    const set = caseSet(yesNo([1, 0, 0]));
    const gates = Array.from({ length: 30 }, (_, at) => `${at % 2 === 0 ? "" : "warn: "}correct >= 0.9${String(at)}`);
    const judgement = judged(set, baselineOf(set), gates.join("\n"));
    const found = annotations(judgement);
    expect(found.filter(({ name }) => name === "error")).toHaveLength(9);
    expect(found.filter(({ name }) => name === "warning")).toHaveLength(9);
    const log = logOf(runOf(judgement)).join("\n");
    for (const gate of gates) expect(log).toContain(gate);
  });

  test("ends with what the judgement means", () => {
    for (const judgement of Object.values(JUDGEMENTS)) {
      expect(logOf(runOf(judgement)).at(-1)).toBe(`Verdict       ${judgement.headline}`);
    }
  });

  test("lists thousands of cases with a count of those that it leaves out", { tags: "slow" }, () => {
    const many = Array.from({ length: 3_000 }, () => 1);
    const before = caseSet(yesNo(many));
    const now = caseSet(yesNo(many.map(() => 0)));
    const lines = logOf([judgedEvent(judged(now, before, "correct not regressed"))]);
    expect(lines).toContain("::group::Newly failing (3,000)");
    expect(lines).toContain("and 2,000 more");
  });

  test("does not list a case for its time, which differs in each run", () => {
    const slow = (latency: number) =>
      caseSet(Array.from({ length: 20 }, (_, at) => ({ name: `c${String(at)}`, scores: { latency: latency + at } })));
    const judgement = judged(slow(2_000), slow(1_000), "latency not regressed");
    expect(judgement.status).toBe("failed");
    expect(logOf([judgedEvent(judgement)]).join("\n")).not.toContain("Worse");
  });
});

test("hostile texts do nothing in the log", { tags: "slow" }, () => {
  fc.assert(
    fc.property(hostileRun, ({ events, judgement }) => {
      const redact = (text: string) => text.replaceAll(SECRET, "***");
      const errors =
        judgement === undefined ? 1 : STATUSES[judgement.status].isRed ? Math.min(9, errorsOf(judgement).length) : 0;
      expectHarmlessLog(logOf(events, { redact }), errors);
    }),
  );
});
