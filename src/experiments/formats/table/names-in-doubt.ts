import { isNumeric, type ColumnClaim } from "./column-claims.ts";
import {
  BEGINNINGS,
  isNeverScore,
  MEASURE_OF_PART,
  plainName,
  scoreNameOf,
  wordsOfName,
  type NameBeginning,
} from "./column-names.ts";
import type { ColumnSample } from "./column-sample.ts";

/** `actual` or `predicted`, and what stands behind it in a plain name. */
const OF_PAIR = /^(actual|predicted)(?!$)(.+)$/;

/** True for `actual_answer` beside `predicted_answer`: it is what was expected. */
export function isActualOfPair(plain: string, names: { readonly has: (plain: string) => boolean }): boolean {
  const [, word, rest = ""] = OF_PAIR.exec(plain) ?? [];
  return word === "actual" && names.has(`predicted${rest}`);
}

/** True for `actual_answer` beside `answer`: neither is known to be the output of the two by its name. */
export function isActualOfBare(plain: string, names: { readonly has: (plain: string) => boolean }): boolean {
  const [, word, rest = ""] = OF_PAIR.exec(plain) ?? [];
  return word === "actual" && (rest === "answer" || rest === "response") && names.has(rest);
}

/** True for a column that is a part of a row by how its name begins, beside columns with the plain names `names`. */
export function beginsAs(
  part: NameBeginning["of"],
  { name, kind }: ColumnSample,
  names: { readonly has: (plain: string) => boolean },
): boolean {
  const words = wordsOfName(name);
  if (MEASURE_OF_PART.test(words) || scoreNameOf(name) !== undefined) return false;
  // `output_relevance` with numbers is a score, but where `expected_relevance` stands beside it.
  const isText = !isNumeric(kind) && kind !== "word";
  return BEGINNINGS.some(({ of, pattern, isSure, takesFields, isPaired = false }) => {
    const [, rest] = of === part ? (pattern.exec(words) ?? []) : [];
    if (rest === undefined || (isNeverScore(name) && !(takesFields && isText))) return false;
    return isSure || (isText && !isPaired) || names.has(plainName(`expected_${rest}`));
  });
}

/** The share of the values of the output that stand among those of another column; 0 where that is not known. */
function shareIn(output: ColumnSample, other: ColumnSample): number {
  if (output.facts.distinct === undefined || other.facts.distinct === undefined) return 0;
  const [ours, theirs] = [output.facts.distinct, other.facts.distinct].map((values) => {
    // A model writes `Positive` for the class `positive`.
    return new Set([...values.keys()].map((value) => value.trim().toLowerCase()));
  });
  if (ours === undefined || theirs === undefined || ours.size === 0) return 0;
  return [...ours].filter((value) => theirs.has(value)).length / ours.size;
}

/** At least half of the values: a prediction may be another class than any that is expected. */
const LEAST_SHARE = 0.5;

/**
 * The claims for the expected output, of which each alone could be it: first the one whose values contain those of the
 * output, where the one that the names put first has much fewer of them.
 */
export function byOutput(claims: readonly ColumnClaim[], output: ColumnSample | undefined): readonly ColumnClaim[] {
  const [first, ...rest] = claims.filter(({ key }) => key === undefined);
  // Verdicts may be the numbers of two classes as well: they take nothing away from another column.
  const others = rest.filter(({ sample }) => !saysRight(sample));
  if (first === undefined || output === undefined || others.length === 0) return claims;
  const best = others
    .map((claim) => ({ claim, share: shareIn(output, claim.sample) }))
    .reduce((one, other) => (other.share > one.share ? other : one));
  const isBetter = best.share >= LEAST_SHARE && 2 * shareIn(output, first.sample) <= best.share;
  return isBetter ? [best.claim, ...claims.filter((claim) => claim !== best.claim)] : claims;
}

/** `correct_answer` may be the answer that is correct, or whether the answer is: words by which it may be so. */
const SAYING_RIGHT = /^(?:correct|right|true)(?:answer|response|output|text|reply|replie)s?$/;

/** True for a name of the expected output that may be a verdict as well, or the number of those that are right. */
export function maySayRight(name: string): boolean {
  return SAYING_RIGHT.test(plainName(name));
}

/** True for verdicts that are called as an expected output. */
function saysRight({ name, kind, isBoolean, facts }: ColumnSample): boolean {
  const { numbers } = facts;
  const areBits = numbers !== undefined && numbers.fractions === facts.count && numbers.whole === facts.count;
  return maySayRight(name) && (kind === "word" || isBoolean || areBits);
}

/** True for a column of verdicts that is called as an expected output, without an output or beside one of other values. */
export function isVerdictOfOutput(sample: ColumnSample, output: ColumnSample | undefined): boolean {
  return saysRight(sample) && (output === undefined || shareIn(output, sample) < LEAST_SHARE);
}
