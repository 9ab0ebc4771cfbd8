import * as z from "zod";
import type { FormatContext, ResultFormat } from "./shared/format.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import type { JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import type { SourceRow } from "../rows/source-row.ts";
import { errorText, UNKNOWN_ERROR } from "./shared/error-text.ts";
import { LEFT_OUT } from "./shared/ledger.ts";
import { listedValues } from "./shared/listed-values.ts";
import { rationaleField, rationaleOf, ScoreKeys } from "./shared/scores.ts";
import { metadataOf } from "./shared/row-metadata.ts";
import { anyField, numberField, readShape, textField } from "./shared/shape.ts";
import { WorkspacePaths } from "./shared/workspace-path.ts";

/** What `evalite run --outputPath` writes (0.19). */
export const evalite: ResultFormat = {
  name: "evalite",
  detect: ({ json }) =>
    json?.kind === "object" &&
    json.topKeys.includes("run") &&
    json.topKeys.includes("evals") &&
    json.keysAt(["run"]).includes("runType"),
  rows: readRows,
};

function* readRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  context.describeRun({ tool: "evalite" });
  const paths = new WorkspacePaths(context, file.name);
  let count = 0;
  const rest = (document: JsonValue) => {
    context.ledger.look(DOCUMENT, document);
  };
  for (const { value, place } of listedValues(file, ["evals"], context, { rest, isOfGroups: true })) {
    const suite = readShape(SUITE, value, place, context);
    for (const [index, row] of suite?.results.entries() ?? []) {
      const path = `${place.path ?? "evals"}.results.${index}`;
      const at = { file: place.file, row: ++count, path };
      const result = readShape(RESULT, row, at, context);
      if (suite === undefined || result === undefined) continue;
      yield rowOf(result, suite, at, paths);
    }
  }
}

// Of the run there is a number and when it began, by a clock that its rows do not have.
const DOCUMENT = z.object({}).register(LEFT_OUT, ["run", "evals"]);

const SUITE = z
  .object({
    name: z.string(),
    filepath: textField,
    variantName: textField,
    results: z.array(z.custom<JsonValue>()),
  })
  .register(LEFT_OUT, ["id", "duration", "status", "variantGroup", "createdAt", "averageScore"]);
type Suite = z.infer<typeof SUITE>;

const SCORE = z
  .object({ name: z.string(), score: anyField, metadata: rationaleField })
  .register(LEFT_OUT, ["id", "description", "createdAt"]);
const RESULT = z
  .object({
    duration: numberField,
    input: anyField,
    output: anyField,
    expected: anyField,
    status: textField,
    createdAt: textField,
    scores: z.array(SCORE),
  })
  .register(LEFT_OUT, ["id", "colOrder", "renderedColumns", "averageScore", "traces"]);
type Result = z.infer<typeof RESULT>;

function rowOf(result: Result, suite: Suite, place: FilePlace, paths: WorkspacePaths): SourceRow {
  // Null where there is none.
  const expected = result.expected ?? undefined;
  const inputs = result.input;
  // The error takes the place of the output; no field says so.
  const isBroken = result.status === "fail" && result.scores.length === 0;
  const keys = new ScoreKeys();
  // When the result was written, by the CURRENT_TIMESTAMP of SQLite: UTC, without saying so.
  const end = result.createdAt ?? undefined;
  return {
    place,
    // Two evals, and two variants of one, may have the same inputs.
    id: canonicalJson([suite.name, inputs ?? null, expected ?? null]),
    inputs,
    expected,
    outputs: isBroken ? undefined : result.output,
    scores: result.scores.map(({ name, score, metadata }) => ({
      key: keys.next(name),
      value: score,
      comment: rationaleOf(metadata),
    })),
    times: {
      end: end !== undefined && SQLITE_TIME.test(end) ? `${end.replace(" ", "T")}Z` : end,
      milliseconds: result.duration,
    },
    error: isBroken ? (errorText(result.output) ?? UNKNOWN_ERROR) : undefined,
    runName: suite.name,
    metadata: metadataOf(undefined, {
      eval: suite.name,
      file: suite.filepath == null ? undefined : paths.relative(suite.filepath),
      variant: suite.variantName ?? undefined,
    }),
  };
}

const SQLITE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
