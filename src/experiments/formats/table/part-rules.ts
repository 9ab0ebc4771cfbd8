import type { ColumnRole } from "../../rows/columns.ts";
import { plainName, words } from "./column-names.ts";
import { type ColumnSample, isNumeric } from "./column-sample.ts";

/** A part of a row that one column of a table is chosen for. */
export type ChosenPart =
  | "inputs"
  | "expected"
  | "outputs"
  | "id"
  | "repetition"
  | "error"
  | "start"
  | "end"
  | "latency"
  | "cost";

/** A rule by which a column is a part of a row. Columns of one rule stand together, where they have keys or begin alike. */
export interface PartRule {
  readonly part: ChosenPart;
  /** Spellings of one thing, without regard to case, blanks, `-`, `_` and `.`: of those in a table the first is taken. */
  readonly names: readonly string[];
  /** How names begin that have more behind. */
  readonly beginnings?: readonly NameBeginning[];
  /** True where any key may stand behind a dot, also one that a score or a fact is called by: `inputs.max_tokens`. */
  readonly takesKeys?: true;
  /** True where the column joins that of the first rule of the part. */
  readonly joins?: true;
  /** True where another column of such a rule comes before it whose values are more like those of the output. */
  readonly byValues?: true;
  /** True where the name means something else in the table. */
  readonly unless?: (sample: ColumnSample, table: SeenNames) => boolean;
}

/** A beginning of a name, with more words behind. */
interface NameBeginning {
  readonly words: RegExp;
  /** True where even numbers are not scores. */
  readonly isSure: boolean;
  /** True where any field of a record may follow: the text of `expected_date` is a part, that of `output_id` is not. */
  readonly takesFields: boolean;
  /** True where it is one only beside `expected_…` of the same. */
  readonly isPaired?: true;
}

/** What a column is by a rule. */
export interface ColumnClaim {
  readonly sample: ColumnSample;
  readonly rule: PartRule;
  /** Which name of the rule it has. */
  readonly place: number;
  /** What stands behind the dot of `inputs.question`: columns with keys make a part together. */
  readonly key: string | undefined;
  readonly role: ColumnRole;
}

/** What is known of a table when a column is chosen. */
export interface SeenNames {
  /** The columns by their plain names. */
  readonly names: ReadonlyMap<string, ColumnSample>;
  readonly claims: readonly ColumnClaim[];
  /** The first column that was chosen for each part. */
  readonly chosen: ReadonlyMap<ChosenPart, ColumnClaim>;
}

const TEXTS = words("answer response output text reply");
const composed = (owners: readonly string[], texts: readonly string[]) =>
  owners.flatMap((owner) => texts.map((text) => `${owner}_${text}`));
const OUTPUTS = composed(words("model llm bot generated final predicted actual"), TEXTS);
const EXPECTED = composed(
  words("correct right gold true ground_truth reference ideal"),
  TEXTS.flatMap((text) => [text, `${text}s`]),
);
const ACTUAL = composed(["actual"], TEXTS);

/** Names of an owner and a text, such as `bot_reply` and `correct_answers`. */
export const COMPOSED_NAMES: ReadonlySet<string> = new Set([...OUTPUTS, ...EXPECTED]);

const rules = (
  part: ChosenPart,
  lines: readonly (string | readonly string[])[],
  more: Omit<Partial<PartRule>, "names" | "part"> = {},
): readonly PartRule[] => lines.map((names) => ({ part, names: [names].flat(), ...more }));

/**
 * The rules in the order in which they are tried: of two of one part that fit, the upper one is taken. What an answer or a
 * label is depends on the outputs, and what an id names on the inputs, so these are chosen before.
 */
export const PART_RULES: readonly PartRule[] = [
  ...rules("outputs", [["outputs", "output"]], { takesKeys: true }),
  ...rules("outputs", [["actual_outputs", "actual_output"]], { takesKeys: true, unless: mayBeExpected }),
  ...rules("outputs", [
    ...words("model_output output_text response completion generation generated predicted_answer"),
    words("prediction predictions pred preds"),
    ...words("predicted predicted_label attributes.output.value"),
  ]),
  ...rules("outputs", [...OUTPUTS, "answer", "actual"], { unless: mayBeExpected }),
  ...rules("outputs", ["result"], { unless: isVerdictOrScore }),
  {
    part: "outputs",
    names: [],
    beginnings: [
      { words: /^(?:actual_)?outputs?_(.+)$/, isSure: false, takesFields: false },
      { words: /^actual_(.+)$/, isSure: false, takesFields: true, isPaired: true },
      { words: /^pred_(.+)$/, isSure: true, takesFields: true },
      { words: /^predicted_(?!(?:at|by)$)(.+)$/, isSure: false, takesFields: true },
    ],
  },

  ...rules("expected", [["expected_outputs", "expected_output", "expected"]], { takesKeys: true }),
  ...rules("expected", ["expected_response"]),
  // `expected…` leaves no doubt. Of all other names the values decide.
  ...rules("expected", [["reference_outputs", "reference_output", "reference"]], { takesKeys: true, byValues: true }),
  ...rules(
    "expected",
    [
      "reference_answer",
      ["ground_truth", "ground_truths"],
      "gold_answer",
      "gold",
      ["gold_label", "true_label"],
      "ideal",
      ["target", "targets"],
      "expectations",
    ],
    { byValues: true },
  ),
  ...rules("expected", EXPECTED, { byValues: true, unless: isVerdictOfOutput }),
  { part: "expected", names: [], beginnings: [{ words: /^expected_(.+)$/, isSure: true, takesFields: true }] },
  // Beside a final answer it may be all that the model wrote.
  ...rules("expected", ["answer"], {
    byValues: true,
    unless: (_, { chosen }) => {
      const output = chosen.get("outputs");
      return !output || output.rule.beginnings !== undefined || plainName(output.sample.name).startsWith("final");
    },
  }),
  ...rules("expected", ["actual"], {
    byValues: true,
    unless: (_, { chosen }) => !plainName(chosen.get("outputs")?.sample.name ?? "").startsWith("predict"),
  }),
  ...rules("expected", ACTUAL, { byValues: true, unless: ({ name }, table) => !isActualOfPair(name, table) }),
  // A label may also be what a judge says, with an explanation; or a class, where the output is one.
  ...rules("expected", ["label"], {
    byValues: true,
    unless: (sample, { chosen, names }) => {
      const output = chosen.get("outputs")?.sample;
      if (!output || isJudging(sample) || names.has("explanation")) return true;
      return isNumeric(output.kind) && !isNumeric(sample.kind);
    },
  }),

  ...rules("inputs", [["inputs", "input"]], { takesKeys: true }),
  ...rules("inputs", words("user_input question query request problem messages prompt attributes.input.value")),
  // As in the tables of Alpaca: each of the two alone is the same for many cases.
  ...rules("inputs", ["instruction"], { joins: true }),
  ...rules("inputs", words("task doc")),

  // What names the case in every run of the evaluation; the id of a run or a trace is never among them.
  ...rules("id", words("example_id reference_example_id dataset_example_id dataset_item_id")),
  ...rules("id", words("case_id test_case_id test_id sample_id instance_id")),
  // These may be ids of a category, of a template or of a source.
  ...rules("id", words("doc_id task_id question_id query_id qid prompt_id"), {
    unless: (ids, table) => !namesCases(ids, table),
  }),
  ...rules("id", words("row_id id")),
  ...rules("repetition", words("repetition_number repetition trial epoch attempt")),
  ...rules("error", words("error error_message exception")),
  ...rules("start", words("start_time started_at start_timestamp start")),
  ...rules("end", words("end_time ended_at finished_at completed_at end_timestamp end")),
  // A unit may stand behind each: `latency_ms`, `Duration (s)`.
  ...rules("latency", words("latency duration execution_time execution_duration response_time elapsed_time elapsed")),
  ...rules("cost", words("total_cost cost total_cost_usd cost_usd total_estimated_cost estimated_cost")),
];

/** What stands behind `actual` in a name; empty for any other. */
function behindActual(name: string): string {
  return /^actual(.+)$/.exec(plainName(name))?.[1] ?? "";
}

/** True for `actual_answer` beside `predicted_answer`: it is what was expected. */
function isActualOfPair(name: string, { names }: SeenNames): boolean {
  const rest = behindActual(name);
  return rest !== "" && names.has(`predicted${rest}`);
}

/** The same also beside a plain `answer`: neither is known to be the output of the two by its name. */
function mayBeExpected({ name }: ColumnSample, table: SeenNames): boolean {
  const rest = behindActual(name);
  return isActualOfPair(name, table) || ((rest === "answer" || rest === "response") && table.names.has(rest));
}

/** True for words with which a judge says what is right; yes and no may be answers as well. */
function isJudging({ kind, pair }: ColumnSample): boolean {
  return kind === "word" && pair !== "truth" && pair !== "agreement";
}

/** A result may be what the judge says: a verdict, or a number where no number is expected. */
function isVerdictOrScore(sample: ColumnSample, { claims }: SeenNames): boolean {
  if (!isNumeric(sample.kind)) return isJudging(sample);
  return !claims.some(({ rule, sample: { kind } }) => rule.part === "expected" && isNumeric(kind));
}

function namesCases(ids: ColumnSample, { claims, chosen }: SeenNames): boolean {
  const share = idsOfInput(ids, chosen.get("inputs")?.sample);
  // Many inputs share each of the values of a category or a template.
  if (share < 0.5) return false;
  // Of fewer ids than inputs, one has several: then another column that names each row names the cases.
  const isBetter = ({ rule, sample: { facts, name } }: ColumnClaim) =>
    rule.part === "id" && name !== ids.name && facts.isUnique && facts.count >= ids.facts.count;
  return share >= 1 || !claims.some(isBetter) || claims.some(({ rule }) => rule.part === "repetition");
}

/** How many ids there are for each of the inputs; 1 where that is not known. */
function idsOfInput(ids: ColumnSample, inputs: ColumnSample | undefined): number {
  const [ours, theirs] = [ids.facts.distinct?.size, inputs?.facts.distinct?.size ?? 0];
  return ours === undefined || theirs === 0 ? 1 : ours / theirs;
}

/** The share of the values of the output that stand among those of another column; 0 where that is not known. */
export function shareIn(output: ColumnSample, other: ColumnSample): number {
  // A model writes `Positive` for the class `positive`.
  const valuesOf = ({ facts }: ColumnSample) =>
    new Set([...(facts.distinct?.keys() ?? [])].map((value) => value.trim().toLowerCase()));
  const [ours, theirs] = [valuesOf(output), valuesOf(other)];
  return ours.size === 0 ? 0 : [...ours].filter((value) => theirs.has(value)).length / ours.size;
}

/** At least half of the values: a prediction may be another class than any that is expected. */
export const LEAST_SHARE = 0.5;

/** `correct_answer` may be the answer that is correct, or whether the answer is: words by which it may be so. */
const SAYING_RIGHT = /^(?:correct|right|true)(?:answer|response|output|text|reply|replie)s?$/;

/** True for a name of the expected output that may be a verdict as well, or the number of those that are right. */
export function maySayRight(name: string): boolean {
  return SAYING_RIGHT.test(plainName(name));
}

/** True for verdicts that are called as an expected output. */
export function saysRight({ name, kind, isBoolean, facts }: ColumnSample): boolean {
  const { numbers } = facts;
  const areBits = numbers !== undefined && numbers.fractions === facts.count && numbers.whole === facts.count;
  return maySayRight(name) && (kind === "word" || isBoolean || areBits);
}

/** The same without an output or beside one of other values. */
function isVerdictOfOutput(sample: ColumnSample, { chosen }: SeenNames): boolean {
  const output = chosen.get("outputs")?.sample;
  return saysRight(sample) && (!output || shareIn(output, sample) < LEAST_SHARE);
}
