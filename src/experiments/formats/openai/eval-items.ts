import * as z from "zod";
import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import type { JsonPeek } from "../../../files/json/peek.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { caseReader, type CaseParts } from "../table/case-parts.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import { recordList } from "../table/container-records.ts";
import { listedValues } from "../shared/listed-values.ts";
import { LEFT_OUT } from "../shared/ledger.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { ScoreKeys } from "../shared/scores.ts";
import { anyField, booleanField, objectField, readShape, textField, type ShapePlace } from "../shared/shape.ts";

/** The output items of a run of OpenAI's Evals API: a page of its list, a list of them, or one a line. */
export const openaiEvalItems: ResultFormat = {
  name: "openai-eval-items",
  detect: ({ json }) => isPage(json) || json?.topKeys.includes(ITEM) === true,
  rows: function* (file, context) {
    context.describeRun({ tool: "openai" });
    const partsOf = caseReader();
    const records = () => recordList(file, context).map(({ record, place }) => ({ value: record, place }));
    for (const { value, place } of isPage(file.json) ? pageItems(file, context) : records()) {
      const item = readShape(ROW, value, place, context);
      if (item === undefined) continue;
      context.describeRun({ metadata: metadataOf(undefined, { evalId: item.eval_id, runId: item.run_id }) });
      yield rowOf(item, place, partsOf);
    }
  },
};

const ITEM = "datasource_item_id";

function isPage(json: JsonPeek | undefined): boolean {
  return json?.kind === "object" && json.topKeys.includes("data") && json.keysAt(["data"]).includes(ITEM);
}

function pageItems(file: ResultFile, context: FormatContext) {
  const rest = (page: JsonValue) => {
    context.ledger.look(PAGE, page);
    if (!isJsonObject(page) || page["has_more"] !== true) return;
    const missing = "`has_more` is true: the items of further pages are missing. Write the items of all pages";
    context.fault({ file: file.name }, missing);
  };
  return listedValues(file, ["data"], context, { rest });
}

const PAGE = z.object({ has_more: anyField }).register(LEFT_OUT, ["data", "object", "first_id", "last_id"]);

const ROW = z
  .object({
    datasource_item_id: z.union([z.string(), z.number()]).nullish(),
    datasource_item: objectField,
    eval_id: textField,
    run_id: textField,
    status: textField,
    results: z
      .array(
        z
          .object({ name: textField, score: anyField, passed: booleanField.nullish() })
          .register(LEFT_OUT, ["type", "sample"]),
      )
      .nullish(),
    sample: z
      .object({
        input: anyField,
        output: z.array(z.custom<JsonObject>(isJsonObject, { error: "an object" })).nullish(),
        model: textField,
        finish_reason: textField,
        usage: objectField,
        error: anyField,
      })
      .register(LEFT_OUT, ["seed", "temperature", "top_p", "max_completion_tokens"])
      .nullish(),
  })
  .register(LEFT_OUT, ["id", "object", "created_at"]);
type Row = z.infer<typeof ROW>;

function rowOf(row: Row, place: ShapePlace, partsOf: (item: JsonObject) => CaseParts): SourceRow {
  const { sample } = row;
  // A line of the file of a data source holds its case below `item`.
  const { item, ...rest } = row.datasource_item ?? {};
  const isWrapped = isJsonObject(item) && Object.keys(rest).length === 0;
  const { inputs, expected } = partsOf(isWrapped ? item : (row.datasource_item ?? {}));
  const error = sample?.error;
  const code = isJsonObject(error) ? error["code"] : undefined;
  const said = errorText(isJsonObject(error) && code !== undefined ? { ...error, name: code } : error);
  const isBroken = row.status === "error" || row.status === "errored";
  return {
    place,
    id: row.datasource_item_id ?? undefined,
    inputs: row.datasource_item == null ? (sample?.input ?? undefined) : inputs,
    expected,
    outputs: outputOf(sample?.output ?? []),
    scores: scoresOf(row),
    error: said ?? (isBroken ? UNKNOWN_ERROR : undefined),
    usage: sample?.usage ?? undefined,
    metadata: metadataOf(undefined, {
      model: sample?.model ?? undefined,
      finish_reason: sample?.finish_reason ?? undefined,
    }),
  };
}

/** One message is its text; several, or one that calls tools, stay as they are. */
function outputOf(messages: readonly JsonObject[]): JsonValue | undefined {
  const [first] = messages;
  if (first === undefined) return undefined;
  return messages.length === 1 && typeof first["content"] === "string" ? first["content"] : messages;
}

const VERDICTS: ReadonlyMap<string, number> = new Map([
  ["pass", 1],
  ["passed", 1],
  ["fail", 0],
  ["failed", 0],
]);

function scoresOf({ status, results }: Row): readonly SourceScore[] {
  const keys = new ScoreKeys(["pass"]);
  const verdict = VERDICTS.get(status ?? "");
  const scores = (results ?? []).map(({ name, score, passed }) => ({
    key: keys.next((name ?? "").replace(GRADER_ID, "")),
    value: score ?? passed ?? undefined,
  }));
  return verdict === undefined ? scores : [{ key: "pass", value: verdict }, ...scores];
}

// The API appends an id to the name of a grader.
const GRADER_ID = /-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
