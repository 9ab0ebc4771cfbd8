import * as z from "zod";
import type { FormatContext } from "../shared/format.ts";
import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import { ExactNumber, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { Attachments, type KeptReferences } from "./attachments.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import { LEFT_OUT } from "../shared/ledger.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { ScoreKeys, wordScore } from "../shared/scores.ts";
import { anyField, numberField, objectField, readShape, textField, type ShapePlace } from "../shared/shape.ts";

/** The row of a sample; undefined after an error, which is reported. */
export function sampleRow(
  value: JsonValue,
  place: ShapePlace,
  { context, kept }: { readonly context: FormatContext; readonly kept: KeptReferences },
): SourceRow | undefined {
  const sample = readShape(SAMPLE, value, place, context);
  if (sample === undefined) return undefined;
  const { input, choices, target, epoch, started_at: start, completed_at: end, total_time: seconds } = sample;
  const attachments = new Attachments(sample.attachments ?? {});
  // The tool writes an empty target where a sample has none.
  const isEmpty = isJsonList(target) ? target.every((each) => each === "") : target === "";
  // Choices are half of a question.
  const asked = isJsonList(input) ? input.map(withoutId) : input;
  // Keeps the value `b` of the scorer `a` apart from a scorer `a.b`.
  const scores = Object.entries(sample.scores ?? {}).flatMap(([scorer, score]) =>
    scoresOf(scorer, score, place, context),
  );
  const keys = new ScoreKeys();
  const row: SourceRow = {
    place,
    id: sample.id instanceof ExactNumber ? sample.id.text : sample.id,
    repetition: epoch !== undefined && Number.isInteger(epoch) && epoch >= 1 ? epoch - 1 : undefined,
    inputs: attachments.resolved(choices == null || choices.length === 0 ? asked : { input: asked ?? null, choices }),
    expected: isEmpty ? undefined : target,
    outputs: attachments.resolved(outputOf(sample)),
    scores: scores.map((score) => ({ ...score, key: keys.next(score.key) })),
    times: {
      start: start ?? undefined,
      end: end ?? undefined,
      milliseconds: seconds === undefined ? undefined : seconds * 1000,
    },
    error: sample.error == null ? undefined : (errorText(sample.error.message ?? undefined) ?? UNKNOWN_ERROR),
    ...usageOf(sample.model_usage ?? {}),
    metadata: metadataOf(sample.metadata ?? undefined, {}),
  };
  attachments.report(place, kept);
  return row;
}

const SAMPLE = z
  .object({
    id: z.custom<string | number | ExactNumber>(
      (id) => typeof id === "string" || typeof id === "number" || id instanceof ExactNumber,
      { error: "a text or a number" },
    ),
    epoch: numberField,
    input: anyField,
    choices: z.array(z.custom<JsonValue>()).nullish(),
    target: anyField,
    output: z
      .object({
        choices: z
          .array(
            z
              .object({
                message: z
                  .object({ content: anyField })
                  .register(LEFT_OUT, ["id", "role", "source", "model", "metadata", "tool_calls"])
                  .nullish(),
              })
              .register(LEFT_OUT, ["stop_reason", "logprobs"]),
          )
          .nullish(),
        completion: textField,
      })
      // Of the last call of the model alone; the sample counts all.
      .register(LEFT_OUT, ["model", "usage", "time", "metadata", "error"])
      .nullish(),
    scores: objectField,
    metadata: objectField,
    error: z.object({ message: textField }).register(LEFT_OUT, ["traceback", "traceback_ansi"]).nullish(),
    started_at: textField,
    completed_at: textField,
    total_time: numberField,
    attachments: objectField,
    model_usage: objectField,
  })
  // How it came to its output, step by step, and where.
  .register(LEFT_OUT, [
    ...["messages", "events", "events_data", "timelines", "store", "sandbox", "files", "setup", "working_time"],
    ...["role_usage", "uuid", "error_retries", "invalidation", "limit"],
  ]);
type Sample = z.infer<typeof SAMPLE>;

const LEFT_OUT_OF_SCORE: ReadonlySet<string> = new Set(["answer", "metadata", "history"]);
const SCORE = z
  .object({ value: anyField, explanation: textField })
  .register(LEFT_OUT, { has: (key) => LEFT_OUT_OF_SCORE.has(key), isFree: (key) => key === "metadata" });

// The tool gives each message an id at random, in each run another one.
function withoutId(message: JsonValue): JsonValue {
  if (!isJsonObject(message)) return message;
  const { id, ...rest } = message;
  return rest;
}

/** What the model said; undefined where it did not come to that. */
function outputOf({ output }: Sample): JsonValue | undefined {
  const [choice] = output?.choices ?? [];
  if (choice === undefined) return undefined;
  const content = choice.message?.content;
  return typeof content === "string" ? content : (output?.completion ?? content);
}

/** One score, or one for each value of an object or a list. */
function scoresOf(scorer: string, score: JsonValue, place: ShapePlace, context: FormatContext): readonly SourceScore[] {
  const path = `${place.path ?? "sample"}.scores`;
  const read = readShape(SCORE, score, { ...place, path }, context);
  if (read === undefined) return [];
  const { value, explanation } = read;
  const comment = explanation ?? undefined;
  const values = isJsonList(value) || isJsonObject(value) ? value : undefined;
  if (values === undefined) return [{ key: scorer, value: wordScore(value), comment }];
  return Object.entries(values).map(([key, part]) => ({ key: `${scorer}.${key}`, value: wordScore(part), comment }));
}

/** Tokens of all models of a sample, by the names of inspect_ai, and what they cost. */
function usageOf(byModel: JsonObject): Pick<SourceRow, "cost" | "usage"> {
  const sums = new Map<string, number>();
  for (const usage of Object.values(byModel)) {
    for (const [name, value] of Object.entries(isJsonObject(usage) ? usage : {})) {
      const count = value instanceof ExactNumber ? value.value : value;
      if (typeof count === "number" && Number.isFinite(count)) sums.set(name, (sums.get(name) ?? 0) + count);
    }
  }
  const { [COST]: cost, ...counts } = Object.fromEntries(sums);
  return { usage: Object.keys(counts).length === 0 ? undefined : counts, cost };
}

const COST = "total_cost";
