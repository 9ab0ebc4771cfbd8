import fc from "fast-check";
import { expect, test } from "vitest";
import { summaryOf } from "../../../../../front/account/account.ts";
import type { EvaluateEvent } from "../../../../../front/steps/evaluate/events.ts";
import { evaluateStep } from "../../../../../front/steps/evaluate/step.ts";
import { expectHarmlessMarkdown } from "../../../account/harmless.ts";
import { SECRET } from "../../../account/hostile-text.ts";
import { hostileRuns } from "../../../account/hostile-runs.ts";
import { factsOf, logOf } from "../../../account/step-output.ts";
import { ended, OUTAGE, planned, progress } from "./evaluate-events.ts";

test("the log says how far it is every 15 s", () => {
  const events = [1, 14, 15, 16, 29, 30, 44, 46].map((seconds) => progress(seconds, seconds * 1_000));
  const lines = logOf(evaluateStep.reporting, events);
  expect(lines.map((line) => line.replace(/ of .*/, ""))).toEqual([
    "Asked         15",
    "Asked         30",
    "Asked         46",
  ]);
});

test("an output of an agent is a line of the log, whatever is in it", () => {
  const trial = (output: string): EvaluateEvent => ({
    type: "trial",
    ...{ caseId: "1", repetition: 0, outcome: "answered", error: "", output },
  });
  const lines = logOf(evaluateStep.reporting, [trial("yes\n::error::x"), trial("\u001b[31mred")]);
  expect(lines).toEqual([expect.stringContaining("yes ::error::x"), expect.stringContaining("answered: red")]);
});

test("a busy server does not fill the log", () => {
  const retry: EvaluateEvent = {
    type: "retry",
    notice: { target: "GET /info", attempt: 1, mostAttempts: 4, delayMilliseconds: 10, reason: "429" },
  };
  expect(
    logOf(
      evaluateStep.reporting,
      Array.from({ length: 50 }, () => retry),
    ),
  ).toHaveLength(20);
});

test("hostile texts do nothing in the summary", () => {
  const redact = (text: string) => text.replaceAll(SECRET, "***");
  const runs = hostileRuns<EvaluateEvent>(
    [planned(), ended("complete")],
    [planned(), ended("complete", { summary: OUTAGE })],
  );
  fc.assert(
    fc.property(runs, (events) => {
      expectHarmlessMarkdown(summaryOf(evaluateStep.reporting, factsOf(evaluateStep.reporting, events), { redact }));
    }),
  );
});
