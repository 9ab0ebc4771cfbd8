import * as z from "zod";
import type { FormatContext, ResultFormat } from "../shared/format.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
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
    broken.push(...(report.collectors ?? []).filter(({ outcome }) => outcome === "failed").map(brokenFile(file)));
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

/** A file that does not load has no tests: a row with an error stands for them. */
function brokenFile({ name }: ResultFile) {
  return ({ nodeid, longrepr }: { readonly nodeid: string; readonly longrepr?: JsonValue | undefined }): SourceRow => ({
    place: { file: name },
    inputs: { file: nodeid },
    scores: [{ key: "pass", value: 0 }],
    error: errorText(longrepr) ?? UNKNOWN_ERROR,
  });
}

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
  return {
    place,
    inputs: inputsOf(test.nodeid),
    scores: [...verdictOf(test), ...propertyScores(properties, ["pass"])],
    times: test.call?.duration === undefined ? undefined : { milliseconds: test.call.duration * 1000 },
    error: errorOf(test),
    metadata: metadataOf(withoutScores(properties), {}),
  };
}

function verdictOf({ outcome, call }: Test): readonly SourceScore[] {
  const value = VERDICTS.get(outcome);
  if (value === undefined) return [];
  const comment = outcome === "failed" ? errorText(call?.longrepr) : undefined;
  return [{ key: "pass", value, comment }];
}

/** A failed assertion is a score, not an error; a failure before or after the test is an error. */
function errorOf({ setup, teardown }: Test): string | undefined {
  const broken = [setup, teardown].filter((stage) => stage?.outcome === "failed");
  return broken.length === 0
    ? undefined
    : broken.map((stage) => errorText(stage?.longrepr) ?? UNKNOWN_ERROR).join("\n\n");
}

/** The parts of a node id, but for those in the id of a parameter, which a user writes. */
function inputsOf(nodeid: string): JsonObject {
  const [path = "", parameters = ""] = splitAt(nodeid, nodeid.indexOf("["));
  const [file = "", ...titles] = path.split("::");
  return { file, test: titles.join(" > ") + parameters };
}

function splitAt(text: string, index: number): readonly string[] {
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index)];
}
