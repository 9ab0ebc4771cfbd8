import type { ColumnRole } from "../rows/columns.ts";
import type { FormatContext, ResultFormat } from "./shared/format.ts";
import { isJsonObject, type JsonObject, type JsonValue, NOT_A_NUMBER, textIn } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import { quotedName } from "../../text/quoted.ts";
import { RowDraft } from "./table/row-draft.ts";
import { readScore } from "../rows/score.ts";
import type { SourceRow, SourceScore } from "../rows/source-row.ts";
import { factsOf, wordScore } from "./shared/tool-values.ts";
import { namesIn } from "./shared/csv-file.ts";
import { listedValues } from "./shared/listed-values.ts";
import { namedRecords } from "./table/tool-record.ts";
import { Fields } from "./shared/fields.ts";
import { rolesOfNames } from "./table/column-roles.ts";

/** What `evaluate()` of azure-ai-evaluation writes as JSON (1.18), and its rows as JSONL, as a list or as CSV. */
export const azureAi: ResultFormat = {
  tool: "azure-ai-evaluation",
  detect: (file) => {
    if (isDocument(file)) return true;
    const names = namesIn(file);
    return names.some((name) => name.startsWith(CASE)) && names.some((name) => TWICE.test(name));
  },
  rows: readRows,
};

const ROWS = "rows";
const CASE = "inputs.";
const OUTPUT = "outputs.";

function isDocument({ json }: ResultFile): boolean {
  if (json.kind !== "object" || !json.topKeys.includes("metrics")) return false;
  return json.keysAt([ROWS]).some((key) => key.startsWith(CASE));
}

/** Of the evaluators that come with the package, the name stands twice: `outputs.relevance.relevance`. */
const TWICE = /^outputs\.([^.]+)\.(?:gpt_)?\1(?:_|$)/;

function* documentRecords(file: ResultFile, context: FormatContext) {
  const rest = (document: JsonValue) => {
    const run = Fields.of(document, { file: file.name }, context, ["oai_eval_run_ids"]);
    const [metrics = {}, studio_url] = [run.record("metrics"), run.text("studio_url")];
    if (!run.end()) return;
    const summaryScores = Object.entries(metrics)
      .filter(([name, value]) => value !== null && !isSecond(name, (other) => Object.hasOwn(metrics, other)))
      .map(([name, value]) => ({ key: scoreKey(name), value }));
    context.describeRun({ summaryScores, metadata: factsOf({ studio_url }) });
  };
  for (const { value, place } of listedValues(file, [ROWS], context, { rest })) {
    if (isJsonObject(value)) yield { record: value, place };
    else context.fault(place, "a row is not an object");
  }
}

/** `relevance.relevance` is the metric of its evaluator, and `rouge.rouge_recall` names its own in itself. */
function scoreKey(name: string): string {
  const dot = name.indexOf(".");
  const [evaluator, metric] = [name.slice(0, dot), name.slice(dot + 1)];
  return metric === evaluator || metric.startsWith(`${evaluator}_`) ? metric : name;
}

/** What an evaluator says besides its scores, by the end of the name. */
const NO_SCORE =
  /_(?:reason|status|threshold|properties|details|model|finish_reason|sample_input|sample_output|tokens|id)$/;

const RATING = "_score";

/**
 * True for the number beside a word: content safety says "Very low" under its plain name, and the severity as
 * `sexual_score`. Beside a number it is a copy.
 */
function isRating(name: string, record: JsonObject): boolean {
  if (!name.endsWith(RATING) || !Object.hasOwn(record, name)) return false;
  const plain = name.slice(0, -RATING.length);
  const word = record[plain];
  if (!Object.hasOwn(record, plain) || isNumber(word) || typeof word === "boolean") return false;
  // A verdict such as "pass" is a score itself.
  return typeof word === "string" ? typeof wordScore(word) === "string" : isNumber(record[name]);
}

function isNumber(value: JsonValue | undefined): boolean {
  return typeof value !== "boolean" && readScore({ key: "score", value }).score?.number !== undefined;
}

/** True for a number that the same evaluator gives under its plain name too, and for a verdict that it gives twice. */
function isSecond(name: string, has: (name: string) => boolean): boolean {
  if (name.endsWith(RATING) && has(name.slice(0, -RATING.length))) return true;
  if (name.endsWith("_result") && has(`${name.slice(0, -"_result".length)}_passed`)) return true;
  return name.includes(".gpt_") && has(name.replace(".gpt_", "."));
}

function* readRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const isCsv = file.json.kind === "none";
  /** Whether a column holds numbers: a text in between is a score that would be lost. */
  const areNumbers = new Map<string, boolean>();
  let roleOfCase: ReturnType<typeof rolesOfNames> | undefined;
  const records = isDocument(file) ? documentRecords(file, context) : namedRecords(file, context);
  for (const { record, place } of records) {
    const draft = new RowDraft();
    const scores: SourceScore[] = [];
    const has = (name: string) => Object.hasOwn(record, name);
    const fault = (message: string) => {
      context.fault(place, message);
    };
    for (const [name, value] of Object.entries(record)) {
      // In CSV nothing and an empty text are one.
      if (value === null || value === NOT_A_NUMBER ? !name.startsWith(OUTPUT) : isCsv && value === "") continue;
      const key = name.slice(OUTPUT.length);
      if (name.startsWith(CASE)) {
        roleOfCase ??= rolesOfNames(
          Object.keys(record).flatMap((other) => (other.startsWith(CASE) ? other.slice(CASE.length) : [])),
        );
        draft.add(name, caseRole(name.slice(CASE.length), roleOfCase), value);
      } else if (!name.startsWith(OUTPUT)) draft.add(name, { part: "metadata", key: name }, value);
      else if (!key.includes(".")) draft.add(name, { part: "outputs", key }, value ?? undefined);
      else if (!isRating(name, record) && isSecond(name, has)) continue;
      // A word whose number is beside it is none itself.
      else if (!isRating(`${name}${RATING}`, record) && isScore(name, value, areNumbers, fault)) {
        const plain = isRating(name, record) ? name.slice(0, -RATING.length) : name;
        const comment = textIn(record[`${plain}_reason`]) || undefined;
        scores.push({ key: scoreKey(plain.slice(OUTPUT.length)), value: wordScore(value), comment });
      } else if (value !== null) draft.add(name, { part: "metadata", key }, value);
    }
    draft.faults.forEach(fault);
    if (draft.faults.length === 0) yield { ...draft.row(place), scores };
  }
}

function caseRole(key: string, roleOf: ReturnType<typeof rolesOfNames>): ColumnRole {
  const role = roleOf(key);
  if (role?.part === "expected" || role?.part === "outputs" || role?.part === "id") return role;
  // Where in the file of the cases it stood, in runs with a target only.
  return key === "line_number" ? { part: "metadata", key } : { part: "inputs", key };
}

function isScore(
  name: string,
  value: JsonValue,
  areNumbers: Map<string, boolean>,
  fault: (message: string) => void,
): boolean {
  if (NO_SCORE.test(name)) return false;
  const before = areNumbers.get(name);
  if (value === null || value === NOT_A_NUMBER) return before !== false;
  const isNumber = readScore({ key: name, value: wordScore(value) }).score !== undefined;
  areNumbers.set(name, before ?? isNumber);
  if (before !== undefined && before !== isNumber) {
    const [now, then] = isNumber ? ["a number", "a text"] : ["a text", "a number"];
    fault(`${quotedName(name)} is ${now} here, but ${then} in earlier rows`);
  }
  return isNumber;
}
