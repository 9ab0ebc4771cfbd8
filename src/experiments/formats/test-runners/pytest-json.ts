import * as z from "zod";
import type { FormatContext, ResultFormat } from "../shared/format.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import { LEFT_OUT } from "../shared/ledger.ts";
import { listedValues } from "../shared/listed-values.ts";
import { propertyScores, withoutScores } from "../shared/scores.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { anyField, numberField, objectField, readShape, textField, type ShapePlace } from "../shared/shape.ts";
import { compareCount } from "../shared/stated-count.ts";

/** What `pytest --json-report` writes (pytest-json-report 1.5). */
export const pytestJson: ResultFormat = {
  name: "pytest-json",
  detect: ({ json }) =>
    json?.kind === "object" && ["exitcode", "root", "tests"].every((key) => json.topKeys.includes(key)),
  rows: readRows,
};

function* readRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  context.describeRun({ tool: "pytest" });
  const broken: SourceRow[] = [];
  let count = 0;
  const rest = (document: JsonValue) => {
    const place = { file: file.name };
    const report = readShape(REPORT, document, place, context);
    if (report === undefined) return;
    const milliseconds = report.duration === undefined ? undefined : report.duration * 1000;
    if (report.created != null) {
      context.describeRun({ times: { end: report.created, milliseconds, fields: { end: "created" } } });
    }
    if (report.exitcode === INTERRUPTED) context.describeRun({ isComplete: false });
    compareCount({ name: "`summary.total`", stated: report.summary?.total, found: count }, place, context);
    for (const { nodeid, outcome, longrepr } of report.collectors ?? []) {
      if (outcome !== "failed") continue;
      // A file that does not load has no tests: a row with an error stands for them.
      const error = errorText(longrepr) ?? UNKNOWN_ERROR;
      broken.push({ place, inputs: { file: nodeid }, scores: [{ key: "pass", value: 0 }], error });
    }
  };
  for (const { value, place } of listedValues(file, ["tests"], context, { rest })) {
    count += 1;
    const test = readShape(TEST, value, place, context);
    const row = test && rowOf(test, place, context);
    if (row !== undefined) yield row;
  }
  yield* broken;
}

// pytest.ExitCode.INTERRUPTED
const INTERRUPTED = 2;
// `COUNTED` is made of the tests.
const COUNTED = ["passed", "failed", "error", "skipped", "xfailed", "xpassed", "collected", "deselected", "rerun"];
const REPORT = z
  .object({
    created: anyField,
    exitcode: anyField,
    duration: numberField,
    summary: z.object({ total: numberField }).register(LEFT_OUT, COUNTED).nullish(),
    collectors: z
      .array(
        z
          .object({ nodeid: z.string(), outcome: textField, longrepr: anyField })
          .register(LEFT_OUT, ["result", "crash"]),
      )
      .nullish(),
  })
  .register(LEFT_OUT, ["tests", "root", "environment", "warnings"]);

const STAGE = z
  .object({ duration: numberField, outcome: textField, longrepr: anyField })
  // The text of an error has them, too.
  .register(LEFT_OUT, ["crash", "traceback", "stdout", "stderr", "log"])
  .nullish();
const TEST = z
  .object({
    nodeid: z.string(),
    outcome: z.string(),
    setup: STAGE,
    call: STAGE,
    teardown: STAGE,
    metadata: objectField,
    user_properties: z.array(z.custom<JsonObject>(isJsonObject, { error: "an object" })).nullish(),
  })
  .register(LEFT_OUT, ["lineno", "keywords"]);
type Test = z.infer<typeof TEST>;

// An expected failure says as little about the case as a skipped test.
const VERDICTS: ReadonlyMap<string, number | undefined> = new Map([
  ["passed", 1],
  ["xpassed", 1],
  ["failed", 0],
  ["error", 0],
  ["skipped", undefined],
  ["xfailed", undefined],
]);

function rowOf(test: Test, place: ShapePlace, context: FormatContext): SourceRow | undefined {
  if (!VERDICTS.has(test.outcome)) {
    context.fault(place, `\`${place.path ?? ""}.outcome\` is not a known outcome of a test`);
    return undefined;
  }
  const properties = [test.metadata ?? {}, ...(test.user_properties ?? [])].flatMap((object) => Object.entries(object));
  // The parts of a node id, but for those in the id of a parameter, which a user writes.
  const bracket = test.nodeid.indexOf("[");
  const end = bracket < 0 ? test.nodeid.length : bracket;
  const [file = "", ...titles] = test.nodeid.slice(0, end).split("::");
  // A failed assertion is a score, not an error; a failure before or after the test is an error.
  const value = VERDICTS.get(test.outcome);
  const comment = test.outcome === "failed" ? errorText(test.call?.longrepr) : undefined;
  const errors = [test.setup, test.teardown]
    .filter((stage) => stage?.outcome === "failed")
    .map((stage) => errorText(stage?.longrepr) ?? UNKNOWN_ERROR);
  return {
    place,
    inputs: { file, test: titles.join(" > ") + test.nodeid.slice(end) },
    scores: [
      ...(value === undefined ? [] : [{ key: "pass", value, comment }]),
      ...propertyScores(properties, ["pass"]),
    ],
    times: test.call?.duration === undefined ? undefined : { milliseconds: test.call.duration * 1000 },
    error: errors.length === 0 ? undefined : errors.join("\n\n"),
    metadata: metadataOf(withoutScores(properties), {}),
  };
}
