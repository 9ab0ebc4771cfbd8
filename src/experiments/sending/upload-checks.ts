import { instantOfMilliseconds } from "../../contract/instant.ts";
import { WHOLE, type Evaluation } from "../reading/evaluation.ts";
import type { ReadingDeps } from "../reading/file-reading.ts";
import { experimentHead, type CheckedHead, type WholeFault } from "./head.ts";
import { scoresMapping } from "../reading/overlooked-columns.ts";
import { NO_ROW_WRITTEN } from "../formats/shared/foreign-file.ts";
import { warnOf } from "../reading/results-read.ts";
import type { ExperimentRequest } from "../request.ts";
import { countOf } from "../../text/number.ts";
import { cut } from "../../text/foreign-text.ts";
import { listed, nameList, quotedName } from "../../text/quoted.ts";
import type { StatedTimes } from "../rows/source-row.ts";
import { statedWindow, placeRows } from "./window.ts";

const TIMES = { advice: "Correct the times in the files.", reasons: ["TIMES_OUTSIDE"] } as const;
const ARGUMENTS_ADVICE = "Correct the arguments, or the rows.";

export type Checked = readonly [evaluation: Evaluation, head: CheckedHead];

/** Checks all experiments, and warns of what a user should check. Throws ResultsError with the errors of all. */
export function checkAll(
  request: ExperimentRequest,
  evaluations: readonly Evaluation[],
  deps: Pick<ReadingDeps, "clock" | "emit">,
): readonly Checked[] {
  const suffixes = suffixesOf(evaluations);
  const said = new Set<string>();
  // What holds for all of them is said once.
  const once = (message: string, say: () => void) => {
    if (!said.has(message)) say();
    said.add(message);
  };
  const checks = evaluations.map((evaluation, at) =>
    checkOne(request, evaluation, { ...deps, once, suffix: suffixes[at] }),
  );
  const [first] = evaluations;
  if (first) {
    const { faults } = first;
    const rows = evaluations.reduce((sum, { spool }) => sum + spool.count, 0);
    const usual = "rows" in request.results ? ARGUMENTS_ADVICE : undefined;
    const whole = [...countFaults(request, rows, faults.count), ...checks.flatMap((check) => check.whole)];
    for (const { message, reason, advice = usual } of whole) {
      once(message, () => {
        faults.add(WHOLE, message, { advice, reasons: [reason] });
      });
    }
    if (faults.count === 0 && !request.allowNoScores) checkScores(request, evaluations, first);
    faults.throwIfAny();
  }
  const left = first?.part && leftSummary(first);
  if (left !== undefined) deps.emit({ type: "warning", message: left });
  return checks.map(({ evaluation, head, warn }) => {
    warn();
    return [evaluation, head];
  });
}

/** What stands behind the name of each experiment of a split upload. */
function suffixesOf(evaluations: readonly Evaluation[]): readonly (string | undefined)[] {
  const taken = new Set<string>();
  return evaluations.map(({ part }) => {
    if (!part) return undefined;
    const value = cut(part.value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " "), LONGEST_SUFFIX);
    let suffix = ` (${value})`;
    // Long values may begin alike.
    for (let number = 2; taken.has(suffix); number++) suffix = ` (${value} ${String(number)})`;
    taken.add(suffix);
    return suffix;
  });
}

const LONGEST_SUFFIX = 80;

interface CheckDeps extends Pick<ReadingDeps, "clock" | "emit"> {
  readonly once: (message: string, say: () => void) => void;
  readonly suffix: string | undefined;
}

function checkOne(request: ExperimentRequest, evaluation: Evaluation, { emit, clock, once, suffix }: CheckDeps) {
  const { rows, spool, run, faults, files, part } = evaluation;
  const windowOf = (times: readonly (StatedTimes | undefined)[], names: readonly string[]) =>
    statedWindow(times, (index, message) => {
      once(`${String(index)} ${message}`, () => {
        faults.add({ file: names[index] ?? WHOLE.file }, message);
      });
    });
  const names = files.map(({ name }) => name);
  const [ofFiles, given] = [windowOf(run.times(names), names), windowOf([request.times], [])];
  const naive = rows.naiveTimes + ofFiles.naive + given.naive;
  const { window, outsiders } = placeRows(spool.times, {
    start: given.start ?? ofFiles.start,
    end: given.end ?? ofFiles.end,
    policy: request.timePolicy,
    now: instantOfMilliseconds(clock.date().getTime()),
    fault: (row, message) => {
      faults.add(rows.placeOf(row), message, TIMES);
    },
  });
  const head = experimentHead(request, evaluation, { window, suffix });
  const whole = [...head.faults];
  const { summaryScores } = request;
  if (part && summaryScores.length > 0) {
    const message = `summary scores are given, which are those of one experiment, and the rows are split by ${quotedName(part.column)}`;
    const advice = "Leave the summary scores out, or do not split the rows.";
    whole.push({ message, reason: "REQUEST_INVALID", advice });
  }
  const isClamped = request.timePolicy === "clamp";
  const warn = () => {
    const found = { naive, outsiders, isClamped, replacedOutside: head.replaced, summaryScores };
    const ofPart = part ? `${quotedName(part.value)}: ` : "";
    warnOf(evaluation, found, (message) => {
      // Files that have no rows have none in any of the experiments.
      once(message, () => {
        emit({ type: "warning", message: `${ofPart}${message}` });
      });
    });
  };
  return { evaluation, head, whole, warn };
}

/** A sentence about the summary scores of the files, which are of all rows; undefined without any. */
function leftSummary({ run }: Evaluation): string | undefined {
  const { scores, differing } = run.summaryScores;
  const names = [...new Set([...scores.map(({ key }) => key), ...differing])];
  if (names.length === 0) return undefined;
  return `${countOf(names.length, "summary score")} of the files ${names.length === 1 ? "is" : "are"} of all rows, and left out where the rows are split: ${nameList(names.map(quotedName), MOST_NAMES)}.`;
}

function checkScores(
  request: ExperimentRequest,
  evaluations: readonly Evaluation[],
  { faults, files }: Evaluation,
): void {
  const isGiven = "rows" in request.results;
  for (const evaluation of evaluations) {
    const { part, run, shownScores, rows } = evaluation;
    const { counts } = rows.tally;
    // Without any score they were most likely not found; those of the whole are not those of a part.
    const hasSummary = request.summaryScores.length > 0 || run.summaryScores.scores.length > 0;
    if ((!part && hasSummary) || [...counts.keys()].some((key) => shownScores.has(key))) continue;
    const which = part ? `no row with ${quotedName(part.value)} in ${quotedName(part.column)}` : "no row";
    faults.add(WHOLE, `${which} has a score`, {
      advice: isGiven ? NO_SCORES_OF_ROWS_ADVICE : counts.size > 0 ? NUMBERS_ADVICE : NO_SCORES_ADVICE,
      reasons: ["NO_SCORES"],
    });
    const rowsPath = "rows" in request.results ? undefined : request.results.mapping?.rows;
    for (const { columns } of files) if (columns) faults.propose(scoresMapping(columns, rowsPath));
  }
}

const MOST_NAMES = 5;
const NO_SCORES_ADVICE = "Check how the columns were read.";
const NUMBERS_ADVICE =
  "Nothing shows that the columns of numbers are scores. Name those that are in a mapping, or allow results without scores.";
const NO_SCORES_OF_ROWS_ADVICE = "Give the rows scores, or allow results without scores.";

/** An incomplete set would look better or worse than it is. */
function countFaults(
  { results, expectedShards, expectedRows }: ExperimentRequest,
  rows: number,
  faults: number,
): readonly WholeFault[] {
  const found: WholeFault[] = [];
  const files = "rows" in results ? [] : results.files;
  if (expectedShards !== undefined && files.length !== expectedShards) {
    const message = `expected ${countOf(expectedShards, "result file")}, found ${String(files.length)}`;
    found.push({ message, reason: "FILE_COUNT" });
  }
  // Rows with errors are not counted, so the count would report them again.
  if (faults > 0) return found;
  if (expectedRows !== undefined && rows !== expectedRows) {
    const message = `expected ${countOf(expectedRows, "row")}, found ${String(rows)}`;
    found.push({ message, reason: "ROW_COUNT" });
  } else if (rows === 0) {
    const which = listed(
      files.map(({ name }) => name),
      { conjunction: "and", most: MOST_FILES },
    );
    const message = `${which} ${files.length === 1 ? "contains" : "contain"} no rows`;
    if ("rows" in results) found.push({ message: "there are no rows", reason: "REQUEST_INVALID" });
    else if (files.length === 0) found.push({ message: "there are no files", reason: "REQUEST_INVALID" });
    else found.push({ message, reason: "REQUEST_INVALID", advice: NO_ROW_WRITTEN });
  }
  return found;
}

const MOST_FILES = 3;
