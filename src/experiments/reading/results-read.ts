import { FEEDBACK_KEY_LIMIT } from "../../contract/experiment.ts";
import { nameList } from "../../text/quoted.ts";
import type { ResultsRead } from "../events.ts";
import { placeText } from "../../files/json/errors.ts";
import { countOf } from "../../text/number.ts";
import { hasEmptyLabel } from "../rows/score.ts";
import type { SourceScore } from "../rows/source-row.ts";
import { MOST_FAILING } from "./row-collector.ts";
import { latenciesOf } from "../rows/times.ts";
import type { Evaluation } from "./evaluation.ts";

const MOST_KEYS = 3;

interface Findings {
  /** Characters outside the rows that were replaced. */
  readonly replacedOutside: number;
  /** Times without a zone. */
  readonly naive: number;
  /** Rows outside of the time of the experiment. */
  readonly outsiders: number;
  readonly isClamped: boolean;
  /** Those of the request, besides those of the files. */
  readonly summaryScores: readonly SourceScore[];
}

/** Warns of what a user should check. */
export function warnOf({ files, run, rows, part }: Evaluation, found: Findings, say: (message: string) => void): void {
  const { naive, outsiders, isClamped, replacedOutside } = found;
  // Those of all rows are not sent with the rows of one value.
  const ofFiles = part ? { scores: [], differing: [] } : run.summaryScores;
  const summaryScores = [...ofFiles.scores, ...found.summaryScores];
  if (naive > 0) say(`${countOf(naive, "time")} without a time zone, read as UTC.`);
  if (outsiders > 0) {
    const done = isClamped ? "clamped to it" : "which was extended to include them";
    say(`${countOf(outsiders, "row")} outside the time of the experiment, ${done}.`);
  }
  const { replaced } = rows;
  if (replaced.count + replacedOutside > 0) {
    const where = replaced.first ? `in ${placeText(replaced.first)}` : "outside the rows";
    const characters = countOf(replaced.count + replacedOutside, "character");
    say(
      `Replaced ${characters} that cannot be stored (NUL, half of a surrogate pair) by U+FFFD; the first is ${where}.`,
    );
  }
  const { count, first } = rows.ambiguous;
  if (first) {
    const what = `${count === 1 ? "has" : "have"} several scores with one name, whose mean counts as one score`;
    say(`${countOf(count, "row")} ${what}: the first is ${placeText(first)}.`);
  }
  const { variants } = rows;
  if (rows.doubt !== undefined) say(rows.doubt);
  if (variants) say(`${variants.place.file}: ${variants.message}.`);
  const doubt = (keys: readonly string[], what: string) => {
    const names = [...new Set(keys)];
    if (names.length === 0) return;
    const list = nameList(names, MOST_KEYS);
    say(`${countOf(names.length, "score")} with ${what}, which some services reject: ${list}.`);
  };
  const keys = [...rows.tally.summaries.keys(), ...rows.tally.words.keys(), ...summaryScores.map(({ key }) => key)];
  doubt(
    keys.filter((key) => key.length > FEEDBACK_KEY_LIMIT),
    `a name of more than ${String(FEEDBACK_KEY_LIMIT)} characters`,
  );
  doubt(
    [...rows.emptyLabels, ...summaryScores.filter(hasEmptyLabel).map(({ key }) => key)],
    "a category whose label is empty",
  );
  for (const { name } of files.filter((file) => file.rows === 0)) say(`${name} contains no rows.`);
  const { differing } = ofFiles;
  if (differing.length > 0) {
    say(`The files state different values for these summary scores, which are left out: ${differing.join(", ")}.`);
  }
}

/** The content of all files, before their rows are placed in time: times that are made up are not latencies. */
export function resultsOf({ files, rows, spool, left }: Evaluation): ResultsRead {
  const { times } = spool;
  let count = 0;
  for (let row = 0; row < times.count; row++) {
    const { start, end } = times.get(row);
    if (start === undefined || end === undefined) count += 1;
  }
  return {
    files,
    rows: spool.count,
    errors: rows.errors,
    failing: rows.failing,
    missingScores: rows.tally.missing,
    scores: rows.tally.summaries,
    words: rows.tally.words,
    latency: latenciesOf(spool.times),
    sharedRows: rows.shared,
    madeTimes: count,
    ...(left === 0 ? {} : { otherRows: left }),
  };
}

/** The content of several experiments of the same files: no mean is one of all. */
export function resultsOfParts(evaluations: readonly Evaluation[]): ResultsRead {
  const parts = evaluations.map((one) => ({ value: one.part?.value ?? "", results: resultsOf(one) }));
  const [first] = parts;
  if (!first || !evaluations[0]?.part) return first?.results ?? NOTHING;
  const sum = (of: (results: ResultsRead) => number) => parts.reduce((total, { results }) => total + of(results), 0);
  return {
    ...NOTHING,
    files: first.results.files,
    rows: sum(({ rows }) => rows),
    errors: sum(({ errors }) => errors),
    failing: parts.flatMap(({ results }) => results.failing).slice(0, MOST_FAILING),
    missingScores: sum(({ missingScores }) => missingScores),
    sharedRows: sum(({ sharedRows }) => sharedRows),
    madeTimes: sum((results) => results.madeTimes),
    parts,
  };
}

const NOTHING: ResultsRead = {
  files: [],
  rows: 0,
  errors: 0,
  failing: [],
  missingScores: 0,
  scores: new Map(),
  words: new Map(),
  latency: undefined,
  sharedRows: 0,
  madeTimes: 0,
};
