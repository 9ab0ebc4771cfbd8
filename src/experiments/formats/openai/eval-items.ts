import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { JsonPeek } from "../../../files/json/peek.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { caseReader, type CaseParts } from "../table/case-parts.ts";
import { errorText, factsOf, ScoreKeys, UNKNOWN_ERROR } from "../shared/tool-values.ts";
import { recordList } from "../table/container-records.ts";
import { listedFields } from "../shared/listed-values.ts";
import { Fields } from "../shared/fields.ts";

/** The output items of a run of OpenAI's Evals API: a page of its list, a list of them, or one a line. */
export const openaiEvalItems: ResultFormat = {
  tool: "openai",
  detect: ({ json }) => isPage(json) || json.topKeys.includes(ITEM),
  rows: function* (file, context) {
    const partsOf = caseReader();
    const list = () =>
      recordList(file, context).map(({ record, place }) => Fields.of(record, place, context, LEFT_OUT));
    for (const item of isPage(file.json) ? pageItems(file, context) : list()) {
      const row = rowOf(item, partsOf);
      const metadata = factsOf({ evalId: item.text("eval_id"), runId: item.text("run_id") });
      if (!item.end()) continue;
      context.describeRun({ metadata });
      yield row;
    }
  },
};

const ITEM = "datasource_item_id";
const LEFT_OUT = ["id", "object", "created_at"];

function isPage(json: JsonPeek): boolean {
  return json.kind === "object" && json.topKeys.includes("data") && json.keysAt(["data"]).includes(ITEM);
}

function pageItems(file: ResultFile, context: FormatContext): Iterable<Fields> {
  return listedFields(file, context, {
    path: ["data"],
    leftOut: LEFT_OUT,
    leftOutAround: ["object", "first_id", "last_id"],
    runOf: (page) => {
      const missing = "`has_more` is true: the items of further pages are missing. Write the items of all pages";
      if (page.value("has_more") === true) context.fault({ file: file.name }, missing);
      return {};
    },
  });
}

function rowOf(row: Fields, partsOf: (item: JsonObject) => CaseParts): SourceRow {
  const sample = row.object("sample", ["seed", "temperature", "top_p", "max_completion_tokens"]);
  const source = row.record("datasource_item");
  // A line of the file of a data source holds its case below `item`.
  const { item, ...rest } = source ?? {};
  const isWrapped = isJsonObject(item) && Object.keys(rest).length === 0;
  const { inputs, expected } = partsOf(isWrapped ? item : (source ?? {}));
  const [input, error, status] = [sample.given("input"), sample.value("error"), row.text("status")];
  const code = isJsonObject(error) ? error["code"] : undefined;
  const said = errorText(isJsonObject(error) && code !== undefined ? { ...error, name: code } : error);
  const isBroken = status === "error" || status === "errored";
  return {
    place: row.place,
    id: row.id(ITEM),
    inputs: source ? inputs : input,
    expected,
    outputs: outputOf(sample.records("output")),
    scores: scoresOf(row.list("results", ["type", "sample"]), status),
    error: said ?? (isBroken ? UNKNOWN_ERROR : undefined),
    usage: sample.record("usage"),
    metadata: factsOf({ model: sample.text("model"), finish_reason: sample.text("finish_reason") }),
  };
}

/** One message is its text; several, or one that calls tools, stay as they are. */
function outputOf(messages: readonly JsonObject[]): JsonValue | undefined {
  const [first] = messages;
  if (!first) return undefined;
  return messages.length === 1 && typeof first["content"] === "string" ? first["content"] : messages;
}

// Only what the API writes: any other status, such as `completed`, is no verdict.
const VERDICTS: ReadonlyMap<string, number> = new Map([
  ["pass", 1],
  ["passed", 1],
  ["fail", 0],
  ["failed", 0],
]);

function scoresOf(results: readonly Fields[], status = ""): readonly SourceScore[] {
  const keys = new ScoreKeys(["pass"]);
  const verdict = VERDICTS.get(status);
  const scores = results.map((result) => {
    const [score, passed] = [result.given("score"), result.flag("passed")];
    return { key: keys.next((result.text("name") ?? "").replace(GRADER_ID, "")), value: score ?? passed };
  });
  return verdict === undefined ? scores : [{ key: "pass", value: verdict }, ...scores];
}

// The API appends an id to the name of a grader.
const GRADER_ID = /-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
