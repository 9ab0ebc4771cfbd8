import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { uploadTracesStep } from "../../../../action/upload-traces/step.ts";
import type { SummaryOptions } from "../../../../action/report/summary.ts";
import type { LogOptions } from "../../../../action/report/printer.ts";
import { outputsOf } from "../../../../action/upload-traces/report/outputs.ts";
import { summaryOf } from "../../../../action/upload-traces/report/summary.ts";
import { RunsNotStoredError, TracesError } from "../../../../src/trace-files/errors.ts";
import type { TraceEvent } from "../../../../src/trace-files/events.ts";
import { expectHarmlessLog, expectHarmlessMarkdown } from "../../report/harmless.ts";
import { SECRET } from "../../report/hostile-deploy.ts";
import { hostileText } from "../../report/hostile-text.ts";
import { factsOf as factsOfStep, logOf as logOfStep } from "../../report/told.ts";
import { ended, read, sent, SUMS } from "./trace-events.ts";

function logOf(events: readonly TraceEvent[], options: Partial<LogOptions> = {}): readonly string[] {
  return logOfStep(uploadTracesStep.reporting, events, options);
}

const factsOf = (events: readonly TraceEvent[]) => factsOfStep(uploadTracesStep.reporting, events);

const summary = (events: readonly TraceEvent[], options?: SummaryOptions) => summaryOf(factsOf(events), options);

const GOOD = [read(), sent(), ended("uploaded")];
const PLACE = { file: "traces/chat.jsonl", line: 12 };
const PARTIAL = [
  read(),
  { type: "refused", run: { isAddition: false, id: "a", place: PLACE, reason: "too odd" } },
  { type: "refused", run: { isAddition: false, id: "b", place: PLACE, reason: "too odd" } },
  sent(238, { ...SUMS, runs: 238 }),
  { type: "unsent-written", path: "/tmp/unsent/runs.jsonl" },
  ended(
    "partial",
    new RunsNotStoredError(
      "238 of 240 runs are stored; the service refuses 2 runs.",
      [
        { place: PLACE, message: "run a: too odd" },
        { place: PLACE, message: "run b: too odd" },
      ],
      2,
      { advice: "Again." },
    ),
  ),
] as const satisfies readonly TraceEvent[];

describe("the log of an upload of traces", () => {
  test("says in a few lines what was read, where it goes and that it arrived", () => {
    expect(logOf(GOOD)).toEqual([
      "Traces        traces/chat.jsonl: jsonl, 240 runs, 1.8 MB",
      "Runs          chain 120 · llm 120 · 3 with an error · 182,000 tokens",
      "Session       support-agent: 20 traces, 237 runs",
      "              0f8fad5b-d9cb-469f-a165-70867728950e: 1 trace, 3 runs",
      "Uploaded      240 runs in 21 traces, 0.4 s",
    ]);
  });

  test("says what was done to the runs that nobody asked for, and how long a long reading took", () => {
    const notes = { additions: 5, sharedRuns: 1, lostParents: 2, passedLines: 3 };
    expect(logOf([read(notes, 6_000)]).slice(1, 6)).toEqual([
      "              5 additions to runs",
      "              1 run more than once, taken once",
      "              2 spans whose parent is in no file, taken as the root of a trace",
      "              3 lines of other signals than traces, left out",
      "              read: 240 runs, 6 s, 40 runs/s",
    ]);
  });

  test("shows that a long upload lives", () => {
    const at = (seconds: number, sentRuns: number): TraceEvent => ({
      type: "upload-progress",
      sentRuns,
      totalRuns: 240,
      milliseconds: 1_000 * seconds,
    });
    const lines = logOf([read(), at(1, 10), at(5, 48), at(6, 50), at(40, 50), at(50, 240)]).slice(4);
    expect(lines).toEqual([
      "Upload        20 %, 48 of 240 runs, 9.6 runs/s",
      "Upload        20 %, 50 of 240 runs, 1.25 runs/s",
    ]);
  });

  test("names each refused run by its place, and where the rest is", () => {
    expect(logOf(PARTIAL).slice(4)).toEqual([
      "Uploaded      238 of 240 runs in 21 traces, 0.4 s",
      "::error title=Not all stored::238 of 240 runs are stored; the service refuses 2 runs.",
      "  traces/chat.jsonl, line 12  run a: too odd",
      "  traces/chat.jsonl, line 12  run b: too odd",
      "Unsent        /tmp/unsent/runs.jsonl",
      "Next          Again.",
    ]);
  });

  test("of additions alone counts them", () => {
    const sums = { ...SUMS, runs: 0, traces: 0, errors: 0, tokens: undefined, sessions: [], types: new Map() };
    const events = [read({ sums, additions: 5 }), sent(0, sums), ended("uploaded")];
    expect(logOf(events)).toEqual([
      "Traces        traces/chat.jsonl: jsonl, 240 runs, 1.8 MB",
      "              5 additions to runs",
      "Uploaded      5 additions to runs, 0.4 s",
    ]);
    expect(summary(events)).toMatch(/^### ✅ 5 additions to runs are uploaded\n/);
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

  test("of a dry run says what would happen", () => {
    const written: TraceEvent = { type: "request-written", path: "/tmp/runs.jsonl", bytes: 12_100 };
    expect(logOf([read(), written, ended("dry-run")], { dryRun: true }).slice(2)).toEqual([
      "Would go to   support-agent: 20 traces, 237 runs",
      "              0f8fad5b-d9cb-469f-a165-70867728950e: 1 trace, 3 runs",
      "Request       written to /tmp/runs.jsonl, 12.1 kB; nothing was sent",
    ]);
  });
});

describe("the outputs of an upload of traces", () => {
  test("are the counts of what is stored", () => {
    expect(outputsOf(factsOf(GOOD)).values).toEqual({
      "run-count": "240",
      "trace-count": "21",
      "error-count": "3",
      "rejected-count": "0",
      "upload-status": "uploaded",
      "unsent-path": "",
      "request-path": "",
    });
    expect(outputsOf(factsOf(PARTIAL)).values).toMatchObject({
      "run-count": "238",
      "rejected-count": "2",
      "upload-status": "partial",
      "unsent-path": "/tmp/unsent/runs.jsonl",
    });
  });

  test("are empty where nothing is known, and failed where nothing says how it ended", () => {
    expect(outputsOf(factsOf([])).values).toMatchObject({
      "run-count": "",
      "rejected-count": "",
      "upload-status": "failed",
    });
  });

  test("of a dry run count what would be sent", () => {
    expect(outputsOf(factsOf([read(), ended("dry-run")])).values).toMatchObject({
      "run-count": "240",
      "trace-count": "21",
      "rejected-count": "",
      "upload-status": "dry-run",
    });
  });
});

describe("the job summary of an upload of traces", () => {
  test("has the sessions, the types and the files", () => {
    expect(summary(GOOD, { runUrl: "https://github.example/run/1" })).toBe(`\
### ✅ 21 traces are uploaded

240 runs in 0.4 s · workflow run <https://github.example/run/1>

| Session | Traces | Runs | Errors | Tokens | From (UTC) | Span |
|---|---|---|---|---|---|---|
| support-agent | 20 | 237 | 3 | 182,000 | 2026-05-04 09:00:00 | 2 min 31 s |
| 0f8fad5b-d9cb-469f-a165-70867728950e | 1 | 3 | 0 |  | 2026-05-04 09:00:00 | 2 s |

| Run type | Runs | Errors | Tokens |
|---|---|---|---|
| chain | 120 | 0 |  |
| llm | 120 | 3 | 182,000 |

| File | Format | Runs | Size |
|---|---|---|---|
| \`traces/chat.jsonl\` | jsonl | 240 | 1.8 MB |
`);
  });

  test("of a partial upload begins with what is missing", () => {
    const text = summary(PARTIAL);
    expect(text).toMatch(/^### ❌ Not all stored\n\n238 of 240 runs are stored; the service refuses 2 runs\./);
    expect(text).toContain("| `traces/chat.jsonl, line 12` | run a: too odd |");
    expect(text).toContain("**Next:** Again.");
    expect(text).toContain("Not stored: `/tmp/unsent/runs.jsonl`");
  });
});

/** An upload in which every text from outside is hostile, however it ends. */
const hostileUpload: fc.Arbitrary<readonly TraceEvent[]> = fc
  .tuple(fc.array(hostileText, { minLength: 10, maxLength: 10 }), fc.nat(3))
  .map(([texts, end]) => {
    const [a = "", b = "", c = "", d = "", e = ""] = texts;
    const [first] = SUMS.sessions;
    const sessions = first === undefined ? [] : texts.map((name) => ({ ...first, session: { name, id: undefined } }));
    const sums = { ...SUMS, sessions };
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

  test("do nothing in the log", () => {
    fc.assert(
      fc.property(hostileUpload, (events) => {
        const error = events.findLast(({ type }) => type === "ended");
        const isRed = error?.type === "ended" && error.error !== undefined;
        expectHarmlessLog(logOf(events, { redact }), isRed ? 1 : 0);
      }),
    );
  });

  test("do nothing in the summary", () => {
    fc.assert(
      fc.property(hostileUpload, (events) => {
        expectHarmlessMarkdown(summary(events, { redact }));
      }),
    );
  });
});
