import type { ColumnRole, PartRole, SeenColumn } from "../rows/columns.ts";
import type { ResultFormat } from "./shared/format.ts";
import { isJsonObject, type JsonValue } from "../../files/json/value.ts";
import { csvHead } from "./shared/csv-file.ts";
import { csvTable } from "./table/csv-table.ts";
import { readPythonLiteral } from "./shared/python-literal.ts";
import { isFactName } from "./table/column-claims.ts";
import { isNeverScore } from "./table/column-names.ts";
import { ColumnRoles, type DecidedColumns } from "./table/column-roles.ts";
import type { ColumnSample } from "./table/column-sample.ts";

/** What `to_pandas().to_csv()` makes of a result of ragas; metrics are all columns of numbers. */
export const ragasCsv: ResultFormat = {
  tool: "ragas",
  detect: (file) => {
    const names = new Set(csvHead(file).header);
    return SIGNS.some((sign) => sign.every((name) => names.has(name)));
  },
  rows: (file, context) => csvTable(file, context, { decide, partOfCell }),
};

/** What ragas writes itself has its own names; columns that a user joined to it are read as those of any table. */
function decide(samples: readonly ColumnSample[]): DecidedColumns {
  const others = new ColumnRoles(samples.filter(({ name }) => !ROLES.has(name)));
  const byName = new Map(others.decided.map((column) => [column.name, column]));
  const parts = new Set(samples.map(({ name }) => ROLES.get(name)?.part));
  const decided = samples.map((sample) => {
    const { name, kind } = sample;
    const role = ROLES.get(name);
    return role ? { name, kind, role } : joined(sample, byName.get(name)?.role, parts);
  });
  return { decided, late: (sample) => joined(sample, others.late(sample).role, parts) };
}

/** `parts` are those that the columns of ragas hold: a joined one adds nothing to them. */
function joined(
  { name, kind }: ColumnSample,
  role: ColumnRole | undefined,
  parts: ReadonlySet<ColumnRole["part"] | undefined>,
): SeenColumn {
  const isPart = role?.part === "inputs" || role?.part === "expected" || role?.part === "outputs";
  if (role && !(isPart && parts.has(role.part))) return { name, kind, role };
  // A metric that broke in all samples is a score without a number, known by the header alone.
  const isMetric = kind === "nothing" && !isNeverScore(name) && !isFactName(name);
  return { name, kind, role: isMetric ? { part: "score", key: name } : { part: "metadata", key: name } };
}

/** Columns of which one set is in every file; the second is that of ragas before 0.2. */
const SIGNS = [
  ["user_input", "response"],
  ["user_input", "retrieved_contexts"],
  ["user_input", "reference"],
  ["question", "answer", "contexts"],
  ["question", "contexts", "ground_truth"],
  ["question", "answer", "ground_truth"],
];

const INPUTS = ["user_input", "retrieved_contexts", "retrieved_context_ids", "question", "contexts"];
const EXPECTED = [
  ...["ground_truths", "reference_contexts", "reference_context_ids", "reference_tool_calls", "reference_topics"],
  "rubrics",
];
const ABOUT_SAMPLES = [
  ...["persona_name", "query_style", "query_length", "synthesizer_name", "evolution_type", "episode_done"],
];

const ROLES: ReadonlyMap<string, ColumnRole> = new Map<string, ColumnRole>([
  ["", { part: "skipped" }],
  ["Unnamed: 0", { part: "skipped" }],
  ...INPUTS.map((key): [string, ColumnRole] => [key, { part: "inputs", key }]),
  ...["reference", "ground_truth"].map((name) => whole(name, "expected")),
  ...EXPECTED.map((key): [string, ColumnRole] => [key, { part: "expected", key }]),
  ...["response", "answer"].map((name) => whole(name, "outputs")),
  ["multi_responses", { part: "outputs", key: "multi_responses" }],
  ...ABOUT_SAMPLES.map((key): [string, ColumnRole] => [key, { part: "metadata", key }]),
]);

function whole(name: string, part: "expected" | "outputs"): [string, ColumnRole] {
  return [name, { part, key: undefined }];
}

/**
 * A cell as Python's value: lists and conversations are written by repr. A cell without anything is a text in a column
 * of texts, and no list in one of lists.
 */
function partOfCell({ key }: PartRole, cell: string): JsonValue | undefined {
  if (cell === "nan") return undefined;
  const isText = key === undefined || TEXTS.has(key);
  if (cell === "") return isText ? cell : undefined;
  const value = /^[[{(]/.test(cell) ? readPythonLiteral(cell) : undefined;
  if (value === undefined || !isText) return value ?? cell;
  // A text may look like a list; only the messages of a sample of many turns are one.
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject) ? value : cell;
}

const TEXTS: ReadonlySet<string> = new Set(["user_input", "question"]);
