import { BEGINNING, claimsOf, isJudging, isNumeric, type ColumnClaim } from "./column-claims.ts";
import {
  BEGINNINGS,
  CASE_IDS_IN_DOUBT,
  EXPECTED_LINES,
  isNeverScore,
  MEASURE_OF_PART,
  plainName,
  scoreNameOf,
  wordsOfName,
  type ChosenPart,
} from "./column-names.ts";
import type { ColumnSample } from "./column-sample.ts";
import { COMPOSED_ACTUAL } from "./composed-names.ts";
import { idsOfInput } from "./ids.ts";

/** The columns of a table by their plain names. */
type Names = ReadonlyMap<string, ColumnSample>;

/** What was chosen for a part. */
export interface Choice {
  readonly name: string;
  /** What was seen of it; undefined where it begins late. */
  readonly seen: ColumnSample | undefined;
  /** The line in the table of names. */
  readonly line: number;
  /** False where there are only columns with keys, such as `inputs.question`. */
  readonly hasWhole: boolean;
}

/** What is known of a table when a column is chosen. */
export interface Choices {
  readonly samples: readonly ColumnSample[];
  readonly names: Names;
  readonly chosen: ReadonlyMap<ChosenPart, Choice>;
}

/** A name that means a part of a row, `unless` the table says otherwise; all names of the part where it has none. */
interface Doubt {
  readonly part: ChosenPart;
  readonly names?: ReadonlySet<string>;
  readonly unless: (sample: ColumnSample, table: Choices) => boolean;
}

const DOUBTS: readonly Doubt[] = [
  // A result may be what the judge says: a verdict, or a number where no number is expected.
  {
    part: "outputs",
    names: new Set(["result"]),
    unless: (sample, { samples }) =>
      isJudging(sample) ||
      (isNumeric(sample.kind) && !samples.some((other) => isNumeric(other.kind) && isOther(other, sample, "expected"))),
  },
  {
    part: "outputs",
    unless: ({ name }, { names }) => {
      // Neither `actual_answer` nor `answer` beside it is known to be the output of the two by its name.
      const rest = behindActual(name);
      return isActualOfPair(name, names) || ((rest === "answer" || rest === "response") && names.has(rest));
    },
  },
  { part: "expected", unless: (sample, { chosen }) => isVerdictOfOutput(sample, chosen.get("outputs")?.seen) },
  // Beside a final answer it may be all that the model wrote.
  {
    part: "expected",
    names: new Set(["answer"]),
    unless: (_, { chosen }) => {
      const output = chosen.get("outputs");
      return !output || output.line === BEGINNING || plainName(output.name).startsWith("final");
    },
  },
  {
    part: "expected",
    names: new Set(["actual"]),
    unless: (_, { chosen }) => !plainName(chosen.get("outputs")?.name ?? "").startsWith("predict"),
  },
  // A label may also be what a judge says, with an explanation; or a class, where the output is one.
  {
    part: "expected",
    names: new Set(["label"]),
    unless: (sample, { chosen, names }) => {
      const output = chosen.get("outputs");
      if (!output || isJudging(sample) || names.has("explanation")) return true;
      return isNumeric(output.seen?.kind ?? "nothing") && !isNumeric(sample.kind);
    },
  },
  {
    part: "expected",
    names: new Set(COMPOSED_ACTUAL.flat().map(plainName)),
    unless: ({ name }, { names }) => !isActualOfPair(name, names),
  },
  { part: "id", names: new Set(CASE_IDS_IN_DOUBT.map(plainName)), unless: (ids, table) => !namesCases(ids, table) },
];

/** Whether a name that has more than one meaning has this one in the table. */
export function isMeant({ part, sample, line }: ColumnClaim, table: Choices): boolean {
  if (line === BEGINNING) return true;
  const plain = plainName(sample.name);
  const doubts = DOUBTS.filter((doubt) => doubt.part === part && doubt.names?.has(plain) !== false);
  return !doubts.some(({ unless }) => unless(sample, table));
}

function isOther(other: ColumnSample, sample: ColumnSample, part: ChosenPart): boolean {
  return other !== sample && claimsOf(other).some((claim) => claim.part === part);
}

function namesCases(ids: ColumnSample, { samples, chosen }: Choices): boolean {
  const inputs = chosen.get("inputs")?.seen;
  if (!inputs) return true;
  const share = idsOfInput(ids, inputs);
  // Many inputs share each of the values of a category or a template.
  if (share < 0.5) return false;
  // Of fewer ids than inputs, one has several: then another column that names each row names the cases.
  const isBetter = ({ facts }: ColumnSample) => facts.isUnique && facts.count >= ids.facts.count;
  return (
    share >= 1 ||
    !samples.some((other) => isBetter(other) && isOther(other, ids, "id")) ||
    samples.some((other) => claimsOf(other).some(({ part }) => part === "repetition"))
  );
}

/**
 * The claims for one part in the order in which they are tried. An empty column is taken where there is no other; but the
 * outputs may be missing in each row that was seen.
 */
export function inTurn(
  part: ChosenPart,
  claims: readonly ColumnClaim[],
  output: ColumnSample | undefined,
): readonly ColumnClaim[] {
  const begun = claims.filter(({ line }) => line === BEGINNING);
  const named = claims.filter(({ line }) => line !== BEGINNING);
  if (part === "outputs") return [...named, ...begun];
  if (part !== "expected") return emptyLast(named);
  // `expected…` leaves no doubt. Of all other names the values decide.
  const { sure, unsure } = EXPECTED_LINES;
  const others = byOutput(
    named.filter(({ line }) => line >= sure),
    output,
  );
  return [
    ...emptyLast(named.filter(({ line }) => line < sure)),
    // Names that mean other things as well come behind those that only begin as `expected_city` does.
    ...(named.some(({ line }) => line < unsure) ? [] : begun),
    ...emptyLast(others),
  ];
}

function emptyLast(claims: readonly ColumnClaim[]): readonly ColumnClaim[] {
  const isEmpty = ({ sample }: ColumnClaim) => sample.kind === "nothing";
  return [...claims.filter((claim) => !isEmpty(claim)), ...claims.filter(isEmpty)];
}

/** What stands behind `actual` in a name; empty for any other. */
function behindActual(name: string): string {
  const [, rest = ""] = /^actual(.+)$/.exec(plainName(name)) ?? [];
  return rest;
}

/** True for `actual_answer` beside `predicted_answer`: it is what was expected. */
function isActualOfPair(name: string, names: Pick<Names, "has">): boolean {
  const rest = behindActual(name);
  return rest !== "" && names.has(`predicted${rest}`);
}

/** The parts that a column could be by how its name begins, beside columns with the plain names `names`. */
export function begunAs(sample: ColumnSample, names: Names): readonly ColumnClaim[] {
  const { name, kind } = sample;
  const words = wordsOfName(name);
  if (MEASURE_OF_PART.test(words) || scoreNameOf(name) !== undefined) return [];
  // `output_relevance` with numbers is a score, but where `expected_relevance` stands beside it.
  const isText = !isNumeric(kind) && kind !== "word";
  const begun = BEGINNINGS.filter(({ pattern, isSure, takesFields, isPaired = false }) => {
    const [, rest] = pattern.exec(words) ?? [];
    if (rest === undefined || (isNeverScore(name) && !(takesFields && isText))) return false;
    return isSure || (isText && !isPaired) || names.has(plainName(`expected_${rest}`));
  });
  return [...new Set(begun.map(({ of }) => of))].map((part) => {
    return { sample, part, line: BEGINNING, place: 0, key: undefined, role: { part, key: undefined } };
  });
}

/** The share of the values of the output that stand among those of another column; 0 where that is not known. */
function shareIn(output: ColumnSample, other: ColumnSample): number {
  if (!output.facts.distinct || !other.facts.distinct) return 0;
  const [ours, theirs] = [output.facts.distinct, other.facts.distinct].map((values) => {
    // A model writes `Positive` for the class `positive`.
    return new Set([...values.keys()].map((value) => value.trim().toLowerCase()));
  });
  if (!ours || !theirs || ours.size === 0) return 0;
  return [...ours].filter((value) => theirs.has(value)).length / ours.size;
}

/** At least half of the values: a prediction may be another class than any that is expected. */
const LEAST_SHARE = 0.5;

/**
 * The claims for the expected output, of which each alone could be it: first the one whose values contain those of the
 * output, where the one that the names put first has much fewer of them.
 */
function byOutput(claims: readonly ColumnClaim[], output: ColumnSample | undefined): readonly ColumnClaim[] {
  const [first, ...rest] = claims.filter(({ key }) => key === undefined);
  // Verdicts may be the numbers of two classes as well: they take nothing away from another column.
  const others = rest.filter(({ sample }) => !saysRight(sample));
  if (!first || !output || others.length === 0) return claims;
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
function isVerdictOfOutput(sample: ColumnSample, output: ColumnSample | undefined): boolean {
  return saysRight(sample) && (!output || shareIn(output, sample) < LEAST_SHARE);
}
