import { describe, expect, test } from "vitest";
import { gateFaultLines, judgeFailure } from "../../../../../front/steps/judge/report/failure.ts";
import { judgeStep } from "../../../../../front/steps/judge/step.ts";
import { ResultFaults } from "../../../../../src/experiments/reading/result-faults.ts";
import { GatesError } from "../../../../../src/judgement/gates/errors.ts";
import { logOf } from "../../../account/step-output.ts";
import { ended } from "./judge-events.ts";

const FAULT = { line: 1, text: "a >= 1", at: 0, length: 1, message: "does not name a metric", hint: "write b" };

describe("the failure of a judgement", () => {
  test("shows each error of the rules with a caret, and counts those that are too many", () => {
    const error = new GatesError(Array.from({ length: 60 }, (_, at) => ({ ...FAULT, line: at + 1 })));
    const lines = gateFaultLines(error);
    expect(lines.slice(0, 2)).toEqual(["gates line 1: `a >= 1` does not name a metric", "               ^  write b"]);
    expect(lines.at(-1)).toBe("and 10 more");
    const log = logOf(judgeStep.reporting, [ended(error)]);
    expect(log.slice(0, 3)).toEqual([
      expect.stringMatching(/^::error title=Gates::The gates have 60 errors, the first in line 1: /),
      ...lines.slice(0, 2),
    ]);
  });

  test("has the errors of the files with their places", () => {
    const faults = new ResultFaults();
    for (const line of [3, 4]) faults.add({ file: "a.csv", line }, "no score");
    try {
      faults.throwIfAny();
    } catch (error) {
      const failure = judgeFailure(error instanceof Error ? error : new Error());
      expect(failure).toMatchObject({
        title: "Results",
        list: { faults: [["a.csv, line 3", "no score"], expect.anything()] },
      });
      expect(gateFaultLines(error instanceof Error ? error : undefined)).toEqual([]);
    }
    expect.assertions(2);
  });

  test("that is unexpected is a bug", () => {
    expect(judgeFailure(new Error("oh"))).toMatchObject({ title: "Unexpected error" });
  });
});
