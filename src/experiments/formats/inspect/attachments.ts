import { placeText } from "../../../files/json/errors.ts";
import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { countOf } from "../../../text/number.ts";
import type { FormatContext } from "../shared/format.ts";
import type { ValuePlace } from "../shared/ledger.ts";

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
