import type { FormatContext, ResultFormat } from "./shared/format.ts";
import type { ResultFile } from "../rows/result-file.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import type { SourceRow } from "../rows/source-row.ts";
import { distinctScores, errorText, factsOf, rationaleOf, UNKNOWN_ERROR } from "./shared/tool-values.ts";
import { Fields } from "./shared/fields.ts";
import { listedFields } from "./shared/listed-values.ts";
import { workspacePaths } from "./shared/workspace-path.ts";

/** What `evalite run --outputPath` writes (0.19). */
export const evalite: ResultFormat = {
  tool: "evalite",
  detect: ({ json }) =>
    json.kind === "object" &&
    json.topKeys.includes("run") &&
    json.topKeys.includes("evals") &&
    json.keysAt(["run"]).includes("runType"),
  rows: readRows,
};

function* readRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const pathOf = workspacePaths(context, file.name);
  let count = 0;
  for (const suite of listedFields(file, context, EVALS)) {
    const [name, filepath, variant] = [suite.someText("name"), suite.text("filepath"), suite.text("variantName")];
    const results = suite.someValues("results");
    if (!suite.end()) continue;
    const { place } = suite;
    const source = { eval: name, file: filepath === undefined ? undefined : pathOf(filepath), variant };
    for (const [index, result] of results.entries()) {
      const at = { file: place.file, row: ++count, path: `${place.path ?? "evals"}.results.${index}` };
      const fields = Fields.of(result, at, context, LEFT_OUT_OF_RESULT);
      yield* fields.checked(rowOf(fields, source));
    }
  }
}

const EVALS = {
  path: ["evals"],
  isOfGroups: true,
  leftOut: ["id", "duration", "status", "variantGroup", "createdAt", "averageScore"],
  // Of the run there is a number and when it began, by a clock that its rows do not have.
  leftOutAround: ["run"],
};
const LEFT_OUT_OF_RESULT = ["id", "colOrder", "renderedColumns", "averageScore", "traces"];
const LEFT_OUT_OF_SCORE = ["id", "description", "createdAt"];

function rowOf(
  result: Fields,
  source: { readonly eval: string } & Readonly<Record<string, string | undefined>>,
): SourceRow {
  const [inputs, expected] = [result.value("input"), result.given("expected")];
  const [output, status] = [result.value("output"), result.text("status")];
  const scores = result.someList("scores", LEFT_OUT_OF_SCORE).map((score) => ({
    key: score.someText("name"),
    value: score.value("score"),
    comment: rationaleOf(score, "metadata"),
  }));
  // When the result was written, by the CURRENT_TIMESTAMP of SQLite: UTC, without saying so.
  const end = result.text("createdAt");
  // The error takes the place of the output; no field says so.
  const isBroken = status === "fail" && scores.length === 0;
  return {
    place: result.place,
    // Two evals, and two variants of one, may have the same inputs.
    id: canonicalJson([source.eval, inputs ?? null, expected ?? null]),
    inputs,
    expected,
    outputs: isBroken ? undefined : output,
    scores: distinctScores(scores),
    times: {
      end: end !== undefined && SQLITE_TIME.test(end) ? `${end.replace(" ", "T")}Z` : end,
      milliseconds: result.number("duration"),
    },
    error: isBroken ? (errorText(output) ?? UNKNOWN_ERROR) : undefined,
    runName: source.eval,
    metadata: factsOf(source),
  };
}

const SQLITE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
