import * as z from "zod";
import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import { LEFT_OUT } from "../shared/ledger.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { rationaleField, rationaleOf, ScoreKeys } from "../shared/scores.ts";
import { anyField, objectField, textField } from "../shared/shape.ts";

const RUN = z
  .object({
    output: anyField,
    errors: z.array(z.object({ message: textField }).register(LEFT_OUT, ["type", "name", "stack"])).nullish(),
    usage: objectField,
    session: z
      .object({ events: anyField, messages: anyField, provider: textField, model: textField })
      .register(LEFT_OUT, ["outputText"])
      .nullish(),
  })
  // What ran within, and how long: the test has its own duration.
  .register(LEFT_OUT, ["traces", "timings"]);

/** What vitest-evals (0.16) puts into the `meta` of a test. */
export const EVALUATION = z.object({
  eval: z
    .object({
      scores: z.array(z.object({ name: textField, score: anyField, metadata: rationaleField })).nullish(),
      output: anyField,
      toolCalls: anyField,
    })
    // Made of the scores.
    .register(LEFT_OUT, ["avgScore", "thresholdFailed"])
    .nullish(),
  harness: z.object({ run: RUN.nullish() }).register(LEFT_OUT, ["name"]).nullish(),
});
/** What it is read as. */
export type Evaluation = z.infer<typeof EVALUATION>;

/** The scores of its judges; `taken` are keys that the row has. */
export function evaluationScores({ eval: evaluation }: Evaluation, taken: readonly string[]): readonly SourceScore[] {
  const keys = new ScoreKeys(taken);
  return (evaluation?.scores ?? []).map(({ name, score, metadata }) => ({
    key: keys.next(name ?? ""),
    value: score,
    comment: rationaleOf(metadata),
  }));
}

/** What came out, what it took, and the errors of a run that crashed; a test that only fails has none. */
export function partsOfEvaluation({
  eval: evaluation,
  harness,
}: Evaluation): Pick<SourceRow, "cost" | "error" | "metadata" | "outputs" | "usage"> {
  const { output, errors, session, usage } = harness?.run ?? {};
  const { provider, model, costUsd, toolCalls, retries, ...tokens } = usage ?? {};
  // The calls in the events of a session, where no list of them stands beside.
  const events = isJsonList(session?.events) ? session.events : [];
  const calls = events.filter((event) => isJsonObject(event) && CALLS.has(event["type"] ?? null));
  return {
    outputs: evaluation?.output ?? output,
    error:
      errors == null || errors.length === 0
        ? undefined
        : errors.map(({ message }) => errorText(message ?? undefined) ?? UNKNOWN_ERROR).join("\n"),
    usage: Object.keys(tokens).length === 0 ? undefined : tokens,
    cost: costUsd,
    metadata: metadataOf(undefined, {
      provider: provider ?? session?.provider,
      model: model ?? session?.model,
      retries,
      toolCalls: evaluation?.toolCalls ?? (calls.length > 0 ? calls : (callsOf(session?.messages) ?? toolCalls)),
    }),
  };
}

const CALLS: ReadonlySet<JsonValue> = new Set(["tool_call", "tool_result"]);

/** The same in the messages that earlier versions had in place of events. */
function callsOf(messages: JsonValue | undefined): readonly JsonValue[] | undefined {
  const calls = (isJsonList(messages) ? messages : []).flatMap((message) => {
    const list = isJsonObject(message) ? message["toolCalls"] : undefined;
    return isJsonList(list) ? list : [];
  });
  return calls.length === 0 ? undefined : calls;
}
