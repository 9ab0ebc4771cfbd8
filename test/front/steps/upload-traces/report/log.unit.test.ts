import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { uploadTracesStep } from "../../../../../front/steps/upload-traces/step.ts";
import { summaryOf, type PageOptions } from "../../../../../front/account/account.ts";
import type { LogOptions } from "../../../../../front/account/step-log.ts";
import { RunsNotStoredError, TracesError } from "../../../../../src/trace-files/errors.ts";
import type { TraceEvent } from "../../../../../src/trace-files/events.ts";
import { expectHarmlessMarkdown } from "../../../account/harmless.ts";
import { SECRET } from "../../../account/hostile-deploy.ts";
import { hostileText } from "../../../account/hostile-text.ts";
import { factsOf as factsOfStep, logOf as logOfStep } from "../../../account/step-output.ts";
import { ended, progress, read, sent, SUMS } from "./trace-events.ts";

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

/** An upload in which every text from outside is hostile, however it ends. */
const hostileUpload: fc.Arbitrary<readonly TraceEvent[]> = fc
  .tuple(fc.array(hostileText, { minLength: 10, maxLength: 10 }), fc.nat(3))
  .map(([texts, end]) => {
    const [a = "", b = "", c = "", d = "", e = ""] = texts;
    const [first] = SUMS.sessions;
    const sessions = first === undefined ? [] : texts.map((name) => ({ ...first, session: { name, id: undefined } }));
    const types = new Map(texts.map((type) => [type, { runs: 1, errors: 0, tokens: undefined }]));
    const sums = { ...SUMS, sessions, types };
    const faults = texts.map((message) => ({ place: { file: b, line: 2 }, message }));
    const errors = [new TracesError(a, faults, 30), new RunsNotStoredError(c, faults, 3, { advice: d }), new Error(e)];
    const error = errors[end];
    return [
      { type: "reading", file: a, rows: 7, milliseconds: 6_000 },
      ...texts.map((message): TraceEvent => ({ type: "warning", message })),
      read({ sums, files: texts.map((name) => ({ name, format: "jsonl", runs: 2, size: 20 })) }, 9_000),
      { type: "request-written", path: e, bytes: 20 },
      { type: "retry", notice: { target: c, attempt: 1, mostAttempts: 4, delayMilliseconds: 10, reason: d } },
      sent(7, sums),
      { type: "unsent-written", path: d },
      ended(error === undefined ? "uploaded" : "failed", error),
    ];
  });

describe("hostile texts", () => {
  const redact = (text: string) => text.replaceAll(SECRET, "***");

  test("do nothing in the summary", () => {
    fc.assert(
      fc.property(hostileUpload, (events) => {
        expectHarmlessMarkdown(summary(events, { redact }));
      }),
    );
  });
});
