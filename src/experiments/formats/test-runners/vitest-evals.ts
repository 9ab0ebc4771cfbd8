import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import type { Fields } from "../shared/fields.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { rationaleOf, ScoreKeys } from "../shared/scores.ts";

/** What vitest-evals (0.16) puts into the `meta` of a test. `taken` are keys of scores that the row has. */
export function partsOfEvaluation(
  meta: Fields,
  taken: readonly string[],
): Pick<SourceRow, "cost" | "error" | "metadata" | "outputs" | "scores" | "usage"> {
  // Left out is what is made of the scores, what ran within, and how long: the test has its own duration.
  const evaluation = meta.object("eval", ["avgScore", "thresholdFailed"]);
  const run = meta.object("harness", ["name"]).object("run", ["traces", "timings"]);
  const session = run.object("session", ["outputText"]);
  const [output, ofRun] = [evaluation.given("output"), run.value("output")];
  const [events, messages] = [session.value("events"), session.value("messages")];
  const [ofProvider, ofModel] = [session.text("provider"), session.text("model")];
  const { provider, model, costUsd, toolCalls, retries, ...tokens } = run.record("usage") ?? {};
  // A test that only fails has none.
  const errors = run.list("errors", ["type", "name", "stack"]);
  const broken = errors.map((error) => errorText(error.text("message")) ?? UNKNOWN_ERROR);
  // The calls in the events of a session, where no list of them stands beside.
  const calls = (isJsonList(events) ? events : []).filter(
    (event) => isJsonObject(event) && CALLS.has(event["type"] ?? null),
  );
  const keys = new ScoreKeys(taken);
  return {
    scores: evaluation.list("scores").map((score) => ({
      key: keys.next(score.text("name") ?? ""),
      value: score.value("score"),
      comment: rationaleOf(score, "metadata"),
    })),
    outputs: output ?? ofRun,
    error: broken.length === 0 ? undefined : broken.join("\n"),
    usage: Object.keys(tokens).length === 0 ? undefined : tokens,
    cost: costUsd,
    metadata: metadataOf(undefined, {
      provider: provider ?? ofProvider,
      model: model ?? ofModel,
      retries,
      toolCalls: evaluation.given("toolCalls") ?? (calls.length > 0 ? calls : (callsOf(messages) ?? toolCalls)),
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
