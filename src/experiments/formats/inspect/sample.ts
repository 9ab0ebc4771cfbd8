import type { FormatContext } from "../shared/format.ts";
import { placeText } from "../../../files/json/errors.ts";
import { isJsonList, isJsonObject, numberIn, objectIn } from "../../../files/json/value.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { countOf } from "../../../text/number.ts";
import { distinctScores, errorText, factsOf, metadataOf, UNKNOWN_ERROR, wordScore } from "../shared/tool-values.ts";
import { Fields } from "../shared/fields.ts";
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

// The second is that of logs from before 2024.
const REFERENCE = /^(?:attachment|tc):\/\/(.+)$/s;
/** A text that is named often is written as often into a row. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** The long texts and images of a sample, which its messages only name. */
class Attachments {
  readonly #texts: JsonObject;
  #left = MOST_CHARACTERS;
  #missing = 0;
  #tooLarge = 0;

  constructor(texts: JsonObject) {
    this.#texts = texts;
  }

  /** The value with the texts in place of the references to them. */
  resolved<Value extends JsonValue | undefined>(value: Value): JsonValue | Value {
    if (typeof value === "string") return this.#textOf(value);
    if (isJsonList(value)) return value.map((item) => this.resolved(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.resolved(item)]));
  }

  report(place: ValuePlace, kept: KeptReferences): void {
    kept.add("the samples have no such attachments", this.#missing, place);
    kept.add("the attachments of a sample are larger than 32 MiB", this.#tooLarge, place);
  }

  #textOf(value: string): string {
    const name = REFERENCE.exec(value)?.[1];
    if (name === undefined) return value;
    const text = Object.hasOwn(this.#texts, name) ? this.#texts[name] : undefined;
    if (typeof text !== "string") {
      this.#missing += 1;
      return value;
    }
    if (text.length > this.#left) {
      this.#tooLarge += 1;
      return value;
    }
    this.#left -= text.length;
    return text;
  }
}

/** The references that stay in the rows of a file: one warning for each reason, however many samples have some. */
export class KeptReferences {
  readonly #found = new Map<string, { references: number; samples: number; readonly first: ValuePlace }>();

  add(why: string, references: number, first: ValuePlace): void {
    if (references === 0) return;
    const found = this.#found.get(why) ?? { references: 0, samples: 0, first };
    this.#found.set(why, { ...found, references: found.references + references, samples: found.samples + 1 });
  }

  report({ warn }: FormatContext): void {
    for (const [why, { references, samples, first }] of this.#found) {
      const where = placeText({ file: first.file, line: first.line, row: first.row });
      const what = `${countOf(references, "reference")} \`attachment://…\` in ${countOf(samples, "sample")}`;
      warn(`${where}: ${what} ${references === 1 ? "stays" : "stay"} in the rows: ${why}.`);
    }
  }
}
