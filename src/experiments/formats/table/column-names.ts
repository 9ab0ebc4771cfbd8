import { COMPOSED_ACTUAL, COMPOSED_EXPECTED, COMPOSED_OUTPUTS } from "./composed-names.ts";

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

const INPUTS = ["inputs", "input"];
const EXPECTED_OUTPUTS = ["expected_outputs", "expected_output", "expected"];
const REFERENCE_OUTPUTS = ["reference_outputs", "reference_output", "reference"];
const OUTPUTS = ["outputs", "output"];
const ACTUAL_OUTPUTS = ["actual_outputs", "actual_output"];

/** Names by which a column is the expected output of a table without any other. */
const EXPECTED: readonly (readonly string[])[] = [
  EXPECTED_OUTPUTS,
  ["expected_response"],
  REFERENCE_OUTPUTS,
  ["reference_answer"],
  ["ground_truth", "ground_truths"],
  ["gold_answer"],
  ["gold"],
  ["gold_label", "true_label"],
  ["ideal"],
  ["target", "targets"],
  ["expectations"],
];

/**
 * From which line on another name may be the expected output as well, such as that of a class beside a `target` or a
 * `reference` that says something else, and from which on a name may mean something else by itself.
 */
export const EXPECTED_LINES = {
  sure: 2,
  unsure: EXPECTED.length + COMPOSED_EXPECTED.length,
} as const;

/** Names of ids that are those of cases, where they are not those of a category, of a template or of a source. */
export const CASE_IDS_IN_DOUBT: readonly string[] = [
  "doc_id",
  "task_id",
  "question_id",
  "query_id",
  "qid",
  "prompt_id",
];

/**
 * The names by which a column is known, without regard to case, blanks, `-`, `_` and `.`. Names in one line are
 * spellings of one thing; of two lines that a table has, the upper one is taken, and of one line the first name.
 */
export const NAMES_OF_PARTS: readonly (readonly [ChosenPart, readonly (readonly string[])[]])[] = [
  [
    "inputs",
    [
      INPUTS,
      ["user_input"],
      ["question"],
      ["query"],
      ["request"],
      ["problem"],
      ["messages"],
      ["prompt"],
      ["attributes.input.value"],
      ["instruction"],
      ["task"],
      ["doc"],
    ],
  ],
  ["expected", [...EXPECTED, ...COMPOSED_EXPECTED, ["answer"], ["actual"], ...COMPOSED_ACTUAL, ["label"]]],
  [
    "outputs",
    [
      OUTPUTS,
      ACTUAL_OUTPUTS,
      ["model_output"],
      ["output_text"],
      ["response"],
      ["completion"],
      ["generation"],
      ["generated"],
      ["predicted_answer"],
      ["prediction", "predictions", "pred", "preds"],
      ["predicted"],
      ["predicted_label"],
      ["attributes.output.value"],
      ...COMPOSED_OUTPUTS,
      ["answer"],
      ["actual"],
      ["result"],
    ],
  ],
  // What names the case in every run of the evaluation; the id of a run or a trace is never among them.
  [
    "id",
    [
      ["example_id"],
      ["reference_example_id"],
      ["dataset_example_id"],
      ["dataset_item_id"],
      ["case_id"],
      ["test_case_id"],
      ["test_id"],
      ["sample_id"],
      ["instance_id"],
      ...CASE_IDS_IN_DOUBT.map((name) => [name]),
      ["row_id"],
      ["id"],
    ],
  ],
  ["repetition", [["repetition_number"], ["repetition"], ["trial"], ["epoch"], ["attempt"]]],
  ["error", [["error"], ["error_message"], ["exception"]]],
  ["start", [["start_time"], ["started_at"], ["start_timestamp"], ["start"]]],
  ["end", [["end_time"], ["ended_at"], ["finished_at"], ["completed_at"], ["end_timestamp"], ["end"]]],
  // A unit may stand behind each: `latency_ms`, `Duration (s)`.
  [
    "latency",
    [
      ["latency"],
      ["duration"],
      ["execution_time"],
      ["execution_duration"],
      ["response_time"],
      ["elapsed_time"],
      ["elapsed"],
    ],
  ],
  ["cost", [["total_cost"], ["cost"], ["total_cost_usd"], ["cost_usd"], ["total_estimated_cost"], ["estimated_cost"]]],
];

/** What joins `input`, as in the tables of Alpaca: each of the two alone is the same for many cases. */
export const JOINING_INPUT = "instruction";

/** Lines of parts whose names have keys behind a dot: `inputs.question`, whatever the key is called. */
export const NAMES_WITH_KEYS: readonly string[] = [
  ...INPUTS,
  ...EXPECTED_OUTPUTS,
  ...REFERENCE_OUTPUTS,
  ...OUTPUTS,
  ...ACTUAL_OUTPUTS,
];

/** A part of a row that columns are whose names begin so, and have more behind, where no column has a whole name. */
export interface NameBeginning {
  readonly of: "expected" | "outputs";
  /** Of the words of the name. */
  readonly pattern: RegExp;
  /** True where even numbers are not scores. */
  readonly isSure: boolean;
  /** True where any field of a record may follow: the text of `expected_date` is a part, that of `output_id` is not. */
  readonly takesFields: boolean;
  /** True where it is one only beside `expected_…` of the same. */
  readonly isPaired?: true;
}

/** Each stands under its name: `expected_city` and `expected_river`. */
export const BEGINNINGS: readonly NameBeginning[] = [
  { of: "expected", pattern: /^expected_(.+)$/, isSure: true, takesFields: true },
  { of: "outputs", pattern: /^(?:actual_)?outputs?_(.+)$/, isSure: false, takesFields: false },
  { of: "outputs", pattern: /^actual_(.+)$/, isSure: false, takesFields: true, isPaired: true },
  { of: "outputs", pattern: /^pred_(.+)$/, isSure: true, takesFields: true },
  { of: "outputs", pattern: /^predicted_(?!(?:at|by)$)(.+)$/, isSure: false, takesFields: true },
];

/** A field that the case and the prediction have both, as DSPy writes it; the first is what was expected. */
export const TWIN_BEGINNINGS = { expected: "example_", outputs: "pred_" } as const;

/** What is measured of an output is none; names as `output_length`. */
export const MEASURE_OF_PART = /_(?:tokens?|costs?|counts?|len|length|size|chars|words|score|ms|s|seconds)$/;

/** Names of objects and lists in which more is measured than scores. */
export const NAMES_OF_MEASURES: readonly string[] = ["evaluations", "evaluation", "metrics", "results"];

/** Objects and lists with one of these names hold scores, where a score is in them. */
const NAMES_OF_SCORE_LISTS: readonly string[] = [
  ...["scores", "score", "feedback_scores", "feedback", "grades", "annotations"],
  ...NAMES_OF_MEASURES,
];

// A zero stands where a capital begins a word: `feedbackExact`.
const BETWEEN = String.raw`[\s._\-\0]+`;

/** How a score stands in the name of its column; the first that fits counts. */
const SCORE_NAMES: readonly { readonly pattern: RegExp; readonly isMeasured: boolean }[] = [
  ["scores?\\.(.+)", false],
  [`feedback[\\s._\\-\\0]?scores${BETWEEN}(.+)`, false],
  [`feedback${BETWEEN}(.+)`, false],
  [`eval${BETWEEN}(.+?)${BETWEEN}score`, false],
  [`annotation${BETWEEN}(.+?)${BETWEEN}score`, false],
  [`metrics?${BETWEEN}(.+)`, true],
  ["(.+?)/(?:v\\d+/)?(?:score|value)", false],
  ["(.+)\\.score", true],
].map(([pattern, isMeasured]) => ({
  pattern: new RegExp(`^${String(pattern)}$`, "i"),
  isMeasured: isMeasured === true,
}));

// As long as the name of a score may be, with what stands around it; so no pattern takes long.
const MOST_CHARACTERS = 1_000;

/** The name of the score in a column's name; undefined for any other name. */
export function scoreNameOf(name: string): string | undefined {
  if (name.length > MOST_CHARACTERS) return undefined;
  const spaced = name.trim().replace(/([a-z\d])([A-Z])/g, "$1\0$2");
  for (const { pattern, isMeasured } of SCORE_NAMES) {
    const [, found = ""] = pattern.exec(spaced) ?? [];
    const key = found.replaceAll("\0", "").trim();
    if (!/\p{L}/u.test(key)) continue;
    if (isMeasured && isNeverScore(key)) return undefined;
    const isCapital = spaced.at(spaced.indexOf(found) - 1) === "\0";
    return isCapital ? key.charAt(0).toLowerCase() + key.slice(1) : key;
  }
  return undefined;
}

/** The same for a name under which a text is a chosen category, as LangSmith writes it. */
export function categoryNameOf(name: string): string | undefined {
  return /^feedback/i.test(name.trim()) ? scoreNameOf(name) : undefined;
}

/** A column whose numbers count tokens, by its words with `_` between; a limit of them is none. */
export const TOKEN_COUNT =
  /^(?!.*(?:max|limit|budget)).*(?:tokens(?:_|$)|token_(?:counts?|usage)(?:_|$))|^usage(?:_|$)/;

/** What is never a score, whatever numbers stand in it; by its words with `_` between. */
const NEVER_A_SCORE: readonly RegExp[] = [
  /tokens/,
  /token_counts?/,
  /(?:^|_)costs?(?:_|$)/,
  /^(?:temperature|top_[pk]|year|label)$/,
  /(?:^|_)(?:seed|index|idx|line_number|line|row_number|id)$/,
  /^(?:#|i|n|no|nr|num|number|row|s_no|lineno|level_\d+|index_col)$/,
  // Which part of a run, a document or a dataset a row is, and how hard it is.
  /^(?:step|epoch|iteration|batch|chunk|fold|split|group|page|turn|difficulty)$/,
  /^(?:ticket|order|invoice|case|customer|account)(?:_(?:no|nr|num|number))?$/,
  /(?:^|_)(?:penalty|version|batch_size|chunk_size)$/,
  /(?:^|_)(?:turns|retries|messages)$/,
  /^(?:latency|duration|time|elapsed)(?:_|$)/,
  // LlamaIndex: whether there is a score at all.
  /^invalid_(?:eval|result)$/,
  /(?:^|_)(?:latency|duration|time|timestamp|date|at)$/,
  /_(?:ms|msecs?|millis|milliseconds|secs?|seconds)$/,
];

/** One spelling for `Expected output`, `expectedOutput` and `expected.output`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s._-]+/g, "");
}

/** The words of a name with `_` between them: `maxOutputTokens` is `max_output_tokens`. */
export function wordsOfName(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[\s._\-/:()[\]]+/g, "_")
    .replace(/^_+|_+$/g, "");
}

/** True for what is never a score by its name, such as `seed` or `total_tokens`. */
export function isNeverScore(name: string): boolean {
  const words = wordsOfName(name);
  return NEVER_A_SCORE.some((pattern) => pattern.test(words));
}

/** True for the name of objects or lists of scores. */
export function isScoreListName(name: string): boolean {
  return SCORE_LISTS.has(plainName(name));
}

const SCORE_LISTS: ReadonlySet<string> = new Set(NAMES_OF_SCORE_LISTS.map(plainName));
