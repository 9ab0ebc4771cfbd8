import { toolCallsIn, addedMessages, usageIn } from "../agent-server/messages.ts";
import { setFields } from "../contract/set-fields.ts";
import { isRowId, rowId } from "../experiments/rows/identity.ts";
import { type JsonObject, listIn, numberIn, objectIn, textIn } from "../files/json/value.ts";
import { valueAtPath, type JsonPath } from "../files/json/path.ts";
import type { DatasetRequest } from "./dataset.ts";
import type { ScoredRow, TrialScore } from "./scorer.ts";
import type { Asked, Trial } from "./trial.ts";
import { costOf, tokensIn, type Prices } from "./usage.ts";

/** What a row is made by, besides its trial. */
export interface RowParts {
  readonly dataset: Pick<DatasetRequest, "name">;
  /** Where the output stands in the final state. */
  readonly output: JsonPath;
  /** By model, for a million tokens. */
  readonly prices: Prices;
}

/** A row of the results without scores, with the whole state: scorers need it, and `withoutState` leaves it out. */
export function rowOf(
  { case: asked, repetition, attempt }: Trial,
  answer: Asked,
  { dataset, output, prices }: RowParts,
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
  const tokens = tokensIn(facts["usage"]);
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
