import { toolCallsIn, addedMessages, usageIn } from "../agent-server/messages.ts";
import { setFields } from "../contract/set-fields.ts";
import { isMeasurement, TRIAL_OUTCOMES, type TrialOutcome } from "../contract/trial-outcome.ts";
import { isRowId, rowId } from "../experiments/rows/identity.ts";
import { isJsonObject, listIn, objectIn, textIn } from "../files/json-object.ts";
import { fileBytes } from "../files/json/byte-source.ts";
import { DataFileError } from "../files/json/errors.ts";
import { splitJsonLines } from "../files/json/line-split.ts";
import { parseJsonValue } from "../files/json/parsed-value.ts";
import { valueAtPath } from "../files/json/path.ts";
import { numberIn, writeJsonValue, type JsonObject } from "../files/json/value.ts";
import type { FoundFile } from "../files/find-files.ts";
import { quantilesOf } from "../statistics/quantiles.ts";
import type { Asked, EvaluationRequest, EvaluationSummary, ScoredRow, Trial, TrialScore } from "./evaluation.ts";
import { writeResultsFile } from "./journal.ts";
import type { Scoring } from "./scorers.ts";
import { costOf, tokensIn } from "./usage.ts";

/** A row of the results without scores, with the whole state: scorers need it, and `withoutState` leaves it out. */
export function rowOf(
  { case: asked, repetition, attempt }: Trial,
  answer: Asked,
  { dataset, output, prices }: Pick<EvaluationRequest, "dataset" | "output" | "prices">,
  revisionId: string,
): JsonObject {
  const { id, row, inputs, expected, turns, cluster } = asked;
  const { state, outcome, error } = answer;
  const messages = addedMessages(state, turns);
  const usage = usageIn(messages);
  const held = { ...expected, ...inputs };
  const rest = Object.entries(row).filter(([name, value]) => held[name] !== value);
  const began = outcome !== "unasked";
  return setFields({
    // A UUID is the id of one row alone; rows with another id are counted where they are read.
    row_id: isRowId(id) ? rowId({ dataset: dataset.name, id, inputs, expected, repetition }) : id,
    inputs,
    expected_outputs: expected,
    actual_outputs:
      outcome === "answered"
        ? setFields({ output: valueAtPath(state ?? null, output)?.value, tool_calls: toolCallsIn(messages), state })
        : undefined,
    start_time: began ? answer.startedAt.toISOString() : undefined,
    end_time: began ? answer.endedAt.toISOString() : undefined,
    error: error || undefined,
    run_metadata: setFields({
      ...{ case_id: id, repetition, outcome, attempts: attempt, unverified: answer.isUnverified || undefined },
      ...{ in_flight: answer.inFlight, queued_ms: answer.queuedMilliseconds, run_ms: answer.runMilliseconds },
      first_token_ms: answer.firstTokenMilliseconds,
      ...{ run_id: answer.runId || undefined, thread_id: answer.threadId || undefined },
      ...{ trace_id: answer.traceId || undefined, revision_id: revisionId || undefined },
      ...{ usage, cost: costOf(usage, prices), cluster },
      // With inputs and expected outputs, the row of the dataset, so that scorers can look at it again.
      dataset_row: rest.length > 0 ? Object.fromEntries(rest) : undefined,
    }),
  });
}

/** What scorers see of a row with an answer. */
export function scoredRowOf(row: JsonObject): ScoredRow {
  const facts = objectIn(row["run_metadata"]);
  const { output, state, tool_calls: calls = [] } = objectIn(row["actual_outputs"]);
  const tokens = isJsonObject(facts["usage"]) ? tokensIn(facts["usage"]) : undefined;
  return {
    id: `${textIn(facts["case_id"])} ${String(numberIn(facts["repetition"]))}`,
    row: { ...objectIn(row["expected_outputs"]), ...objectIn(row["inputs"]), ...objectIn(facts["dataset_row"]) },
    ...{ output, state, runMilliseconds: numberIn(facts["run_ms"]), cost: numberIn(facts["cost"]) },
    toolCalls: listIn(calls).map((call) => {
      const { name, args = {} } = objectIn(call);
      return { name: textIn(name), args };
    }),
    tokens: tokens && tokens.input + tokens.output,
  };
}

/** Who scores rows, and how. */
export interface RowScoring extends Pick<EvaluationRequest, "onAgentError" | "scorers"> {
  readonly scoring: Pick<Scoring, "digest" | "score">;
}

/** The scores of a row: those of an answer, 0 for an error of the agent where that counts, and else none. */
export async function scoresOf(row: JsonObject, by: RowScoring): Promise<readonly TrialScore[]> {
  const { outcome } = objectIn(row["run_metadata"]);
  if (outcome === "answered") return by.scoring.score(scoredRowOf(row));
  const isZero = outcome === "agent-error" && by.onAgentError === "zero";
  return isZero ? by.scorers.flatMap(({ keys }) => keys.map((key) => ({ key, score: 0 }))) : [];
}

/** The row with these scores alone; a missing one is null, with the reason. */
export function withScores(row: JsonObject, scores: readonly TrialScore[]): JsonObject {
  const { evaluation_scores: _scores, run_metadata: metadata, ...kept } = row;
  const { broken_scores: _broken, ...facts } = objectIn(metadata);
  const broken = scores.flatMap((score) => ("missing" in score && score.isBroken ? score.key : []));
  const written = scores.map((score) =>
    "missing" in score ? { key: score.key, score: null, comment: score.missing } : setFields(score),
  );
  return {
    ...kept,
    run_metadata: broken.length > 0 ? { ...facts, broken_scores: broken } : facts,
    ...(written.length > 0 ? { evaluation_scores: written } : {}),
  };
}

/** The row without the final state of its thread. */
export function withoutState(row: JsonObject): JsonObject {
  if (row["actual_outputs"] === undefined) return row;
  const { state: _state, ...answer } = objectIn(row["actual_outputs"]);
  return { ...row, actual_outputs: answer };
}

/** What rows come to. */
export class Summary {
  #cases = 0;
  /** How many trials ended so, and what the first of them said. */
  readonly #outcomes = new Map<TrialOutcome, { count: number; readonly caseId: string; readonly error: string }>();
  readonly #scores = new Map<string, { sum: number; count: number; missing: number; broken: number; reason: string }>();
  readonly #milliseconds: number[] = [];
  /** What each trial took that has a run; NaN where that is unknown, as is then the sum. */
  readonly #spent: { readonly input: number; readonly output: number; readonly cost: number }[] = [];

  add(row: JsonObject): void {
    const facts = objectIn(row["run_metadata"]);
    const outcome = outcomeIn(facts) ?? "unverified";
    const first = { count: 0, caseId: textIn(facts["case_id"]), error: textIn(row["error"]) };
    const alike = this.#outcomes.get(outcome) ?? first;
    this.#outcomes.set(outcome, alike);
    alike.count += 1;
    if (facts["repetition"] === 0) this.#cases += 1;
    const milliseconds = numberIn(facts["run_ms"]);
    if (isMeasurement(outcome) && milliseconds !== undefined) this.#milliseconds.push(milliseconds);
    const isAskedAgain = (numberIn(facts["attempts"]) ?? 1) > 1;
    if (facts["run_id"] !== undefined || isAskedAgain) {
      // What the attempts before the last one took is not known.
      const isKnown = isJsonObject(facts["usage"]) && !isAskedAgain;
      const { input, output } = isKnown ? tokensIn(objectIn(facts["usage"])) : UNKNOWN;
      this.#spent.push({ input, output, cost: (isKnown ? numberIn(facts["cost"]) : undefined) ?? Number.NaN });
    }
    for (const score of listIn(row["evaluation_scores"])) {
      const { key = "", score: value, comment = "" } = objectIn(score);
      const number = numberIn(value);
      const isBroken = listIn(facts["broken_scores"]).includes(key);
      const all = this.#scores.get(textIn(key)) ?? { sum: 0, count: 0, missing: 0, broken: 0, reason: "" };
      this.#scores.set(textIn(key), all);
      // A scorer that broke says more than a row without an expectation.
      if (number === undefined && (all.missing === 0 || (isBroken && all.broken === 0))) all.reason = textIn(comment);
      all.sum += number ?? 0;
      all[number === undefined ? "missing" : "count"] += 1;
      if (isBroken) all.broken += 1;
    }
  }

  get(): Omit<EvaluationSummary, "first" | "last"> {
    const outcomes = [...this.#outcomes].map(([outcome, alike]) => ({ outcome, ...alike }));
    const trialsOf = (which: typeof outcomes) => which.reduce((sum, { count }) => sum + count, 0);
    const sumOf = (what: keyof typeof UNKNOWN) => this.#spent.reduce((sum, spent) => sum + spent[what], 0);
    const [input, output, cost] = [sumOf("input"), sumOf("output"), sumOf("cost")];
    const { p50, p95 } = quantilesOf({ values: this.#milliseconds, counts: undefined });
    return {
      cases: this.#cases,
      trials: trialsOf(outcomes),
      agentErrors: this.#outcomes.get("agent-error")?.count ?? 0,
      unmeasured: trialsOf(outcomes.filter(({ outcome }) => !isMeasurement(outcome))),
      errors: outcomes.filter(({ outcome }) => outcome !== "answered"),
      scores: [...this.#scores].map(([key, { sum, ...score }]) => {
        return { key, mean: score.count > 0 ? sum / score.count : undefined, ...score };
      }),
      tokens: this.#spent.length > 0 && !Number.isNaN(input + output) ? { input, output } : undefined,
      cost: this.#spent.length > 0 && !Number.isNaN(cost) ? cost : undefined,
      latency: this.#milliseconds.length > 0 ? { p50, p95 } : undefined,
    };
  }
}

const UNKNOWN = { input: Number.NaN, output: Number.NaN, cost: Number.NaN };

/** The first line of the results: what is the same for all rows. */
export function headerOf(
  { dataset: { name, shard }, concurrency }: Pick<EvaluationRequest, "concurrency" | "dataset">,
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

/** Writes results as a whole; the same rows are the same bytes. Throws EvaluationResultsError where they cannot be written. */
export function writeResults(path: string, header: JsonObject, rows: Iterable<JsonObject>): void {
  const lines = function* () {
    yield `${writeJsonValue(header)}\n`;
    for (const row of rows) yield `${writeJsonValue(row)}\n`;
  };
  writeResultsFile(path, lines());
}

// One answer of a command takes as long as a model behind it does.
const MOST_SCORED_AT_ONCE = 8;

/**
 * Scores kept answers again, and writes the results whole. Throws DataFileError for a file that holds none, and once the
 * signal fires; the file stays as it was then.
 */
export async function scoreResults(file: FoundFile, by: RowScoring, signal: AbortSignal): Promise<EvaluationSummary> {
  const digest = await by.scoring.digest();
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
    open.push({ row, scored: scoresOf(row, by) });
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

function outcomeIn({ outcome }: JsonObject): TrialOutcome | undefined {
  return TRIAL_OUTCOMES.find((each) => each === outcome);
}
