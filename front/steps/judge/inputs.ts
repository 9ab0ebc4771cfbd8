import { flag, path, patterns, text } from "../../../src/contract/option-kinds.ts";
import { option } from "../../../src/contract/options.ts";
import { READING_OPTIONS } from "../../../src/experiments/options.ts";
import type { ResultsRequest } from "../../../src/experiments/request.ts";
import { findFiles } from "../../../src/files/find-files.ts";
import { sameFiles } from "../../../src/files/same-files.ts";
import { readYamlObject } from "../../../src/files/yaml.ts";
import type { Direction } from "../../../src/judgement/cases/case-set.ts";
import { GatesError } from "../../../src/judgement/gates/errors.ts";
import { parseRanges } from "../../../src/judgement/gates/range-lines.ts";
import { parseWhere } from "../../../src/judgement/gates/where.ts";
import type { JudgementRequest } from "../../../src/judgement/judge-results.ts";
import { JUDGE_OPTIONS } from "../../../src/judgement/options.ts";
import { nameList, quoted, quotedName } from "../../../src/text/quoted.ts";
import { withFullStop } from "../../../src/text/reasons.ts";
import type { Host } from "../../host.ts";
import { reportPatterns } from "../../options/workspace.ts";
import type { InputReader } from "../../options/input-reader.ts";
import { inputsOf, type InputNames } from "../../options/never-empty.ts";
import { readResults } from "../../options/result-files.ts";
import { readYamlInput } from "../../options/yaml-input.ts";
import { readGates, reportGates } from "./given-gates.ts";
import { readWrittenPaths, type WrittenPaths } from "./written-paths.ts";

const { filesAre, expectedFiles, where, datasetName, directions, ranges, cluster, ...how } = JUDGE_OPTIONS;

const OPTIONS = {
  files: {
    ...READING_OPTIONS.files,
    required: true,
    about:
      "Result files or snapshots, as paths, directories and globs relative to the workspace, one per line; `!pattern` takes files out. Together they are one run.",
  },
  filesAre,
  expectedFiles,
  format: {
    ...READING_OPTIONS.format,
    about: "Format of the result files, as for the upload of results; `auto` detects it by the content of each file.",
  },
  mapping: READING_OPTIONS.mapping,
  where,
  datasetName,
  baseline: option(patterns, {
    about:
      "Snapshots or result files of earlier runs, named as `files` are. A pattern that matches no file is not an error: there is no baseline yet. A path without a wildcard that does not exist gets a warning. `reset` reads none, and starts a new baseline: runs before this one are no baseline of later ones. A file named `none` or `reset` is `./none` or `./reset`.",
    word: "none",
  }),
  anchor: option(patterns, {
    about:
      "Snapshots or result files of a fixed older run, such as the last release, named as `files` are. If a rule that compares does not hold against it, the step warns.",
  }),
  gates: option(text, {
    about:
      "The rules, one per line, such as `accuracy not regressed`; or the path of a file with them, relative to the workspace. With `none`, the step only shows the results.",
    word: "none",
  }),
  directions,
  ranges,
  cluster,
  report: option(path, { about: "Path of an HTML page to write, relative to the workspace. Default: no page." }),
  show: option(flag, {
    about:
      "Put inputs, outputs and expected outputs into the report. Otherwise no text of a case leaves the job, only its name, scores and metadata.",
    default: "false",
  }),
  snapshot: option(path, {
    about:
      "Path of the snapshot to write, relative to the workspace; its name should end in `.snapshot.jsonl`. Default: a new file in RUNNER_TEMP. It is written even if the judgement is red: save it as a baseline only if the step is green.",
  }),
  commentPath: option(path, {
    about:
      "Path of the markdown for a comment to write, relative to the workspace. Default: a new file in RUNNER_TEMP. The step posts nothing: the action `action/comment` does.",
  }),
  comment: option(path, { about: "The old name of `commentPath`. It still works, with a warning." }),
  judgement: option(path, {
    about: "Path of the judgement as JSON to write, relative to the workspace. Default: a new file in RUNNER_TEMP.",
  }),
  ...how,
  jobSummary: option(flag, { about: "Add the judgement to the job summary.", default: "true" }),
};
const SPELLING = {
  files: "results",
  filesAre: "files",
  expectedFiles: "expected-shards",
  baselineMaxAgeMilliseconds: "baseline-max-age",
} as const;

export type JudgeInputName = InputNames<typeof OPTIONS, typeof SPELLING>;
type Reader = InputReader<JudgeInputName>;

export const JUDGE_INPUTS = { ...inputsOf(OPTIONS, SPELLING), renamed: { comment: "comment-path" } };

/** What the step judges, and where it writes what it found. */
export interface JudgeInputs {
  readonly request: JudgementRequest;
  readonly written: WrittenPaths;
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
  const results = await readResults(reader, place, "error");
  const named = reader.read(OPTIONS, "baseline") ?? [];
  const isReset = named.length === 1 && named[0] === "reset";
  const baselinePatterns = isReset ? [] : named;
  const baseline = await readOther(reader, "baseline", baselinePatterns, results);
  const anchorPatterns = reader.read(OPTIONS, "anchor") ?? [];
  const anchor = await readOther(reader, "anchor", anchorPatterns, results);
  const gates = await readGates(reader, results?.workspace);
  const written = await readWrittenPaths(reader, place, {
    results: results?.files ?? [],
    baseline: baseline?.files ?? [],
    baselinePatterns: isReset ? undefined : baselinePatterns,
    anchor: anchor?.files ?? [],
    workspace: results?.workspace,
  });
  const { commit, ref, id, url: runUrl } = await host.run();
  const { datasetName, baselineMaxAgeMilliseconds, baselineKeep, ...given } = reader.readAll(JUDGE_OPTIONS);
  const showsTexts = reader.read(OPTIONS, "show");
  const settings = {
    run: { dataset: datasetName === undefined ? undefined : { name: datasetName }, commit, ref, run: id },
    directions: await readDirections(reader),
    ranges: readRanges(reader, given.ranges ?? ""),
    where: readWhere(reader, given.where),
    keepsTexts: showsTexts && written.paths.report !== undefined,
    cluster: given.cluster?.replace(/^metadata\./, ""),
    onMissingBaseline: given.onMissingBaseline,
    onEvaluatorChange: given.onEvaluatorChange,
    onRunChange: given.onRunChange,
    filesAre: given.filesAre,
    expectedFiles: given.expectedFiles,
    baselineMaxAge: baselineMaxAgeMilliseconds,
    baselineKeep,
  } satisfies Partial<JudgementRequest>;
  if (showsTexts && reader.text("report") === "") {
    reader.warn("The input `show` has no effect without `report`: only the report shows texts of cases.");
  }
  if (gates instanceof GatesError && reader.faults.length === 0) throw gates;
  if (gates instanceof GatesError) reportGates(reader, gates);
  if (!results || !gates || gates instanceof GatesError) return undefined;
  const request = { results, baseline, anchor, ...(isReset ? { isReset } : {}), gates, ...settings };
  return { request, written, showsTexts, baselinePatterns, runUrl, warnings: reader.warnings };
}

/** What a run is compared with, which is read as the results are; undefined where nothing is named, or after an error. */
async function readOther(
  reader: Reader,
  input: "anchor" | "baseline",
  patterns: readonly string[],
  results: ResultsRequest | undefined,
): Promise<ResultsRequest | undefined> {
  if (patterns.length === 0 || !results) return undefined;
  const { files, absent, ...wrong } = await findFiles(patterns, results.workspace);
  // An anchor is there from the beginning: a pattern that does not lead to it is most likely wrong.
  reportPatterns(reader, input, wrong, input === "anchor" ? "warn" : "ignore");
  if (input === "baseline") {
    // A path that leads to no file may be misspelt, or its file is not there yet: only the user knows.
    const isGreen = files.length === 0 && reader.text("on-missing-baseline") !== "fail";
    for (const fault of absent) reader.warn(`baseline: ${withFullStop(fault)}${isGreen ? NONE_YET : ""}`);
    return { ...results, files };
  }
  // A run shows no change against itself: a rule that compares it can only hold. For a baseline the judgement is incomplete.
  const same = (await sameFiles(files, results.files)).map(({ name }) => name);
  const [are, itself] =
    same.length === 1
      ? ["is one of the results too, and shows", "itself"]
      : ["are results too, and show", "themselves"];
  if (same.length > 0) {
    reader.warn(`anchor: ${nameList(same)} ${are} no change against ${itself}: set \`anchor\` to an earlier run.`);
  }
  return { ...results, files };
}

const NONE_YET =
  " A first run has none yet; for later ones, `on-missing-baseline: fail` makes the step red if a rule needs a baseline.";

async function readDirections(reader: Reader): Promise<ReadonlyMap<string, Direction>> {
  const directions = new Map<string, Direction>();
  const read = await readYamlInput(reader, "directions", (yaml) => readYamlObject(yaml, "cost: lower"));
  for (const [metric, direction] of Object.entries(read ?? {})) {
    if (direction === "higher" || direction === "lower") directions.set(metric, direction);
    else reader.fault("directions", `must set ${quotedName(metric)} to higher or lower`);
  }
  return directions;
}

function readRanges(reader: Reader, lines: string): JudgementRequest["ranges"] {
  const read = parseRanges(lines);
  if (!read.ok) for (const fault of read.faults) reader.fault("ranges", fault);
  else if (read.ranges.size === 0 && lines !== "") {
    reader.fault("ranges", `${quoted(lines)} contains no range; to declare none, write \`none\``);
  }
  return read.ok ? read.ranges : undefined;
}

function readWhere(reader: Reader, filter: string | undefined): JudgementRequest["where"] {
  if (filter === undefined) return undefined;
  const read = parseWhere(filter);
  if (read.ok) return read.where;
  reader.fault("where", `${quoted(filter)} ${read.fault}`);
  return undefined;
}
