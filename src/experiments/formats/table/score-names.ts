import { isNeverScore, scoreNameOf, wordsIn } from "./column-names.ts";
import type { VerdictPair } from "./score-cell.ts";

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
