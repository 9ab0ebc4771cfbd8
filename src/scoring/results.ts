import { setFields } from "../contract/set-fields.ts";
import { fileErrorCode } from "../files/file-error.ts";
import type { FoundFile } from "../files/find-files.ts";
import { fileBytes } from "../files/json/byte-source.ts";
import { DataFileError } from "../files/json/errors.ts";
import { splitJsonLines } from "../files/json/line-split.ts";
import { parseJsonValue } from "../files/json/parsed-value.ts";
import { type JsonObject, objectIn, textIn, writeJsonValue } from "../files/json/value.ts";
import { takeLock } from "../files/file-lock.ts";
import { writeWholeFile } from "../files/whole-file.ts";
import type { DatasetRequest } from "./dataset.ts";
import { EvaluationResultsError, ResultsHeldError } from "./errors.ts";
import { withScores } from "./row.ts";
import type { ScoredBy, ScoringDeps, TrialScore } from "./scorer.ts";
import { Scoring } from "./scorers.ts";
import { Summary, type EvaluationSummary } from "./summary.ts";
import { outcomeIn } from "./tally.ts";

/** What the first line says beside the summary. */
export interface HeaderParts {
  readonly dataset: Pick<DatasetRequest, "name" | "shard">;
  /** How many runs are open at most. */
  readonly concurrency: number;
}

/** The first line of the results: what is the same for all rows. */
export function headerOf(
  { dataset: { name, shard }, concurrency }: HeaderParts,
  { first, last, trials, cases, errors, scores }: EvaluationSummary,
  { graph, evaluatorDigest }: { readonly graph: string; readonly evaluatorDigest: string },
): JsonObject {
  const isOther = first.version !== last.version || first.revisionId !== last.revisionId;
  const unasked = errors.find(({ outcome }) => outcome === "unasked")?.count ?? 0;
  return {
    type: "experiment",
    dataset_name: name,
    experiment_metadata: setFields({
      ...{ graph, server_version: first.version || undefined, revision_id: first.revisionId || undefined },
      ...(isOther ? { server_version_last: last.version, revision_id_last: last.revisionId } : {}),
      ...{ cases, trials, asked: trials - unasked, concurrency },
      shard: shard && `${String(shard.index)}/${String(shard.count)}`,
      ...scoredBy(evaluatorDigest, scores),
    }),
  };
}

function scoredBy(evaluatorDigest: string, scores: readonly { readonly key: string }[]): JsonObject {
  const ranges = scores.map(({ key }) => [key, { min: 0, max: 1 }] as const);
  return { evaluator_digest: evaluatorDigest, score_ranges: Object.fromEntries(ranges) };
}

/**
 * Keeps all others from these results and their journal until it is disposed of. Throws ResultsHeldError where another
 * process or another evaluation of this one has them, and EvaluationResultsError where nothing can be written there.
 */
export function holdResults(path: string): Disposable {
  const lock = `${path}.journal.lock`;
  try {
    const taken = takeLock(lock);
    if ("pid" in taken) throw new ResultsHeldError(path, lock, taken);
    return taken;
  } catch (cause) {
    throw fileErrorCode(cause) === undefined ? cause : new EvaluationResultsError(path, cause);
  }
}

/** Writes results as a whole; the same rows are the same bytes. Throws EvaluationResultsError where they cannot be written. */
export function writeResults(path: string, header: JsonObject, rows: Iterable<JsonObject>): void {
  const lines = function* () {
    yield `${writeJsonValue(header)}\n`;
    for (const row of rows) yield `${writeJsonValue(row)}\n`;
  };
  try {
    writeWholeFile(path, lines());
  } catch (cause) {
    throw fileErrorCode(cause) === undefined ? cause : new EvaluationResultsError(path, cause);
  }
}

// One answer of a command takes as long as a model behind it does.
const MOST_SCORED_AT_ONCE = 8;

/**
 * Scores kept answers again, and writes the results whole. Throws DataFileError for a file that holds none,
 * ResultsHeldError, and once the signal fires; the file stays as it was then.
 */
export async function scoreResults(file: FoundFile, by: ScoredBy, deps: ScoringDeps): Promise<EvaluationSummary> {
  using _held = holdResults(file.path);
  const { signal } = deps;
  await using scoring = new Scoring(by, deps);
  const digest = await scoring.digest();
  const summary = new Summary();
  const scores: (readonly TrialScore[])[] = [];
  const open: { readonly row: JsonObject; readonly scored: Promise<readonly TrialScore[]> }[] = [];
  const settleTo = async (most: number) => {
    for (const { row, scored } of open.splice(0, open.length - most)) {
      const made = await scored;
      signal.throwIfAborted();
      scores.push(made);
      summary.add(withScores(row, made));
    }
  };
  for (const row of readResults(file, "rows")) {
    open.push({ row, scored: scoring.scoresOf(row) });
    if (open.length === MOST_SCORED_AT_ONCE) await settleTo(MOST_SCORED_AT_ONCE - 1);
  }
  await settleTo(0);
  signal.throwIfAborted();
  const result = summary.get();
  const [header = {}] = readResults(file, "header");
  const before = objectIn(header["experiment_metadata"]);
  const facts = { ...before, ...scoredBy(digest, result.scores) };
  const rows = readResults(file, "rows").map((row, at) => withScores(row, scores[at] ?? []));
  writeResults(file.path, { ...header, experiment_metadata: facts }, rows);
  const { server_version: version, revision_id: revisionId } = before;
  const { server_version_last: lastVersion = version, revision_id_last: lastRevisionId = revisionId } = before;
  return {
    ...result,
    first: { version: textIn(version), revisionId: textIn(revisionId), workers: undefined },
    last: { version: textIn(lastVersion), revisionId: textIn(lastRevisionId), workers: undefined },
  };
}

/** The first line of results, or all others. */
function* readResults({ path, name }: FoundFile, part: "header" | "rows"): Generator<JsonObject> {
  let isFirst = true;
  for (const { bytes, line } of splitJsonLines(fileBytes(path, { name }))) {
    const value = objectIn(parseJsonValue(bytes, { file: name, line }));
    const { type, experiment_metadata: facts, run_metadata: metadata } = value;
    const isHeader = type === "experiment" && "evaluator_digest" in objectIn(facts);
    if (isFirst ? !isHeader : outcomeIn(objectIn(metadata)) === undefined) {
      throw new DataFileError({ file: name, line }, "this is not the result of an evaluation of a deployed agent");
    }
    if (isFirst === (part === "header")) yield value;
    isFirst = false;
  }
  if (isFirst) throw new DataFileError({ file: name }, "the file is empty");
}
