import * as z from "zod";
import type { FormatContext, ResultFormat } from "../shared/format.ts";
import type { JsonPeek } from "../../../files/json/peek.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import { LEFT_OUT } from "../shared/ledger.ts";
import { listedValues } from "../shared/listed-values.ts";
import { EVALUATION, evaluationScores, partsOfEvaluation, type Evaluation } from "./vitest-evals.ts";
import { anyField, numberField, objectField, readShape, textField, type ShapePlace } from "../shared/shape.ts";
import { compareCount } from "../shared/stated-count.ts";
import { WorkspacePaths } from "../shared/workspace-path.ts";

/** What `jest --json` writes (30). */
export const jest: ResultFormat = {
  name: "jest",
  // In alphabetical order: it stands before the tests, in a file of any size, and vitest has no such counter.
  detect: ({ json }) => isTestReport(json) && json.topKeys.includes("numRuntimeErrorTestSuites"),
  rows: (file, context) => testRows(file, context, "jest"),
};

/** What `vitest --reporter=json` writes (4.1), and vitest-evals (0.16) adds to it. */
export const vitest: ResultFormat = {
  name: "vitest",
  detect: ({ json }) => isTestReport(json) && !json.topKeys.includes("numRuntimeErrorTestSuites"),
  rows: (file, context) => testRows(file, context, "vitest"),
};

/** True for the JSON report that jest has made up and vitest writes, too. */
function isTestReport(json: JsonPeek | undefined): json is JsonPeek {
  return json?.kind === "object" && json.topKeys.includes("numTotalTests") && json.topKeys.includes("testResults");
}

/** The tests of a report of `tool`, or of vitest-evals once a test has an evaluation. */
function* testRows(file: ResultFile, context: FormatContext, tool: string): Generator<SourceRow, void, undefined> {
  context.describeRun({ tool });
  const reader = new TestReader(context, new WorkspacePaths(context, file.name));
  const rest = (report: JsonValue) => {
    reader.end(report, { file: file.name });
  };
  for (const { value, place } of listedValues(file, ["testResults"], context, { rest, isOfGroups: true })) {
    yield* reader.fileRows(value, place);
  }
}

const REPORT = z
  .object({
    startTime: anyField,
    wasInterrupted: anyField,
    numTotalTests: numberField,
    numPassedTests: numberField,
    numFailedTests: numberField,
  })
  .register(LEFT_OUT, [
    ...["testResults", "success", "snapshot", "openHandles", "coverageMap", "numPendingTests", "numTodoTests"],
    ...["numTotalTestSuites", "numPassedTestSuites", "numFailedTestSuites", "numPendingTestSuites"],
    "numRuntimeErrorTestSuites",
  ]);

const TEST_FILE = z
  .object({
    name: z.string(),
    status: textField,
    message: textField,
    assertionResults: z.array(z.custom<JsonValue>()),
  })
  .register(LEFT_OUT, ["startTime", "endTime", "summary", "coverage"]);

const TEST = z
  .object({
    ancestorTitles: z.array(z.string()).nullish(),
    title: z.string(),
    status: z.string(),
    duration: numberField,
    startAt: anyField,
    failureMessages: z.array(z.string()).nullish(),
    meta: objectField,
  })
  .register(LEFT_OUT, [
    ...["fullName", "location", "tags", "failing", "failureDetails", "invocations", "numPassingAsserts"],
    ...["retryMessages", "retryReasons"],
  ]);
type Test = z.infer<typeof TEST>;

// Both tools know more words for a test that did not run.
const VERDICTS: ReadonlyMap<string, number | undefined> = new Map([
  ["passed", 1],
  ["failed", 0],
  ["skipped", undefined],
  ["pending", undefined],
  ["todo", undefined],
  ["disabled", undefined],
  ["focused", undefined],
]);

class TestReader {
  readonly #context: FormatContext;
  readonly #paths: WorkspacePaths;
  #isReported = false;
  #rows = 0;
  readonly #tests = { all: 0, passed: 0, failed: 0 };

  constructor(context: FormatContext, paths: WorkspacePaths) {
    this.#context = context;
    this.#paths = paths;
  }

  *fileRows(value: JsonValue, place: ShapePlace): Generator<SourceRow, void, undefined> {
    const testFile = readShape(TEST_FILE, value, place, this.#context);
    if (testFile === undefined) return;
    const file = this.#paths.relative(testFile.name);
    let hasFailed = false;
    for (const [index, result] of testFile.assertionResults.entries()) {
      const path = `${place.path ?? "testResults"}.assertionResults.${index}`;
      const at = { file: place.file, row: ++this.#rows, path };
      const test = readShape(TEST, result, at, this.#context);
      this.#count(test);
      hasFailed ||= test?.status === "failed";
      const row = test && this.#row(test, file, at);
      if (row !== undefined) yield row;
    }
    // A file that does not load, or breaks outside of its tests, is in no counter of the tools.
    if (testFile.status !== "failed" || hasFailed) return;
    const scores = [{ key: "pass", value: 0 }];
    yield {
      place: { file: place.file, row: ++this.#rows },
      inputs: { file },
      scores,
      error: errorText(testFile.message ?? undefined) ?? UNKNOWN_ERROR,
    };
  }

  /** Takes what the report says of the run, and compares its counts with the tests. */
  end(value: JsonValue, place: ShapePlace): void {
    const report = readShape(REPORT, value, place, this.#context);
    if (report === undefined) return;
    // The end is left to the rows: its clock is another one than that of the tests.
    if (report.startTime !== undefined) {
      this.#context.describeRun({ times: { start: report.startTime, fields: { start: "startTime" } } });
    }
    if (report.wasInterrupted === true) this.#context.describeRun({ isComplete: false });
    const { all, passed, failed } = this.#tests;
    const compare = (name: "numTotalTests" | "numPassedTests" | "numFailedTests", found: number) => {
      compareCount({ name: `\`${name}\``, stated: report[name], found }, place, this.#context);
    };
    compare("numTotalTests", all);
    compare("numPassedTests", passed);
    compare("numFailedTests", failed);
  }

  #count(test: Test | undefined): void {
    this.#tests.all += 1;
    if (test?.status === "passed") this.#tests.passed += 1;
    else if (test?.status === "failed") this.#tests.failed += 1;
  }

  #row(test: Test, file: string, place: ShapePlace): SourceRow | undefined {
    if (!VERDICTS.has(test.status)) {
      this.#context.fault(
        { file: place.file, row: place.row },
        `\`${place.path ?? ""}.status\` is not a known status of a test`,
      );
      return undefined;
    }
    const evaluation = readShape(
      EVALUATION,
      test.meta ?? {},
      { ...place, path: `${place.path ?? ""}.meta` },
      this.#context,
    );
    if (evaluation === undefined) return undefined;
    this.#nameTool(evaluation);
    // vitest once put an empty title in front.
    const titles = [...(test.ancestorTitles ?? []).filter((title) => title !== ""), test.title];
    const verdict = VERDICTS.get(test.status);
    const messages = test.failureMessages ?? [];
    const comment = messages.length === 0 ? undefined : messages.join("\n\n");
    const scores = evaluationScores(evaluation, ["pass"]);
    return {
      place,
      inputs: { file, test: titles.join(" > ") },
      ...partsOfEvaluation(evaluation),
      scores: verdict === undefined ? scores : [{ key: "pass", value: verdict, comment }, ...scores],
      times: test.duration === undefined ? undefined : { start: test.startAt, milliseconds: test.duration },
    };
  }

  #nameTool({ eval: evaluation, harness }: Evaluation): void {
    if (this.#isReported || (evaluation == null && harness == null)) return;
    this.#isReported = true;
    this.#context.describeRun({ tool: "vitest-evals" });
  }
}
