import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { uploadTracesStep } from "../../../../../front/steps/upload-traces/step.ts";
import { summaryOf, type PageOptions } from "../../../../../front/account/account.ts";
import type { LogOptions } from "../../../../../front/account/step-log.ts";
import { TracesError } from "../../../../../src/trace-files/errors.ts";
import type { TraceEvent } from "../../../../../src/trace-files/events.ts";
import { expectHarmlessMarkdown } from "../../../account/harmless.ts";
import { SECRET } from "../../../account/hostile-text.ts";
import { hostileRuns } from "../../../account/hostile-runs.ts";
import { factsOf as factsOfStep, logOf as logOfStep } from "../../../account/step-output.ts";
import { DRY, ended, GOOD, PARTIAL, progress, read, sent, SUMS } from "./trace-events.ts";

function logOf(events: readonly TraceEvent[], options: Partial<LogOptions> = {}): readonly string[] {
  return logOfStep(uploadTracesStep.reporting, events, options);
}

const factsOf = (events: readonly TraceEvent[]) => factsOfStep(uploadTracesStep.reporting, events);

const summary = (events: readonly TraceEvent[], options: PageOptions = {}) =>
  summaryOf(uploadTracesStep.reporting, factsOf(events), options);

describe("the log of an upload of traces", () => {
  test("shows the progress after 5 s, and then at the latest after 30 s", () => {
    const events = [read(), progress(1, 10), progress(5, 48), progress(6, 50), progress(40, 50), progress(50, 240)];
    const lines = logOf(events).filter((line) => line.startsWith("Upload "));
    expect(lines).toEqual([expect.stringContaining("48 of 240"), expect.stringContaining("50 of 240")]);
  });

  test("names the types of runs as the files do, an empty one too, and so does the summary", () => {
    const types = new Map(["agent", "", "::error::x"].map((type) => [type, { runs: 7, errors: 0, tokens: undefined }]));
    const events = [read({ sums: { ...SUMS, types } }), sent(240, { ...SUMS, types }), ended("uploaded")];
    expect(logOf(events)).toContainEqual(expect.stringContaining("agent 7 · (empty) 7 · ::error::x 7"));
    expect(logOf(events).filter((line) => line.startsWith("::"))).toEqual([]);
    expect(summary(events)).toContain("| agent | 7 | 0 |");
    expect(summary(events)).toContain("| (empty) | 7 | 0 |");
  });

  test("shows the first retries only", () => {
    const retry: TraceEvent = {
      type: "retry",
      notice: { target: "POST /runs/multipart", attempt: 1, mostAttempts: 4, delayMilliseconds: 10, reason: "429" },
    };
    const lines = logOf(Array.from({ length: 50 }, () => retry));
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe("Retry         further retries are not shown");
  });
});

describe("hostile texts", () => {
  const redact = (text: string) => text.replaceAll(SECRET, "***");

  test("do nothing in the summary", () => {
    const invalid = [
      read(),
      ended("failed", new TracesError("a", [{ place: { file: "b", line: 2 }, message: "c" }], 30)),
    ];
    fc.assert(
      fc.property(hostileRuns(GOOD, PARTIAL, DRY, invalid), (events) => {
        expectHarmlessMarkdown(summary(events, { redact }));
      }),
    );
  });
});
