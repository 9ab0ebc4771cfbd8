import * as z from "zod";
import { isJsonList } from "../../../files/json-object.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import { canonicalJson } from "../../../text/canonical-json.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { readTime } from "../../../files/source-time.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { ScoreKeys } from "../shared/scores.ts";
import { objectField, textField } from "../shared/shape.ts";

/** An event of a sample. */
export const EVENT = z.object({ type: textField, data: objectField, created_at: textField });
type Event = z.infer<typeof EVENT>;

interface EventTime {
  readonly text: string;
  readonly at: bigint;
}

/** One sample of an evaluation, put together from its events: of each only what the row needs is kept. */
export class OpenaiSample {
  readonly #id: string;
  readonly #place: FilePlace;
  #prompt: JsonValue | undefined;
  #output: JsonValue | undefined;
  #expected: JsonValue | undefined;
  #picked: JsonValue | undefined;
  #error: string | undefined;
  #start: EventTime | undefined;
  #end: EventTime | undefined;
  #badTime: string | undefined;
  readonly #outputs: JsonValue[] = [];
  readonly #matches: JsonValue[] = [];
  readonly #metrics = new Map<string, JsonValue[]>();
  readonly #words = new Map<string, JsonValue>();

  constructor(id: string, place: FilePlace) {
    this.#id = id;
    this.#place = place;
  }

  add({ type, data, created_at: time }: Event): void {
    if (time != null) this.#addTime(time);
    const facts = data ?? {};
    if (type === "sampling") this.#addSampling(facts);
    else if (type === "match") this.#addMatch(facts);
    else if (type === "metrics") this.#addMetrics(facts);
    else if (type === "error") this.#error ??= errorText(facts) ?? UNKNOWN_ERROR;
    else if (type === "raw_sample") this.#addRaw(facts);
  }

  row(): SourceRow {
    const [start, end] = [this.#badTime ?? this.#start?.text, this.#end?.text];
    return {
      place: this.#place,
      id: this.#id,
      // A sample that broke before it was asked has none.
      inputs: this.#prompt ?? {},
      expected: this.#expected,
      outputs: this.#output ?? this.#picked,
      scores: this.#scores(),
      times: start === undefined ? undefined : { start, end },
      error: this.#error,
      metadata: metadataOf(undefined, {
        ...Object.fromEntries(this.#words),
        all_outputs: this.#outputs.length > 1 ? this.#outputs : undefined,
      }),
    };
  }

  // The events of a sample stand in no order that its time would follow.
  #addTime(text: string): void {
    const at = readTime(text)?.microseconds;
    if (at === undefined) {
      // Checking the times of the row reports it.
      this.#badTime = text;
      return;
    }
    if (this.#start === undefined || at < this.#start.at) this.#start = { text, at };
    if (this.#end === undefined || at > this.#end.at) this.#end = { text, at };
  }

  /** The first prompt is that of the sample; a model that judges is asked by another one. */
  #addSampling({ prompt, sampled }: JsonObject): void {
    const output = onlyOf(sampled);
    if (output !== undefined) this.#outputs.push(output);
    this.#prompt ??= prompt;
    if (canonicalJson(prompt ?? null) === canonicalJson(this.#prompt ?? null)) this.#output = output;
  }

  #addMatch({ correct, expected, sampled, picked }: JsonObject): void {
    if (correct !== undefined) this.#matches.push(correct);
    this.#expected ??= expected ?? undefined;
    this.#picked = onlyOf(sampled) ?? picked ?? undefined;
  }

  #addMetrics(metrics: JsonObject): void {
    for (const [key, value] of Object.entries(metrics)) {
      if (isScoreValue(value)) this.#metrics.set(key, [...(this.#metrics.get(key) ?? []), value]);
      else this.#words.set(key, value);
    }
  }

  #addRaw({ input, ideal }: JsonObject): void {
    this.#prompt ??= input;
    this.#expected ??= ideal ?? undefined;
  }

  #scores(): readonly SourceScore[] {
    const keys = new ScoreKeys();
    const match = this.#matches.length === 0 ? [] : [{ key: keys.next("match"), value: meanOf(this.#matches) }];
    const metrics = [...this.#metrics].map(([key, values]) => ({ key: keys.next(key), value: meanOf(values) }));
    return [...match, ...metrics];
  }
}

/** `sampled` is a list of completions, of one as a rule. */
function onlyOf(sampled: JsonValue | undefined): JsonValue | undefined {
  return isJsonList(sampled) && sampled.length === 1 ? sampled[0] : (sampled ?? undefined);
}

/** True for what can be a score, or a missing one; a text is a word, such as the choice of a judge. */
export function isScoreValue(value: JsonValue): boolean {
  if (typeof value === "number" || typeof value === "boolean") return true;
  return value === null || value === NOT_A_NUMBER || value instanceof ExactNumber;
}

/** The mean of the numbers, where there is more than one; one value alone stays as it is. */
function meanOf(values: readonly JsonValue[]): JsonValue | undefined {
  if (values.length === 1) return values[0];
  const numbers = values.flatMap((value) => {
    if (typeof value === "number") return [value];
    if (value instanceof ExactNumber) return [value.value];
    return typeof value === "boolean" ? [Number(value)] : [];
  });
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
