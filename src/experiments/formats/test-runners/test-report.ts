import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { type JsonValue, listIn, objectIn } from "../../../files/json/value.ts";
import type { JsonPeek } from "../../../files/json/peek.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { distinctScores, errorText, factsOf, rationaleOf, ScoreKeys, UNKNOWN_ERROR } from "../shared/tool-values.ts";
import { Fields } from "../shared/fields.ts";
import { listedFields } from "../shared/listed-values.ts";
import { compareCount } from "../shared/stated-count.ts";
import { workspacePaths } from "../shared/workspace-path.ts";

/** What `jest --json` writes (30). */
export const jest: ResultFormat = {
  tool: "jest",
  // In alphabetical order: it stands before the tests, in a file of any size, and vitest has no such counter.
  detect: ({ json }) => isTestReport(json) && json.topKeys.includes("numRuntimeErrorTestSuites"),
  rows: testRows,
};

/** What `vitest --reporter=json` writes (4.1), and vitest-evals (0.16) adds to it. */
export const vitest: ResultFormat = {
  tool: "vitest",
  detect: ({ json }) => isTestReport(json) && !json.topKeys.includes("numRuntimeErrorTestSuites"),
  rows: testRows,
};

/** True for the JSON report that jest has made up and vitest writes, too. */
function isTestReport(json: JsonPeek): boolean {
  return json.kind === "object" && json.topKeys.includes("numTotalTests") && json.topKeys.includes("testResults");
}

/** The tests of a report; once one has an evaluation, the tool is vitest-evals. */
function* testRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const pathOf = workspacePaths(context, file.name);
  const counts = { all: 0, passed: 0, failed: 0 };
  let [rows, isOfEvals] = [0, false];
  const files = listedFields(file, context, {
    path: ["testResults"],
    isOfGroups: true,
    leftOut: ["startTime", "endTime", "summary", "coverage"],
    leftOutAround: LEFT_OUT_OF_REPORT,
    runOf: (report) => {
      const [start, wasInterrupted] = [report.value("startTime"), report.value("wasInterrupted")];
      const { all, passed, failed } = counts;
      // All are read before any is compared: a counter that is no number says more than one that differs.
      const stated = Object.entries({ numTotalTests: all, numPassedTests: passed, numFailedTests: failed }).map(
        ([name, found]) => ({ name: `\`${name}\``, stated: report.number(name), found }),
      );
      for (const count of stated) compareCount(count, report.place, context);
      // The end is left to the rows: its clock is another one than that of the tests.
      const times = start === undefined ? undefined : { start, fields: { start: "startTime" } };
      return { times, isComplete: wasInterrupted === true ? false : undefined };
    },
  });
  for (const testFile of files) {
    const { place } = testFile;
    const [name, status, message] = [testFile.someText("name"), testFile.text("status"), testFile.text("message")];
    const results = testFile.someValues("assertionResults");
    if (!testFile.end()) continue;
    const path = pathOf(name);
    const failedBefore = counts.failed;
    for (const [index, result] of results.entries()) {
      const below = `${place.path ?? "testResults"}.assertionResults.${index}`;
      const test = Fields.of(result, { file: place.file, row: ++rows, path: below }, context, LEFT_OUT_OF_TEST);
      const meta = test.object("meta");
      const outcome = test.someText("status");
      const row = rowOf(test, path, partsOfEvaluation(meta, ["pass"]), VERDICTS.get(outcome));
      counts.all += 1;
      if (!test.end()) continue;
      if (outcome === "passed" || outcome === "failed") counts[outcome] += 1;
      if (!isOfEvals && (meta.given("eval") ?? meta.given("harness")) !== undefined) {
        isOfEvals = true;
        context.describeRun({ tool: "vitest-evals" });
      }
      if (VERDICTS.has(outcome)) yield row;
      else context.fault({ file: place.file, row: rows }, `\`${below}.status\` is not a known status of a test`);
    }
    // A file that does not load, or breaks outside of its tests, is in no counter of the tools.
    if (status !== "failed" || counts.failed > failedBefore) continue;
    yield {
      place: { file: place.file, row: ++rows },
      inputs: { file: path },
      scores: [{ key: "pass", value: 0 }],
      error: errorText(message) ?? UNKNOWN_ERROR,
    };
  }
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

function rowOf(
  test: Fields,
  file: string,
  evaluation: ReturnType<typeof partsOfEvaluation>,
  verdict: number | undefined,
): SourceRow {
  const [title, duration, start] = [test.someText("title"), test.number("duration"), test.value("startAt")];
  const [titles, messages] = [test.texts("ancestorTitles"), test.texts("failureMessages")];
  const comment = messages.length === 0 ? undefined : messages.join("\n\n");
  return {
    place: test.place,
    // vitest once put an empty title in front.
    inputs: { file, test: [...titles.filter((one) => one !== ""), title].join(" > ") },
    ...evaluation,
    scores: [...(verdict === undefined ? [] : [{ key: "pass", value: verdict, comment }]), ...evaluation.scores],
    times: duration === undefined ? undefined : { start, milliseconds: duration },
  };
}

/** What vitest-evals (0.16) puts into the `meta` of a test. `taken` are keys of scores that the row has. */
function partsOfEvaluation(
  meta: Fields,
  taken: readonly string[],
): Pick<SourceRow, "cost" | "error" | "metadata" | "outputs" | "scores" | "usage"> {
  // Left out is what is made of the scores, what ran within, and how long: the test has its own duration.
  const evaluation = meta.object("eval", ["avgScore", "thresholdFailed"]);
  const run = meta.object("harness", ["name"]).object("run", ["traces", "timings"]);
  const session = run.object("session", ["outputText"]);
  const [output, ofRun] = [evaluation.given("output"), run.value("output")];
  const [events, messages] = [session.value("events"), session.value("messages")];
  const [ofProvider, ofModel] = [session.text("provider"), session.text("model")];
  const { provider, model, costUsd, toolCalls, retries, ...tokens } = run.record("usage") ?? {};
  // A test that only fails has none.
  const errors = run.list("errors", ["type", "name", "stack"]);
  const broken = errors.map((error) => errorText(error.text("message")) ?? UNKNOWN_ERROR);
  // The calls in the events of a session, where no list of them stands beside; earlier versions had messages for events.
  const ofEvents = listIn(events).filter((event) => CALLS.has(objectIn(event)["type"] ?? null));
  const ofMessages = listIn(messages).flatMap((message) => listIn(objectIn(message)["toolCalls"]));
  const calls = [ofEvents, ofMessages].find((list) => list.length > 0) ?? toolCalls;
  const scores = evaluation.list("scores").map((score) => ({
    key: score.text("name") ?? "",
    value: score.value("score"),
    comment: rationaleOf(score, "metadata"),
  }));
  return {
    scores: distinctScores(scores, new ScoreKeys(taken)),
    outputs: output ?? ofRun,
    error: broken.length === 0 ? undefined : broken.join("\n"),
    usage: Object.keys(tokens).length === 0 ? undefined : tokens,
    cost: costUsd,
    metadata: factsOf({
      provider: provider ?? ofProvider,
      model: model ?? ofModel,
      retries,
      toolCalls: evaluation.given("toolCalls") ?? calls,
    }),
  };
}

const CALLS: ReadonlySet<JsonValue> = new Set(["tool_call", "tool_result"]);
