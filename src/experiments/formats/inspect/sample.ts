import type { FormatContext } from "../shared/format.ts";
import { isJsonList, isJsonObject, objectIn } from "../../../files/json-object.ts";
import { numberIn, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { Attachments, type KeptReferences } from "./attachments.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import { Fields } from "../shared/fields.ts";
import { factsOf, metadataOf } from "../shared/row-metadata.ts";
import { distinctScores, wordScore } from "../shared/scores.ts";
import type { LeftOut, ValuePlace } from "../shared/ledger.ts";

/** The row of a sample; undefined after an error, which is reported. */
export function sampleRows(
  value: JsonValue,
  place: ValuePlace,
  { context, kept }: { readonly context: FormatContext; readonly kept: KeptReferences },
): readonly SourceRow[] {
  const sample = Fields.of(value, place, context, LEFT_OUT_OF_SAMPLE);
  const [input, choices, target] = [sample.value("input"), sample.values("choices"), sample.value("target")];
  const epoch = sample.number("epoch");
  const error = sample.object("error", ["traceback", "traceback_ansi"]);
  const attachments = new Attachments(sample.record("attachments") ?? {});
  // The tool writes an empty target where a sample has none.
  const isEmpty = isJsonList(target) ? target.every((each) => each === "") : target === "";
  // Choices are half of a question.
  const asked = isJsonList(input) ? input.map(withoutId) : input;
  const row: SourceRow = {
    place,
    id: sample.someId("id"),
    repetition: epoch !== undefined && Number.isInteger(epoch) && epoch >= 1 ? epoch - 1 : undefined,
    inputs: attachments.resolved(choices.length === 0 ? asked : { input: asked ?? null, choices }),
    expected: isEmpty ? undefined : target,
    outputs: attachments.resolved(outputOf(sample)),
    // The value `b` of the scorer `a` is another score than that of a scorer `a.b`.
    scores: distinctScores(sample.entries("scores", LEFT_OUT_OF_SCORE, scoresOf).flat()),
    times: {
      start: sample.text("started_at"),
      end: sample.text("completed_at"),
      milliseconds: sample.milliseconds("total_time"),
    },
    error: error.isThere ? (errorText(error.text("message")) ?? UNKNOWN_ERROR) : undefined,
    ...usageOf(sample.record("model_usage") ?? {}),
    metadata: metadataOf(sample.record("metadata"), {}),
  };
  if (!sample.end()) return [];
  attachments.report(place, kept);
  return [row];
}

// How it came to its output, step by step, and where.
const LEFT_OUT_OF_SAMPLE = [
  ...["messages", "events", "events_data", "timelines", "store", "sandbox", "files", "setup", "working_time"],
  ...["role_usage", "uuid", "error_retries", "invalidation", "limit"],
];
const OF_SCORE: ReadonlySet<string> = new Set(["answer", "metadata", "history"]);
const LEFT_OUT_OF_SCORE: LeftOut = { has: (key) => OF_SCORE.has(key), isFree: (key) => key === "metadata" };
// Of the last call of the model alone; the sample counts all.
const LEFT_OUT_OF_OUTPUT = ["model", "usage", "time", "metadata", "error"];
const LEFT_OUT_OF_MESSAGE = ["id", "role", "source", "model", "metadata", "tool_calls"];

// The tool gives each message an id at random, in each run another one.
function withoutId(message: JsonValue): JsonValue {
  if (!isJsonObject(message)) return message;
  const { id, ...rest } = message;
  return rest;
}

/** What the model said; undefined where it did not come to that. */
function outputOf(sample: Fields): JsonValue | undefined {
  const output = sample.object("output", LEFT_OUT_OF_OUTPUT);
  const completion = output.text("completion");
  const choices = output.list("choices", ["stop_reason", "logprobs"]);
  const contents = choices.map((choice) => choice.object("message", LEFT_OUT_OF_MESSAGE).value("content"));
  if (contents.length === 0) return undefined;
  const [content] = contents;
  return typeof content === "string" ? content : (completion ?? content);
}

/** One score, or one for each value of an object or a list. */
function scoresOf(score: Fields, scorer: string): readonly SourceScore[] {
  const [value, comment] = [score.value("value"), score.text("explanation")];
  const values = isJsonList(value) || isJsonObject(value) ? value : undefined;
  if (!values) return [{ key: scorer, value: wordScore(value), comment }];
  return Object.entries(values).map(([key, part]) => ({ key: `${scorer}.${key}`, value: wordScore(part), comment }));
}

/** Tokens of all models of a sample, by the names of inspect_ai, and what they cost. */
function usageOf(byModel: JsonObject): Pick<SourceRow, "cost" | "usage"> {
  const sums = new Map<string, number>();
  for (const usage of Object.values(byModel)) {
    for (const [name, value] of Object.entries(objectIn(usage))) {
      const count = numberIn(value);
      if (count !== undefined && Number.isFinite(count)) sums.set(name, (sums.get(name) ?? 0) + count);
    }
  }
  const { [COST]: cost, ...counts } = Object.fromEntries(sums);
  return { usage: factsOf(counts), cost };
}

const COST = "total_cost";
