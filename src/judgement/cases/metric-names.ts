import {
  DEEDS,
  DEFECTS,
  EITHER,
  FAILED,
  FAILURES,
  FIELDS,
  FILLERS,
  HEADS,
  IN_PLACE,
  LINKS,
  MEASURED,
  NEGATIONS,
  PLAIN,
  QUANTIFIERS,
  SHARES,
  STATISTICS,
  UNITS,
  isTurned,
  saidBy,
  withoutPhrases,
  type Said,
} from "./metric-words.ts";

/** What the values of a metric are: each 0 or 1, all from 0 to 1, or others. */
export type SeenAs = "yes/no" | "share" | "other";

/**
 * What a name says of the direction of its metric. `unsure`: it has a word of harm, amount or distance, and more may be
 * better or worse, or its words contradict each other. Undefined where it has no word that is known.
 */
export function directionOf(name: string, seenAs: SeenAs): "higher" | "lower" | "unsure" | undefined {
  const read = readName(wordsOf(name));
  if (EITHER.test(read.body.join(" "))) return "higher";
  // Of a time that is 0 or 1 nothing tells whether it was measured, or is a score for it.
  if (measures(name, seenAs)) return seenAs === "yes/no" ? "unsure" : "lower";
  const isShare = seenAs !== "other";
  const last = read.body.at(-1) ?? "";
  const [isFailure, isDistance] = [FAILURES.has(last), /^distances?$/.test(last)];
  if (isFailure && isPlain(read, seenAs)) return "lower";
  // From 0 to 1 some tools give 1 minus the distance, as openevals does for `levenshtein_distance`.
  if (isDistance && !isShare && !read.body.some(isGood)) return "lower";
  const { head, before } = read;
  const isSound = !before.some((word) => isTurning(word) || DEFECTS.has(word) || isTurned(word));
  if (isSound && HEADS.has(head)) return "higher";
  if (isSound && isShare && FIELDS.has(head)) return before.some(isGood) ? "higher" : undefined;
  const said = saidIn(read.words, isShare);
  if (said.has("harm")) {
    const isInPlace = isSound && !isFailure && saidBy(head) === "harm" && IN_PLACE.has(before.at(-1) ?? "");
    return isInPlace ? "higher" : "unsure";
  }
  // `token_f1` is an F1, and `latency_ok` says that it is well; `ok_latency` may be either.
  const ofWhat = head === "score" ? (before.at(-1) ?? "") : head;
  if (said.has("amount")) return said.size === 1 || !isGood(ofWhat) ? "unsure" : "higher";
  return said.has("good") ? "higher" : undefined;
}

/** A time, a cost or a count of tokens, by its name. Its unit may be in brackets, as in `usage (tokens)`. */
export function isAmount(name: string): boolean {
  return measures(name, "other");
}

/** What a name says of a whole number: a word of an amount or of harm may count something, as in `retries`. */
export function countedBy(name: string): "amount" | "harm" | undefined {
  const said = saidIn(readName(wordsOf(name)).words, false);
  if (said.has("amount")) return "amount";
  return said.has("harm") ? "harm" : undefined;
}

function measures(name: string, seenAs: SeenAs): boolean {
  return [wordsIn(name), wordsOf(name)].some((words) => {
    const read = readName(words);
    const { body, end } = read;
    if (end.some((word) => SHARES.has(word)) || body.at(-1) === "per") return false;
    const isMeasured = end.some((word) => UNITS.has(word)) || MEASURED.has(body.at(-1) ?? "");
    return isMeasured && isPlain(read, seenAs);
  });
}

interface Name {
  readonly words: readonly string[];
  /** Without the statistics, units and the like at its end. */
  readonly body: readonly string[];
  readonly end: readonly string[];
  /** The last word before one such as `to` or `per`, and those before it. */
  readonly head: string;
  readonly before: readonly string[];
}

function readName(all: readonly string[]): Name {
  const words = withoutPhrases(all);
  const last = words.findLastIndex((word) => !isEnding(word));
  const body = words.slice(0, last + 1);
  const link = body.findIndex((word, at) => at > 0 && LINKS.has(word));
  const own = link === -1 ? body : body.slice(0, link);
  return { words, body, end: words.slice(last + 1), head: own.at(-1) ?? "", before: own.slice(0, -1) };
}

function isEnding(word: string): boolean {
  return STATISTICS.has(word) || SHARES.has(word) || UNITS.has(word) || /^p\d+$/.test(word);
}

/** True where no word before the failure, the time or the cost may say something good about it. */
function isPlain({ words, body, end }: Name, seenAs: SeenAs): boolean {
  const last = body.at(-1) ?? "";
  const isFailure = FAILURES.has(last);
  const before = isFailure || MEASURED.has(last) ? body.slice(0, -1) : body;
  const isCounted = seenAs === "other" || end.length > 0 || words.some((word) => STATISTICS.has(word));
  return before.every((part) => {
    const word = part.replaceAll(/\d/g, "");
    if (word === "" || isEnding(part) || PLAIN.has(word)) return true;
    if (FAILED.has(last) && PLAIN.has(word.replace(/s$/, ""))) return true;
    if (!isCounted || isGood(word) || isTurning(word) || DEEDS.test(word)) return false;
    // `reports_errors`, `expected_errors`, `time_to_failure`
    return !isFailure || !(/(?:[^s]s|ed|ing)$/.test(word) || LINKS.has(word) || saidBy(word) === "amount");
  });
}

/** What the words say, each with the negation before it. */
function saidIn(words: readonly string[], isShare: boolean): ReadonlySet<Said | undefined> {
  const all = words.flatMap((word) => word.split(/\d+/)).filter((word) => word !== "");
  let turning = "";
  return new Set(
    all.map((word) => {
      const [said, before] = [saidBy(word), turning];
      if (isTurning(word)) turning = word;
      else if (!FILLERS.has(word)) turning = "";
      if (said === undefined || before === "") return said;
      if (said === "good") return "harm";
      // Above 1 `no_errors` is a number of errors.
      return QUANTIFIERS.has(before) && !isShare ? said : "good";
    }),
  );
}

function isTurning(word: string): boolean {
  return NEGATIONS.has(word) || QUANTIFIERS.has(word);
}

function isGood(word: string): boolean {
  return saidBy(word.replaceAll(/\d/g, "")) === "good";
}

/** The words before the brackets at the end; all words where those before only name a statistic: `mean(errors)`. */
function wordsOf(name: string): readonly string[] {
  const words = wordsIn(withoutBrackets(name));
  return words.every(isEnding) ? wordsIn(name) : words;
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
    .replaceAll(/['’]/g, "")
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (_all, one = "", two = "", three = "") => {
      return three === "" ? `${one} ${two}` : `${three} `;
    })
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
