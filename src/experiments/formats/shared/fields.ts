import type { FormatContext } from "./format.ts";
import { Ledger, type LeftOut, type Level, type ValuePlace } from "./ledger.ts";
import { ExactNumber, isJsonList, isJsonObject, NOT_A_NUMBER, numberIn } from "../../../files/json/value.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { kindOf } from "../../../files/json/kind.ts";

/** Keys that a format leaves out on purpose. */
export type KeysLeftOut = LeftOut | readonly string[];

/**
 * An object that a tool wrote, read field by field. Null is as good as absent, but for `value`. A field of another kind
 * than was asked for is absent, too, and an error with its path and without the data; so is one that is absent where
 * `some` is asked for. What was not asked for goes into the ledger: a reader asks every object for all keys that it
 * knows, whatever it finds. `other` is a second spelling of a key.
 */
export class Fields {
  /** False for what `object` gives of an absent one: it has no fields. */
  readonly isThere: boolean;
  readonly #record: JsonObject;
  readonly #reading: Reading;
  readonly #path: Path;
  readonly #leftOut: KeysLeftOut;
  /** The keys that were asked for, with the fields below those that are not read as a whole. */
  readonly #asked = new Map<string, readonly Fields[]>();

  private constructor(value: JsonValue | undefined, reading: Reading, path: Path, leftOut: KeysLeftOut) {
    this.#reading = reading;
    this.#path = path;
    this.#leftOut = leftOut;
    this.isThere = isJsonObject(value);
    this.#record = isJsonObject(value) ? value : {};
  }

  /** Another value than an object is an error, and has no fields. */
  static of(
    value: JsonValue | undefined,
    place: ValuePlace,
    context: FieldsContext,
    leftOut: KeysLeftOut = [],
  ): Fields {
    const fields = new Fields(value, { place, context, faulty: new Set() }, [], leftOut);
    if (!fields.isThere) fields.#fault([], value, OBJECT.words);
    return fields;
  }

  /** What is read once more, where errors and what was not asked for are reported. */
  static quiet(value: JsonValue | undefined): Fields {
    const context = { fault: () => undefined, ledger: new Ledger() };
    return Fields.of(value, { file: "" }, context);
  }

  /** Notes what was not asked for. False after an error: what was read then is not to be used. */
  end(): boolean {
    const { place, context } = this.#reading;
    if (this.isSound) this.#note(context.ledger.level(place));
    return this.isSound;
  }

  /** The same, with what was read: nothing after an error. */
  checked<Read>(read: Read): readonly Read[] {
    return this.end() ? [read] : [];
  }

  /** True where no field of the whole value had an error so far. */
  get isSound(): boolean {
    return this.#reading.faulty.size === 0;
  }

  /** Where the value stands that the fields are of. */
  get place(): ValuePlace {
    return this.#reading.place;
  }

  /** What was not asked for so far. */
  get others(): readonly (readonly [key: string, value: JsonValue])[] {
    return Object.entries(this.#record).filter(([key]) => !this.#asked.has(key));
  }

  /** What stands there, of any kind, null included. */
  value(key: string): JsonValue | undefined {
    if (!this.#asked.has(key)) this.#asked.set(key, NONE_BELOW);
    return this.#record[key];
  }

  given(key: string, other?: string): JsonValue | undefined {
    const value = this.value(key);
    const second = other === undefined ? undefined : this.value(other);
    return value ?? second ?? undefined;
  }

  text(key: string, other?: string): string | undefined {
    const text = this.#read(key, TEXT);
    const second = other === undefined ? undefined : this.#read(other, TEXT);
    return text ?? second;
  }

  someText(key: string): string {
    return this.#need(key, TEXT) ?? "";
  }

  flag(key: string): boolean | undefined {
    return this.#read(key, FLAG);
  }

  someFlag(key: string): boolean {
    return this.#need(key, FLAG) ?? false;
  }

  /** A number as a double; NaN is as good as absent. */
  number(key: string): number | undefined {
    const found = this.#read(key, NUMBER);
    const number = numberIn(found);
    if (number !== undefined && Number.isFinite(number)) return number;
    if (found instanceof ExactNumber) this.#fault([key], found, "one below 1.8e308");
    return undefined;
  }

  /** A number of seconds, as milliseconds. */
  milliseconds(key: string): number | undefined {
    const seconds = this.number(key);
    return seconds === undefined ? undefined : seconds * 1000;
  }

  /** A text or a number that names something, with all digits. */
  id(key: string): number | string | undefined {
    return this.given(key) === undefined ? undefined : this.someId(key);
  }

  someId(key: string): number | string {
    const id = this.#need(key, ID) ?? "";
    return id instanceof ExactNumber ? id.text : id;
  }

  /** An object, taken as it is. */
  record(key: string): JsonObject | undefined {
    return this.#read(key, OBJECT);
  }

  someRecord(key: string): JsonObject {
    return this.#need(key, OBJECT) ?? {};
  }

  /** The texts of a list; of an absent one none. */
  texts(key: string): readonly string[] {
    return this.#every(key, TEXT);
  }

  /** The objects of a list, taken as they are; of an absent one none. */
  records(key: string): readonly JsonObject[] {
    return this.#every(key, OBJECT);
  }

  /** What a list holds, taken as it is; of an absent one nothing. */
  values(key: string): readonly JsonValue[] {
    return this.#read(key, LIST) ?? [];
  }

  someValues(key: string): readonly JsonValue[] {
    return this.#need(key, LIST) ?? [];
  }

  /** The fields of an object; an absent one has none. */
  object(key: string, leftOut?: KeysLeftOut): Fields {
    if (this.given(key) !== undefined) return this.someObject(key, leftOut);
    return new Fields(null, this.#reading, [], []);
  }

  someObject(key: string, leftOut: KeysLeftOut = []): Fields {
    const fields = new Fields(this.#need(key, OBJECT), this.#reading, [...this.#path, key], leftOut);
    this.#asked.set(key, [fields]);
    return fields;
  }

  /** The objects of a list; of an absent one none. */
  list(key: string, leftOut?: KeysLeftOut, options?: ListOptions): readonly Fields[] {
    return this.given(key) === undefined ? [] : this.someList(key, leftOut, options);
  }

  someList(key: string, leftOut: KeysLeftOut = [], { hasGaps = false }: ListOptions = {}): readonly Fields[] {
    const list = (this.#need(key, LIST) ?? []).map((item, index) => {
      if (!isJsonObject(item) && !(hasGaps && item === null)) this.#fault([key, index], item, OBJECT.words);
      return new Fields(item, this.#reading, [...this.#path, key, index], leftOut);
    });
    this.#asked.set(key, list);
    return list;
  }

  /**
   * What is read of each object that stands under a name that is data; no path has that name. One with an error is left
   * out, and what is around it is read all the same.
   */
  entries<Read>(key: string, leftOut: KeysLeftOut, read: (fields: Fields, name: string) => Read): readonly Read[] {
    const record = this.record(key);
    if (!record) return [];
    const { place, context } = this.#reading;
    const below = { file: place.file, line: place.line, row: place.row, path: this.#pathTo([key]) };
    return Object.entries(record).flatMap(([name, value]) => {
      const fields = Fields.of(value, below, context, leftOut);
      return fields.checked(read(fields, name));
    });
  }

  #read<Value extends JsonValue>(key: string, kind: Kind<Value>): Value | undefined {
    return this.given(key) === undefined ? undefined : this.#need(key, kind);
  }

  #need<Value extends JsonValue>(key: string, { is, words }: Kind<Value>): Value | undefined {
    const value = this.value(key);
    if (is(value)) return value;
    if (this.isThere) this.#fault([key], value, words);
    return undefined;
  }

  #every<Value extends JsonValue>(key: string, { is, words }: Kind<Value>): readonly Value[] {
    return this.values(key).flatMap((item, index) => {
      if (is(item)) return [item];
      this.#fault([key, index], item, words);
      return [];
    });
  }

  #fault(below: Path, value: JsonValue | undefined, wanted: string): void {
    const { place, context, faulty } = this.#reading;
    const path = this.#pathTo(below);
    if (faulty.has(path)) return;
    faulty.add(path);
    const name = path === "" ? "the row" : `\`${path}\``;
    const where = { file: place.file, line: place.line, row: place.row };
    context.fault(where, `${name} is ${kindOf(value)}, not ${wanted}`);
  }

  #pathTo(below: Path): string {
    const { path } = this.#reading.place;
    return [...(path === undefined ? [] : [path]), ...this.#path, ...below].join(".");
  }

  #note(level: Level): void {
    const keys = this.#leftOut;
    // The level knows the keys of earlier records, so that few are looked for: a set would cost more.
    const leftOut = "has" in keys ? keys : { has: (key: string) => keys.includes(key) };
    for (const key in this.#record) {
      const below = this.#asked.get(key);
      if (!below) level.note(key, this.#record[key], leftOut);
      else for (const fields of below) fields.#note(level.below(key));
    }
  }
}

type FieldsContext = Pick<FormatContext, "fault" | "ledger">;
interface ListOptions {
  /** True where an item that is null is no error: then it has no fields. */
  readonly hasGaps?: boolean;
}

type Path = readonly (number | string)[];

/** What is one for all fields of a value. */
interface Reading {
  readonly place: ValuePlace;
  readonly context: FieldsContext;
  /** The paths of the fields with an error: each is reported once, however often it is asked for. */
  readonly faulty: Set<string>;
}

const NONE_BELOW: readonly Fields[] = [];

/** What a field has to be, and the words for it in an error. */
interface Kind<Value extends JsonValue> {
  readonly is: (value: JsonValue | undefined) => value is Value;
  readonly words: string;
}

const TEXT: Kind<string> = { is: (value) => typeof value === "string", words: "a text" };
const FLAG: Kind<boolean> = { is: (value) => typeof value === "boolean", words: "true or false" };
const NUMBER: Kind<number | ExactNumber | typeof NOT_A_NUMBER> = {
  is: (value): value is number | ExactNumber | typeof NOT_A_NUMBER =>
    typeof value === "number" || value instanceof ExactNumber || value === NOT_A_NUMBER,
  words: "a number",
};
const ID: Kind<string | number | ExactNumber> = {
  is: (value) => typeof value === "string" || typeof value === "number" || value instanceof ExactNumber,
  words: "a text or a number",
};
const OBJECT: Kind<JsonObject> = { is: isJsonObject, words: "an object" };
const LIST: Kind<readonly JsonValue[]> = { is: isJsonList, words: "a list" };
