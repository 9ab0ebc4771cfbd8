import { findFiles } from "../../../src/files/find-files.ts";
import { sameFiles } from "../../../src/files/same-files.ts";
import { readYamlObject } from "../../../src/files/yaml.ts";
import type { ResultsRequest } from "../../../src/experiments/request.ts";
import type { Direction } from "../../../src/judgement/cases/case-set.ts";
import { GatesError } from "../../../src/judgement/gates/errors.ts";
import { parseRanges } from "../../../src/judgement/gates/range-lines.ts";
import { parseWhere } from "../../../src/judgement/gates/where.ts";
import type { JudgementRequest } from "../../../src/judgement/judge-results.ts";
import { nameList, quoted, quotedName } from "../../../src/text/quoted.ts";
import { withFullStop } from "../../../src/text/reasons.ts";
import { reportPatterns, type NoFilesPolicy } from "../../options/found-files.ts";
import type { InputReader } from "../../options/input-reader.ts";
import type { DeclaredInputs, NeverEmpty } from "../../options/never-empty.ts";
import { AGE, parseDuration } from "../../../src/text/duration.ts";
import { readResults } from "../../options/result-files.ts";
import type { Host, Run } from "../../host.ts";
import { readGates, reportGates } from "./given-gates.ts";
import { readWrittenPaths, type WrittenPaths } from "./written-paths.ts";

type Reader = InputReader<JudgeInputName>;

/** What the step judges, and where it writes what it found. */
export interface JudgeInputs {
  readonly request: JudgementRequest;
  readonly written: WrittenPaths;
  /** The report has the texts of cases. */
  readonly showsTexts: boolean;
  /** What the input says, for a sentence on a baseline that is not there; empty where nothing is compared. */
  readonly baselinePatterns: readonly string[];
  /** The page of the run; undefined where it has none. */
  readonly runUrl: string | undefined;
  /** Sentences on what is allowed but seldom intended. */
  readonly warnings: readonly string[];
}

/**
 * Reads the options of the step, and the few files that they name. Undefined after an error, which the reader has.
 *
 * @throws GatesError where only the rules have errors.
 */
export async function readOptions(reader: Reader, host: Host): Promise<JudgeInputs | undefined> {
  const { place } = host;
  const results = await readResults(reader, place, () => "error");
  const others = await readOthers(reader, results);
  const gates = await readGates(reader, results?.workspace);
  const written = await readWrittenPaths(reader, place, {
    results: results?.files ?? [],
    baseline: others.baseline?.files ?? [],
    baselinePatterns: isReset(reader) ? undefined : patternsOf(reader, "baseline"),
    anchor: others.anchor?.files ?? [],
    workspace: results?.workspace,
  });
  const run = await host.run();
  const showsTexts = reader.boolean("show");
  const settings = {
    run: runFacts(reader, run),
    directions: await readDirections(reader),
    ranges: readRanges(reader),
    where: readWhere(reader),
    keepsTexts: showsTexts && written.paths.report !== undefined,
    cluster: reader.line("cluster")?.replace(/^metadata\./, ""),
    onMissingBaseline: reader.choice("on-missing-baseline", ["bootstrap", "fail"]),
    onEvaluatorChange: reader.choice("on-evaluator-change", ["fail", "warn"]),
    onRunChange: reader.choice("on-run-change", ["fail", "warn"]),
    filesAre: reader.choice("files", ["shards", "trials"]),
    baselineMaxAge: readAge(reader),
    baselineKeep: reader.count("baseline-keep") ?? 1,
  } satisfies Partial<JudgementRequest>;
  if (showsTexts && reader.text("report") === "") {
    reader.warn("The input `show` has no effect without `report`: only the report shows texts of cases.");
  }
  if (gates instanceof GatesError && reader.faults.length === 0) throw gates;
  if (gates instanceof GatesError) reportGates(reader, gates);
  if (results === undefined || gates === undefined || gates instanceof GatesError) return undefined;
  return {
    request: { results, ...others, gates, ...settings },
    written,
    showsTexts,
    baselinePatterns: isReset(reader) ? [] : patternsOf(reader, "baseline"),
    runUrl: run.url,
    warnings: reader.warnings,
  };
}

/** What a run is compared with; the files are read as the results are. */
async function readOthers(reader: Reader, results: ResultsRequest | undefined) {
  const startsAnew = isReset(reader);
  const baseline = startsAnew ? undefined : await readOther(reader, "baseline", { results, policy: "ignore" });
  // An anchor is there from the beginning: a pattern that does not lead to it is most likely wrong.
  const anchor = await readOther(reader, "anchor", { results, policy: "warn" });
  return { baseline, anchor, ...(startsAnew ? { isReset: true } : {}) };
}

interface OtherFiles {
  readonly results: ResultsRequest | undefined;
  readonly policy: NoFilesPolicy;
}

/** Undefined where the input is empty, or after an error. */
async function readOther(
  reader: Reader,
  input: "anchor" | "baseline",
  { results, policy }: OtherFiles,
): Promise<ResultsRequest | undefined> {
  const patterns = patternsOf(reader, input);
  if (patterns.length === 0 || results === undefined) return undefined;
  const { files, absent, ...wrong } = await findFiles(patterns, results.workspace);
  reportPatterns(reader, input, wrong, policy);
  if (input === "baseline") warnOfAbsent(reader, absent, files.length === 0);
  // For a baseline the judgement is incomplete.
  if (input === "anchor") await warnOfSame(reader, files, results.files);
  return { ...results, files };
}

/** A run shows no change against itself: a rule that compares it can only hold. */
async function warnOfSame(
  reader: Reader,
  files: ResultsRequest["files"],
  judged: ResultsRequest["files"],
): Promise<void> {
  const same = (await sameFiles(files, judged)).map(({ name }) => name);
  if (same.length === 0) return;
  const [are, itself] =
    same.length === 1
      ? ["is one of the results too, and shows", "itself"]
      : ["are results too, and show", "themselves"];
  reader.warn(`anchor: ${nameList(same)} ${are} no change against ${itself}: set \`anchor\` to an earlier run.`);
}

/** A path that leads to no file may be misspelt, or its file is not there yet: only the user knows. */
function warnOfAbsent(reader: Reader, absent: readonly string[], isMissing: boolean): void {
  const isGreen = isMissing && reader.text("on-missing-baseline") !== "fail";
  for (const fault of absent) reader.warn(`baseline: ${withFullStop(fault)}${isGreen ? NONE_YET : ""}`);
}

const NONE_YET =
  " A first run has none yet; for later ones, `on-missing-baseline: fail` makes the step red if a rule needs a baseline.";

/** The run starts a new baseline, and is compared with nothing. */
function isReset(reader: Reader): boolean {
  return reader.text("baseline").trim() === "reset";
}

function patternsOf(reader: Reader, input: "anchor" | "baseline"): readonly string[] {
  return reader.lines(input).map((line) => line.trim());
}

function runFacts(reader: Reader, { commit, ref, id }: Run): JudgementRequest["run"] {
  const name = reader.line("dataset-name");
  return { dataset: name === undefined ? undefined : { name }, commit, ref, run: id };
}

async function readDirections(reader: Reader): Promise<ReadonlyMap<string, Direction>> {
  const directions = new Map<string, Direction>();
  const text = reader.text("directions");
  if (text === "") return directions;
  const read = await readYamlObject(text, "cost: lower");
  if (!read.ok) {
    for (const fault of read.faults) reader.fault("directions", fault);
    return directions;
  }
  for (const [metric, direction] of Object.entries(read.value)) {
    if (direction === "higher" || direction === "lower") directions.set(metric, direction);
    else reader.fault("directions", `must set ${quotedName(metric)} to higher or lower`);
  }
  return directions;
}

function readRanges(reader: Reader): JudgementRequest["ranges"] {
  const read = parseRanges(reader.text("ranges"));
  if (!read.ok) for (const fault of read.faults) reader.fault("ranges", fault);
  else if (read.ranges.size === 0 && reader.isChanged("ranges")) {
    reader.fault("ranges", `${quoted(reader.text("ranges"))} contains no range; to declare none, write \`none\``);
  }
  return read.ok ? read.ranges : undefined;
}

function readWhere(reader: Reader): JudgementRequest["where"] {
  const text = reader.line("where");
  if (text === undefined) return undefined;
  const read = parseWhere(text);
  if (read.ok) return read.where;
  reader.fault("where", `${quoted(text)} ${read.fault}`);
  return undefined;
}

/** Milliseconds; days are allowed too, in which people think of the age of a baseline. */
function readAge(reader: Reader): number | undefined {
  const text = reader.text("baseline-max-age");
  if (text === "") return undefined;
  const age = parseDuration(text, AGE);
  if (age === undefined) {
    reader.fault("baseline-max-age", `${quoted(text)} is not a valid age (examples: 30d, 720h)`);
  }
  return age;
}

/** Every input of the step with its default, as its action.yml declares them. The reader accepts no other name. */
export const JUDGE_INPUTS = {
  results: "",
  files: "shards",
  format: "auto",
  mapping: "",
  where: "none",
  "dataset-name": "",
  baseline: "none",
  anchor: "",
  gates: "none",
  directions: "",
  ranges: "none",
  cluster: "",
  report: "",
  show: "false",
  snapshot: "",
  "comment-path": "",
  comment: "",
  judgement: "",
  "on-missing-baseline": "bootstrap",
  "on-evaluator-change": "fail",
  "on-run-change": "fail",
  "baseline-max-age": "",
  "baseline-keep": "5",
  "job-summary": "true",
} as const;

export type JudgeInputName = keyof typeof JUDGE_INPUTS;

/** The inputs without which the step judges less, and is green. */
const JUDGE_NEVER_EMPTY = {
  baseline: "word",
  gates: "word",
  where: "word",
  ranges: "word",
} as const satisfies NeverEmpty<JudgeInputName>;

/** Old names that go on working. */
const JUDGE_RENAMED = { comment: "comment-path" } as const satisfies Partial<Record<JudgeInputName, JudgeInputName>>;

export const JUDGE_DECLARED: DeclaredInputs<JudgeInputName> = {
  defaults: JUDGE_INPUTS,
  neverEmpty: JUDGE_NEVER_EMPTY,
  renamed: JUDGE_RENAMED,
};
