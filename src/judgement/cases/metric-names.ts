import { saidBy } from "./metric-words.ts";

/**
 * What a name says of the direction of its metric. `unsure`: it has a word of harm, amount or distance, and more may be
 * better or worse, or its words contradict each other. Undefined where it has no word that is known.
 */
export function directionOf(name: string, isShare: boolean): "higher" | "lower" | "unsure" | undefined {
  const words = wordsOf(name);
  if (EITHER.test(words.join(" "))) return "higher";
  const isLess = isAmount(name) || isFailure(words) || (isDistance(words) && !isShare);
  const said = saidIn(words, isShare);
  if (isLess) return said.has("good") ? "unsure" : "lower";
  if (said.has("harm")) return "unsure";
  // `token_f1` is an F1, and `latency_ok` says that it is well; `ok_latency` may be either.
  if (said.has("amount")) return isGood(words) ? "higher" : "unsure";
  return said.has("good") ? "higher" : undefined;
}

const NEGATING = new Set(["not", "no", "non", "never", "without", "zero", "inverse", "cannot"]);

/** What the words say, each with the negation before it. */
function saidIn(words: readonly string[], isShare: boolean): ReadonlySet<ReturnType<typeof saidBy>> {
  const all = words.flatMap((word) => word.split(/\d+/)).filter((word) => word !== "");
  return new Set(
    all.map((word, at) => {
      const [said, before = ""] = [saidBy(word), all[at - 1]];
      if (said === undefined || !NEGATING.has(before)) return said;
      if (said === "good") return "harm";
      // Above 1 `no_errors` is a number of errors.
      return before === "no" && !isShare ? said : "good";
    }),
  );
}

const STATISTICS = ["count", "total", "avg", "average", "mean", "median", "max", "min", "sum"];
const UNITS = new Set(["ms", "s", "sec", "secs", "seconds", "milliseconds", "usd", "eur", ...STATISTICS]);
const PERCENTILE = /^p\d+$/;
const AMOUNTS = new Set(["latency", "duration", "cost", "costs", "tokens", "token", "elapsed", "ttft"]);
/** Words that may follow a name without a change of its direction, as in `error_rate` and `wer_avg`. */
const SHARES = `(?: (?:${["rate", ...STATISTICS, String.raw`p\d+`].join("|")}))*`;
/** Words before a failure or a harm that turn it around: `not_failed`. */
const NEGATIONS = "not|no|non|never|without|zero|inverse|cannot";
/** Words before a failure that may make it something good: `rejects_invalid`, `found_defects`. */
const DEEDS = [
  ...["avoids?", "avoided", "prevents?", "prevented", "rejects?", "rejected", "detects?", "detected"],
  ...["catches", "caught"],
  ...["finds?", "found", "fix(?:es|ed)", "corrects?", "corrected", "handles?", "handled", "raises?", "raised"],
  ...["identifies", "identified", "flags", "flagged", "recovers?", "recovered"],
].join("|");
const FAILING = [
  ...["errors?", "errored", "exceptions?", "mistakes?", "defects?", "crash(?:ed|es)?", "timeouts?", "timed out"],
  ...["fails?", "failed", "failures?", "incorrect", "incorrectness", "inaccurate", "wrong", "invalid"],
  "(?:failed|incorrect|wrong|invalid) (?:answers?|assertions?|calls?|cases?|checks?|claims?|outputs?|steps?|tests?)",
  ...["false (?:positives?|negatives?)", "fpr", "fnr", "divergence", "bits per byte"],
  ...["loss", "log ?loss", "cross entropy", "nll", "perplexity", "ppl"],
  "(?:wer|cer|ter|mer|eer|mae|mse|msle|rmse|rmsle|nrmse|mape|smape|ece|brier)(?: score)?",
  "(?:hallucinations?|toxicity|violations?) (?:rate|count)",
].join("|");
/** What is counted, or is 1, where something went wrong. */
const FAILURES = new RegExp(`(?:^| )(?<!(?:^| )(?:${NEGATIONS}|${DEEDS}) )(?:${FAILING})${SHARES}$`);
/** In `pass_fail` and `correct_or_wrong` 1 is the first of the two. */
const EITHER = new RegExp(
  `(?:^| )(?:pass|passed|success|correct|right|valid|ok|win)(?: or| vs)? (?:fail|failed|failure|incorrect|wrong|invalid|loss)${SHARES}$`,
);
/** A time, a cost or a count of tokens, by its name. Its unit may be in brackets, as in `usage (tokens)`. */
export function isAmount(name: string): boolean {
  return [wordsIn(name), wordsOf(name)].some((words) => {
    const last = lastWord(words);
    return last !== undefined && (AMOUNTS.has(last) || /(?:^| )response time/.test(words.join(" ")));
  });
}

/** What a name says of a whole number: a word of an amount or of harm may count something, as in `retries`. */
export function countedBy(name: string): "amount" | "harm" | undefined {
  const said = saidIn(wordsOf(name), false);
  if (said.has("amount")) return "amount";
  return said.has("harm") ? "harm" : undefined;
}

function isFailure(words: readonly string[]): boolean {
  return FAILURES.test(words.join(" "));
}

/** From 0 to 1 some tools give 1 minus the distance, as openevals does for `levenshtein_distance`. */
function isDistance(words: readonly string[]): boolean {
  return /^distances?$/.test(lastWord(words) ?? "");
}

const LINKS = new Set(["to", "per", "of", "for", "until", "till", "by", "before", "without"]);

/** True where what a name is about is good, as in `step_success_rate`. */
function isGood(words: readonly string[]): boolean {
  // `time_to_success` is a time.
  const link = words.findIndex((word, at) => at > 0 && LINKS.has(word));
  const own = link === -1 ? words : words.slice(0, link);
  const head = own.findLast((word) => !isUnit(word) && word !== "rate" && word !== "score");
  return head !== undefined && saidBy(head.replaceAll(/\d/g, "")) === "good";
}

function lastWord(words: readonly string[]): string | undefined {
  return words.findLast((word) => !isUnit(word));
}

function isUnit(word: string): boolean {
  return UNITS.has(word) || PERCENTILE.test(word);
}

/** The words before the brackets at the end; all words where those before only name a statistic: `mean(errors)`. */
function wordsOf(name: string): readonly string[] {
  const words = wordsIn(withoutBrackets(name));
  return words.every(isUnit) ? wordsIn(name) : words;
}

/** Tools write in them how they measured: `noise_sensitivity(mode=relevant)`, `Toxicity [GEval]`. */
function withoutBrackets(name: string): string {
  let text = name.trimEnd();
  for (;;) {
    const at = text.endsWith(")") ? text.lastIndexOf("(") : text.endsWith("]") ? text.lastIndexOf("[") : -1;
    if (at === -1) return text;
    text = text.slice(0, at).trimEnd();
  }
}

function wordsIn(text: string): readonly string[] {
  return text
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (_all, one = "", two = "", three = "") => {
      return three === "" ? `${one} ${two}` : `${three} `;
    })
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
