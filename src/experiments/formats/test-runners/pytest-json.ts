import type { FormatContext, ResultFormat } from "../shared/format.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun } from "../../rows/source-row.ts";
import { errorText, metadataOf, propertyScores, UNKNOWN_ERROR, withoutScores } from "../shared/tool-values.ts";
import type { Fields } from "../shared/fields.ts";
import { listedFields } from "../shared/listed-values.ts";
import { compareCount } from "../shared/stated-count.ts";

/** What `pytest --json-report` writes (pytest-json-report 1.5). */
export const pytestJson: ResultFormat = {
  tool: "pytest",
  detect: ({ json }) =>
    json.kind === "object" && ["exitcode", "root", "tests"].every((key) => json.topKeys.includes(key)),
  rows: readRows,
};

function* readRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const broken: SourceRow[] = [];
  let count = 0;
  const runOf = (report: Fields): SourceRun => {
    const { place } = report;
    const [end, exitcode] = [report.given("created"), report.value("exitcode")];
    const milliseconds = report.milliseconds("duration");
    const stated = report.object("summary", COUNTED).number("total");
    for (const collector of report.list("collectors", ["result", "crash"])) {
      const [nodeid, longrepr] = [collector.someText("nodeid"), collector.value("longrepr")];
      if (collector.text("outcome") !== "failed") continue;
      // A file that does not load has no tests: a row with an error stands for them.
      const error = errorText(longrepr) ?? UNKNOWN_ERROR;
      broken.push({ place, inputs: { file: nodeid }, scores: [{ key: "pass", value: 0 }], error });
    }
    compareCount({ name: "`summary.total`", stated, found: count }, place, context);
    return {
      times: end === undefined ? undefined : { end, milliseconds, fields: { end: "created" } },
      isComplete: exitcode === INTERRUPTED ? false : undefined,
    };
  };
  const leftOutAround = ["root", "environment", "warnings"];
  const tests = listedFields(file, context, { path: ["tests"], leftOut: ["lineno", "keywords"], leftOutAround, runOf });
  for (const test of tests) {
    count += 1;
    const { place } = test;
    const outcome = test.someText("outcome");
    const row = rowOf(test, outcome);
    if (!test.end()) continue;
    if (VERDICTS.has(outcome)) yield row;
    else context.fault(place, `\`${place.path ?? ""}.outcome\` is not a known outcome of a test`);
  }
  yield* broken;
}

// pytest.ExitCode.INTERRUPTED
const INTERRUPTED = 2;
// `COUNTED` is made of the tests.
const COUNTED = ["passed", "failed", "error", "skipped", "xfailed", "xpassed", "collected", "deselected", "rerun"];
// The text of an error has them, too.
const LEFT_OUT_OF_STAGE = ["crash", "traceback", "stdout", "stderr", "log"];

// An expected failure says as little about the case as a skipped test.
const VERDICTS: ReadonlyMap<string, number | undefined> = new Map([
  ["passed", 1],
  ["xpassed", 1],
  ["failed", 0],
  ["error", 0],
  ["skipped", undefined],
  ["xfailed", undefined],
]);

function rowOf(test: Fields, outcome: string): SourceRow {
  const nodeid = test.someText("nodeid");
  const properties = [test.record("metadata") ?? {}, ...test.records("user_properties")].flatMap(
    Object.entries<JsonValue>,
  );
  // The parts of a node id, but for those in the id of a parameter, which a user writes.
  const bracket = nodeid.indexOf("[");
  const end = bracket < 0 ? nodeid.length : bracket;
  const [file = "", ...titles] = nodeid.slice(0, end).split("::");
  const stages = ["setup", "call", "teardown"].map((key) => {
    const stage = test.object(key, LEFT_OUT_OF_STAGE);
    return {
      outcome: stage.text("outcome"),
      text: stage.value("longrepr"),
      milliseconds: stage.milliseconds("duration"),
    };
  });
  const [setup, call, teardown] = stages;
  // A failed assertion is a score, not an error; a failure before or after the test is an error.
  const value = VERDICTS.get(outcome);
  const comment = outcome === "failed" ? errorText(call?.text) : undefined;
  const errors = [setup, teardown]
    .filter((stage) => stage?.outcome === "failed")
    .map((stage) => errorText(stage?.text) ?? UNKNOWN_ERROR);
  return {
    place: test.place,
    inputs: { file, test: titles.join(" > ") + nodeid.slice(end) },
    scores: [
      ...(value === undefined ? [] : [{ key: "pass", value, comment }]),
      ...propertyScores(properties, ["pass"]),
    ],
    times: { milliseconds: call?.milliseconds },
    error: errors.length === 0 ? undefined : errors.join("\n\n"),
    metadata: metadataOf(withoutScores(properties), {}),
  };
}
