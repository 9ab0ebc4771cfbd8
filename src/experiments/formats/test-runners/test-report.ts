import type { FormatContext, ResultFormat } from "../shared/format.ts";
import type { JsonPeek } from "../../../files/json/peek.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun } from "../../rows/source-row.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import { Fields } from "../shared/fields.ts";
import { listedFields } from "../shared/listed-fields.ts";
import { partsOfEvaluation } from "./vitest-evals.ts";
import type { ValuePlace } from "../shared/ledger.ts";
import { compareCount } from "../shared/stated-count.ts";
import { WorkspacePaths } from "../shared/workspace-path.ts";

/** What `jest --json` writes (30). */
export const jest: ResultFormat = {
  name: "jest",
  tool: "jest",
  // In alphabetical order: it stands before the tests, in a file of any size, and vitest has no such counter.
  detect: ({ json }) => isTestReport(json) && json.topKeys.includes("numRuntimeErrorTestSuites"),
  rows: testRows,
};

/** What `vitest --reporter=json` writes (4.1), and vitest-evals (0.16) adds to it. */
export const vitest: ResultFormat = {
  name: "vitest",
  tool: "vitest",
  detect: ({ json }) => isTestReport(json) && !json.topKeys.includes("numRuntimeErrorTestSuites"),
  rows: testRows,
};

/** True for the JSON report that jest has made up and vitest writes, too. */
function isTestReport(json: JsonPeek): boolean {
  return json.kind === "object" && json.topKeys.includes("numTotalTests") && json.topKeys.includes("testResults");
}

function* testRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const reader = new TestReader(context, new WorkspacePaths(context, file.name));
  const files = listedFields(file, context, {
    path: ["testResults"],
    isOfGroups: true,
    leftOut: ["startTime", "endTime", "summary", "coverage"],
    leftOutAround: LEFT_OUT_OF_REPORT,
    runOf: (report) => reader.runOf(report),
  });
  for (const testFile of files) yield* reader.fileRows(testFile);
}

const LEFT_OUT_OF_REPORT = [
  ...["success", "snapshot", "openHandles", "coverageMap", "numPendingTests", "numTodoTests"],
  ...["numTotalTestSuites", "numPassedTestSuites", "numFailedTestSuites", "numPendingTestSuites"],
  "numRuntimeErrorTestSuites",
];
const LEFT_OUT_OF_TEST = [
  ...["fullName", "location", "tags", "failing", "failureDetails", "invocations", "numPassingAsserts"],
  ...["retryMessages", "retryReasons"],
];

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

  *fileRows(testFile: Fields): Iterable<SourceRow> {
    const { place } = testFile;
    const [name, status, message] = [testFile.someText("name"), testFile.text("status"), testFile.text("message")];
    const results = testFile.someValues("assertionResults");
    if (!testFile.end()) return;
    const file = this.#paths.relative(name);
    const failedBefore = this.#tests.failed;
    for (const [index, result] of results.entries()) {
      const path = `${place.path ?? "testResults"}.assertionResults.${index}`;
      yield* this.#rowsOf(result, file, { file: place.file, row: ++this.#rows, path });
    }
    // A file that does not load, or breaks outside of its tests, is in no counter of the tools.
    if (status !== "failed" || this.#tests.failed > failedBefore) return;
    yield {
      place: { file: place.file, row: ++this.#rows },
      inputs: { file },
      scores: [{ key: "pass", value: 0 }],
      error: errorText(message) ?? UNKNOWN_ERROR,
    };
  }

  /** What the report says of the run; compares its counts with the tests. */
  runOf(report: Fields): SourceRun {
    const [start, wasInterrupted] = [report.value("startTime"), report.value("wasInterrupted")];
    const { all, passed, failed } = this.#tests;
    for (const [name, found] of Object.entries({
      numTotalTests: all,
      numPassedTests: passed,
      numFailedTests: failed,
    })) {
      compareCount({ name: `\`${name}\``, stated: report.number(name), found }, report.place, this.#context);
    }
    return {
      // The end is left to the rows: its clock is another one than that of the tests.
      times: start === undefined ? undefined : { start, fields: { start: "startTime" } },
      isComplete: wasInterrupted === true ? false : undefined,
    };
  }

  #rowsOf(value: JsonValue, file: string, place: ValuePlace): readonly SourceRow[] {
    const test = Fields.of(value, place, this.#context, LEFT_OUT_OF_TEST);
    const [title, status, duration] = [test.someText("title"), test.someText("status"), test.number("duration")];
    const [titles, messages] = [test.texts("ancestorTitles"), test.texts("failureMessages")];
    const [start, meta] = [test.value("startAt"), test.object("meta")];
    const evaluation = partsOfEvaluation(meta, ["pass"]);
    this.#tests.all += 1;
    if (!test.end()) return [];
    if (status === "passed" || status === "failed") this.#tests[status] += 1;
    if (!VERDICTS.has(status)) {
      const where = { file: place.file, row: place.row };
      this.#context.fault(where, `\`${place.path ?? ""}.status\` is not a known status of a test`);
      return [];
    }
    this.#nameTool(meta);
    const verdict = VERDICTS.get(status);
    const comment = messages.length === 0 ? undefined : messages.join("\n\n");
    const row = {
      place,
      // vitest once put an empty title in front.
      inputs: { file, test: [...titles.filter((one) => one !== ""), title].join(" > ") },
      ...evaluation,
      scores: [...(verdict === undefined ? [] : [{ key: "pass", value: verdict, comment }]), ...evaluation.scores],
      times: duration === undefined ? undefined : { start, milliseconds: duration },
    };
    return [row];
  }

  #nameTool(meta: Fields): void {
    if (this.#isReported || (meta.given("eval") ?? meta.given("harness")) === undefined) return;
    this.#isReported = true;
    this.#context.describeRun({ tool: "vitest-evals" });
  }
}
