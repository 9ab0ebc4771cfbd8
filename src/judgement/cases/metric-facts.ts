import type { Direction, MetricFacts } from "./case-set.ts";

/** The range that the values of a score may have. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** What was declared of scores, by name. */
export interface Declared {
  readonly directions: ReadonlyMap<string, Direction>;
  readonly ranges: ReadonlyMap<string, Range>;
}

/** What the values of a metric showed. */
export interface SeenValues {
  readonly least: number;
  readonly most: number;
  /** True when each is 0 or 1. */
  readonly isBinary: boolean;
}

/** The facts of a metric: what was declared of it, and else what its values and its name show. */
export function metricFacts(name: string, seen: SeenValues, { directions, ranges }: Declared): MetricFacts {
  const stated = directions.get(name);
  const { least, most, isBinary } = seen;
  const isShare = least >= 0 && most <= 1;
  const isLower = isAmount(name) || isFailure(name) || (isDistance(name) && !isShare);
  const guessed = isLower ? "lower" : "higher";
  const isUnsure = stated === undefined && !isLower && (isHarmful(name) || isDistance(name));
  const facts = { direction: stated ?? guessed, ...(isUnsure ? { isDirectionUnsure: true as const } : {}) };
  const range = ranges.get(name);
  if (range !== undefined && least >= range.low && most <= range.high) {
    const isVerdict = isBinary && range.low === 0 && range.high === 1;
    return { kind: isVerdict ? "binary" : "bounded", ...range, ...facts, isRangeDeclared: true };
  }
  if (isAmount(name)) return { kind: least > 0 ? "positive" : "unbounded", ...facts };
  if (isBinary) return { kind: "binary", low: 0, high: 1, ...facts };
  return isShare ? { kind: "bounded", low: 0, high: 1, ...facts } : { kind: "unbounded", ...facts };
}

/** The facts of a metric in two sets of cases, for their values together; the direction is that of the first. */
export function mergedFacts(one: MetricFacts, other: MetricFacts): MetricFacts {
  const { kind: _kind, low: _low, high: _high, isRangeDeclared: _isDeclared, ...facts } = one;
  if (one.kind === other.kind && (one.kind === "positive" || one.kind === "unbounded")) return one;
  const [range, otherRange] = [rangeOf(one), rangeOf(other)];
  if (range === undefined || otherRange === undefined) return { kind: "unbounded", ...facts };
  if (one.kind === "binary" && other.kind === "binary") return one;
  const [low, high] = [Math.min(range.low, otherRange.low), Math.max(range.high, otherRange.high)];
  const isDeclared = [one, other].some(
    (each) => each.isRangeDeclared === true && each.low === low && each.high === high,
  );
  return { kind: "bounded", low, high, ...facts, ...(isDeclared ? { isRangeDeclared: true } : {}) };
}

function rangeOf({ kind, low = 0, high = 1 }: MetricFacts): Range | undefined {
  return kind === "binary" || kind === "bounded" ? { low, high } : undefined;
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
/** A count of them may be of what went wrong, or of what was noticed. */
const NOTICED = new RegExp(`(?:^| )(?:${DEEDS}) (?:${FAILING})${SHARES}$`);
/** In `pass_fail` and `correct_or_wrong` 1 is the first of the two. */
const EITHER = new RegExp(
  `(?:^| )(?:pass|passed|success|correct|right|valid|ok|win)(?: or| vs)? (?:fail|failed|failure|incorrect|wrong|invalid|loss)${SHARES}$`,
);
/** Names of harms. In some tools 1 is the worst score, in others it means that there is no harm. */
const HARMS = new RegExp(
  `(?:^| )(?<!(?:^| )(?:${NEGATIONS}) )(?:${[
    ...["hallucinations?", "hallucinated", "fabrications?", "fabricated", "ungrounded", "misinformation"],
    ...["toxicity", "toxic", "bias", "biased", "harm", "harmful", "harmfulness", "stereotyping", "unfairness"],
    ...["hate", "hateful", "hate speech", "harassment", "insults?", "profanity", "threats?", "threatening", "misogyny"],
    ...["violence(?: graphic)?", "violent", "sexual(?: minors)?", "self harm (?:intent|instructions)", "illicit"],
    ...["refusals?", "refused", "jailbreaks?", "jailbroken", "attack success", "(?:identity|indirect) attacks?"],
    ...["violations?", "violated", "unsafe", "risk", "leakage", "leaked", "protected material", "code vulnerability"],
    ...["maliciousness", "malicious", "criminality", "controversiality", "insensitivity"],
    "noise sensitivity(?: (?:ir)?relevant)?",
  ].join("|")})(?: (?:score|severity|level|probability))?${SHARES}$`,
);

/** A time, a cost or a count of tokens, by its name. Its unit may be in brackets, as in `usage (tokens)`. */
function isAmount(name: string): boolean {
  return [wordsIn(name), wordsOf(name)].some((words) => {
    const last = lastWord(words);
    return last !== undefined && (AMOUNTS.has(last) || words.join(" ").startsWith("response time"));
  });
}

function isFailure(name: string): boolean {
  const text = wordsOf(name).join(" ");
  return FAILURES.test(text) && !EITHER.test(text);
}

function isHarmful(name: string): boolean {
  const text = wordsOf(name).join(" ");
  return HARMS.test(text) || NOTICED.test(text);
}

/** From 0 to 1 some tools give 1 minus the distance, as openevals does for `levenshtein_distance`. */
function isDistance(name: string): boolean {
  return /^distances?$/.test(lastWord(wordsOf(name)) ?? "");
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
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
