import { placeText } from "../../../files/json/errors.ts";
import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { countOf } from "../../../text/number.ts";
import type { FormatContext } from "../shared/format.ts";
import type { ShapePlace } from "../shared/shape.ts";

// The second is that of logs from before 2024.
const REFERENCE = /^(?:attachment|tc):\/\/(.+)$/s;
/** A text that is named often is written as often into a row. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** The long texts and images of a sample, which its messages only name. */
export class Attachments {
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

  /** Warns of the references that stay. */
  report(place: ShapePlace, context: FormatContext): void {
    const say = (count: number, why: string) => {
      if (count === 0) return;
      const where = placeText({ file: place.file, line: place.line, row: place.row });
      context.warn(`${where}: ${countOf(count, "reference")} \`attachment://…\` stay in the row: ${why}.`);
    };
    say(this.#missing, "the sample has no such attachment");
    say(this.#tooLarge, "the attachments of the sample are larger than 32 MiB");
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
