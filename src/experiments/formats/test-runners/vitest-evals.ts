import { listIn, objectIn } from "../../../files/json-object.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import type { Fields } from "../shared/fields.ts";
import { factsOf } from "../shared/row-metadata.ts";
import { distinctScores, rationaleOf, ScoreKeys } from "../shared/scores.ts";

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
  // The calls in the events of a session, where no list of them stands beside; earlier versions had messages for events.
  const ofEvents = listIn(events).filter((event) => CALLS.has(objectIn(event)["type"] ?? null));
  const ofMessages = listIn(messages).flatMap((message) => listIn(objectIn(message)["toolCalls"]));
  const calls = [ofEvents, ofMessages].find((list) => list.length > 0) ?? toolCalls;
  const scores = evaluation.list("scores").map((score) => ({
    key: score.text("name") ?? "",
    value: score.value("score"),
    comment: rationaleOf(score, "metadata"),
  }));
  return {
    scores: distinctScores(scores, new ScoreKeys(taken)),
    outputs: output ?? ofRun,
    error: broken.length === 0 ? undefined : broken.join("\n"),
    usage: Object.keys(tokens).length === 0 ? undefined : tokens,
    cost: costUsd,
    metadata: factsOf({
      provider: provider ?? ofProvider,
      model: model ?? ofModel,
      retries,
      toolCalls: evaluation.given("toolCalls") ?? calls,
    }),
  };
}

const CALLS: ReadonlySet<JsonValue> = new Set(["tool_call", "tool_result"]);
