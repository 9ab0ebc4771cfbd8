import type { VerdictPair } from "./score-cell.ts";

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

/** The words of a name one by one; of a long name those at its beginning. */
export function wordsIn(name: string): readonly string[] {
  return wordsOfName(name.slice(0, LONGEST_NAME))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

// Names of columns are short; a longer one is a text.
const LONGEST_NAME = 200;

/** True for what is never a score by its name, such as `seed` or `total_tokens`. */
export function isNeverScore(name: string): boolean {
  const joined = wordsOfName(name);
  return NEVER_A_SCORE.some((pattern) => pattern.test(joined));
}

/** True for the name of objects or lists of scores. */
export function isScoreListName(name: string): boolean {
  return SCORE_LISTS.has(plainName(name));
}

const SCORE_LISTS: ReadonlySet<string> = new Set(NAMES_OF_SCORE_LISTS.map(plainName));

/**
 * True for a name that only scores have, whatever their values are: the word that a score is called by stands last, as in
 * `model_score`, or no other word says that it is something about one, as in `score_threshold`.
 */
export function isScoreName(name: string): boolean {
  if (scoreNameOf(name) !== undefined) return true;
  if (isNeverScore(name)) return false;
  const named = wordsIn(name).filter((word) => !/^\d+$/.test(word));
  if (named.some((word) => COUNTING.has(word))) return false;
  while (named.length > 1 && BEHIND.has(named.at(-1) ?? "")) named.pop();
  if (isScoreWord(named.at(-1) ?? "")) return true;
  return named.some(isScoreWord) && !named.some((word) => WORDS_ABOUT.has(word));
}

/** A list of words, which stand here with blanks between. */
export function words(text: string): readonly string[] {
  return text.split(" ");
}

/** Words of names by which a person takes a column for a score. */
const SCORE_WORDS: ReadonlySet<string> = new Set([
  ...words("score scores scored rating ratings rated grade grades graded metric metrics eval evaluation evaluations"),
  ...words(
    "verdict verdicts judge judged judgement judgment feedback annotation annotations stars points likert reward",
  ),
  ...words(
    "correct correctness incorrect right wrong accuracy accurate pass passed passes fail failed success ok valid",
  ),
  ...words("match matches matched exact hit hits win wins em mrr rr ndcg dcg map f1 auc precision recall similarity"),
  ...words("bleu rouge meteor chrf ter wer cer bertscore perplexity kappa hallucination hallucinated toxicity toxic"),
  ...words("relevance relevancy relevant faithful grounded helpful quality coherence fluency consistency factuality"),
  ...words("adherence compliance clarity refusal safety bias"),
]);

/** True for a name of something about a score or another part, such as its reason. */
export function isAbout(name: string): boolean {
  return wordsIn(name).some((word) => WORDS_ABOUT.has(word));
}

/** Words by which a column is something about a score or another part, and not the part. */
export const WORDS_ABOUT: ReadonlySet<string> = new Set([
  ...words("reason reasons reasoning rationale explanation comment comments note notes"),
  ...words("id ids key keys name type model version url path source config prompt template threshold token"),
  ...words("tokens count cost length len size time date at by index format metadata"),
]);

const COUNTING: ReadonlySet<string> = new Set(
  words("num number numbers n nr no count counts len length size id ids max min"),
);
/** Aggregates and places behind the word that counts: `recall_at_5`, `score_mean`. */
const BEHIND: ReadonlySet<string> = new Set(words("mean avg average at k l rate ratio value percent pct"));
/** Ends of words that are written together, as `rubricscore` and `groundedness`. */
const ENDS = /.(?:scores?|rating|accuracy|correctness|(?:[a-z]{3}|ful|ent|ive)ness)$/;
const NO_NESS = /^(?:business|witness|harness|illness|wilderness|darkness|brightness|thickness)$/;

/** True for a name of a number of things or of one among them, which is no share of anything: `retry_count`. */
export function isCountName(name: string): boolean {
  return wordsIn(name).some((word) => TALLIES.has(word));
}

const TALLIES: ReadonlySet<string> = new Set(words("num number numbers nr count counts len length size id ids"));

function isScoreWord(word: string): boolean {
  return SCORE_WORDS.has(word) || SCORE_WORDS.has(word.replace(/\d+$/, "")) || (ENDS.test(word) && !NO_NESS.test(word));
}

/** True for a name under which such verdicts are scores; a status may also be that of the run. */
export function isOutcomeName(name: string, pair: VerdictPair | undefined): boolean {
  const word = wordsIn(name).at(-1);
  if (word === "status") return pair === "pass" || pair === "correct" || pair === "right";
  return word === "result" || word === "results" || word === "outcome";
}
