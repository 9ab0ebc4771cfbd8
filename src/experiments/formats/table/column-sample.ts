import type { ColumnKind, InnerScore, ScoreForm, TextVariety, ValueKind } from "../../rows/columns.ts";
import { ExactNumber, isJsonList, isJsonObject, isMissing, type JsonValue } from "../../../files/json/value.ts";
import { ColumnFacts, numberOf } from "../../rows/column-facts.ts";
import { isNeverScore } from "./column-names.ts";
import { scoreOfCell, commaOf, isPercent, numberOfCell, verdictOf, verdictPair } from "./score-cell.ts";
import type { VerdictPair } from "./score-cell.ts";
import { NumberMarks } from "./number-marks.ts";
import { nestedScores } from "./nested-scores.ts";

/** What stands in a column, as far as it was seen. */
export interface ColumnSample {
  readonly name: string;
  readonly kind: ColumnKind;
  /** How its scores are written, if they are scores: as most of the values that can be scores. */
  readonly form: ScoreForm | undefined;
  /** Of which pair its verdict words are. */
  readonly pair: VerdictPair | undefined;
  /** The least number, where all values are whole numbers. */
  readonly least: number | undefined;
  /** True where some of the rows that were seen have no value. */
  readonly hasGaps: boolean;
  /** True where the values of many rows count them, from 0 or 1. */
  readonly isCount: boolean;
  /** True where the values distinguish rows, as ids do: each is another whole number over 100, or of many another text. */
  readonly isNaming: boolean;
  /** True where all values are true or false. */
  readonly isBoolean: boolean;
  /** Columns of texts that say the same of each row, in other words. */
  readonly twins: readonly string[];
  /** How its texts differ; undefined where it holds none. */
  readonly texts: TextVariety | undefined;
  /** The first value that is not missing. */
  readonly first: JsonValue | undefined;
  /** True where an object or a list has scores in it. */
  readonly holdsScores: boolean;
  /** What could be scores in objects and lists, texts among them. */
  readonly inner: readonly InnerScore[];
  /** The decimal mark of its numbers, where they leave no doubt. */
  readonly mark: "comma" | "point" | undefined;
  /** What differs where a comma is the decimal mark of the table; undefined where its values cannot be read so. */
  readonly inCommas: Partial<ColumnSample> | undefined;
  /** True where a point stands between thousands. */
  readonly areGrouped: boolean;
  /** How many values there are, which ones, and what its numbers are together. Nothing may be added. */
  readonly facts: ColumnFacts;
}

// Fewer scores may stand in such an order by chance.
const LEAST_COUNTED = 6;
// Points and per cents end there.
const MOST_POINTS = 100;
const MOST_INNER = 50;
// A longer text is an explanation.
const LONGEST_CATEGORY = 60;
// Of a few texts, shorter ones may be words of a judge.
const LONGEST_WORD = 24;

/** Looks at the values of one column, one after the other. */
export class ColumnValues {
  readonly #kindOf: (value: JsonValue) => ValueKind;
  readonly #counts = new Map<ValueKind, number>();
  readonly #pairs = new Map<VerdictPair, number>();
  #count = 0;
  #whole = 0;
  #booleans = 0;
  #least = Infinity;
  #counted = 0;
  readonly #facts = new ColumnFacts({ keepsNumbers: false });
  #first?: JsonValue;
  #holdsScores = false;
  readonly #inner = new Map<string, boolean>();
  readonly #marks = new NumberMarks();

  constructor(kindOf: (value: JsonValue) => ValueKind) {
    this.#kindOf = kindOf;
  }

  add(value: JsonValue): void {
    const kind = this.#kindOf(value);
    if (kind === "nothing") return;
    this.#count += 1;
    this.#first ??= value;
    if (typeof value === "string") this.#facts.add(verdictOf(value) ?? value, numberOfCell(value));
    else this.#facts.add(value);
    this.#counts.set(kind, this.#of(kind) + 1);
    this.#marks.add(value);
    if (kind === "number") this.#addNumber(value);
    else if (kind === "word") this.#addWord(value);
    else if (kind === "object" || kind === "list") this.#addNested(value);
  }

  /** `rows` are all that were seen, also those without the column. */
  sample(name: string, rows = this.#count): ColumnSample {
    const kind = this.#kind();
    return {
      name,
      kind,
      form: this.#form(kind),
      pair: [...this.#pairs].toSorted(([, a], [, b]) => b - a)[0]?.[0],
      least: this.#whole === this.#count && this.#count > 0 ? this.#least : undefined,
      hasGaps: this.#count < rows,
      isCount: this.#counted === this.#count && this.#count >= LEAST_COUNTED,
      isNaming: this.#isNaming(kind),
      mark: this.#marks.sure(this.#count),
      inCommas: this.#inCommas(),
      areGrouped: false,
      facts: this.#facts,
      twins: [],
      isBoolean: this.#booleans === this.#count && this.#count > 0,
      texts: this.#texts(kind),
      first: this.#first,
      holdsScores: this.#holdsScores,
      inner: [...this.#inner].map(([key, isText]) => ({ key, isText })),
    };
  }

  #inCommas(): Partial<ColumnSample> | undefined {
    const read = this.#marks.inCommas(this.#count);
    if (!read) return undefined;
    const areGrouped = read.isGrouped;
    if (!read.isMarked) return { areGrouped };
    const { least } = read;
    const isNaming = this.#facts.isUnique && this.#count > 1 && (least ?? 0) > MOST_POINTS;
    return { areGrouped, kind: "comma", form: "comma", least, isNaming, isCount: false };
  }

  #isNaming(kind: ColumnKind): boolean {
    if (!this.#facts.isUnique) return false;
    if (this.#whole === this.#count) return this.#count > 1 && this.#least > MOST_POINTS;
    return kind === "text" && this.#count >= LEAST_COUNTED;
  }

  #texts(kind: ColumnKind): TextVariety | undefined {
    if (kind === "list") {
      const [item = null] = isJsonList(this.#first) ? this.#first : [];
      // Lists of objects are records, but for the messages of a conversation.
      return isJsonObject(item) && !Object.hasOwn(item, "role") ? "records" : undefined;
    }
    if (kind !== "text" && kind !== "mixed" && kind !== "word") return undefined;
    const distinct = [...(this.#facts.distinct ?? new Map<string, number>()).keys()];
    const size = this.#facts.distinct?.size ?? this.#count;
    if (size === 1 && this.#count > 1) return "constant";
    if (this.#count < LEAST_COUNTED && distinct.every((text) => text.length <= LONGEST_WORD)) return "either";
    return size * 2 > this.#count ? "distinct" : "repeated";
  }

  #addNested(value: JsonValue): void {
    this.#holdsScores ||= nestedScores(value, true).scores.some((score) => numberOf(score.value) !== undefined);
    for (const score of nestedScores(value).scores) {
      const text = score.more?.["value"] ?? score.value;
      const isNumber = numberOf(score.value) !== undefined;
      const isText = typeof text === "string" && !isNumber;
      if (isNeverScore(score.key) || (!isText && !isNumber)) continue;
      if (isText && (text === "" || text.length > LONGEST_CATEGORY)) continue;
      if (!this.#inner.has(score.key) && this.#inner.size === MOST_INNER) continue;
      this.#inner.set(score.key, isText || this.#inner.get(score.key) === true);
    }
  }

  #addNumber(value: JsonValue): void {
    const number = typeof value === "string" ? scoreOfCell(value) : value;
    if (typeof number === "boolean") this.#booleans += 1;
    if (typeof number !== "number" || !Number.isInteger(number)) return;
    this.#whole += 1;
    this.#least = Math.min(this.#least, number);
    if (this.#least >= 0 && this.#least <= 1 && number === this.#least + this.#count - 1) this.#counted += 1;
  }

  #addWord(value: JsonValue): void {
    const pair = typeof value === "string" ? verdictPair(value) : undefined;
    if (pair !== undefined) this.#pairs.set(pair, (this.#pairs.get(pair) ?? 0) + 1);
  }

  #of(...kinds: readonly ValueKind[]): number {
    return kinds.reduce((sum, kind) => sum + (this.#counts.get(kind) ?? 0), 0);
  }

  #kind(): ColumnKind {
    const all = this.#count;
    if (all === 0) return "nothing";
    for (const kind of ["number", "digits", "percent", "object", "list"] as const) {
      if (this.#of(kind) === all) return kind;
    }
    if (this.#of("number", "digits") === all) return "number";
    // 1,234 alone may be a thousand, and 0.9 beside 0,9 is a mistake.
    if (this.#of("comma") > 0 && this.#of("comma", "unsure") + this.#whole === all) return "comma";
    const words = this.#of("word");
    if (words === all && this.#pairs.size === 1) return "word";
    if (this.#of("comma", "percent") > 0) return "notations";
    return this.#of("number") > 0 || words * 2 > all ? "mixed" : "text";
  }

  #form(kind: ColumnKind): ScoreForm | undefined {
    if (kind === "number" || kind === "digits") return "number";
    if (kind === "percent" || kind === "comma" || kind === "word") return kind;
    if (kind !== "mixed" && kind !== "notations") return undefined;
    const counts: readonly (readonly [ScoreForm, number])[] = [
      ["number", this.#of("number", "digits")],
      ["word", this.#of("word")],
      ["percent", this.#of("percent")],
      ["comma", this.#of("comma")],
    ];
    return counts.toSorted(([, a], [, b]) => b - a)[0]?.[0];
  }
}

/** What kind of value a text is: in a table all values are texts. */
export function kindOfText(text: string): ValueKind {
  const score = scoreOfCell(text);
  if (score === null) return "nothing";
  if (typeof score !== "string") return "number";
  if (isPercent(text)) return "percent";
  return commaOf(text) ?? (verdictPair(text) === undefined ? "text" : "word");
}

export function kindOfJson(value: JsonValue): ValueKind {
  if (isMissing(value)) return "nothing";
  if (typeof value === "number" || typeof value === "boolean" || value instanceof ExactNumber) return "number";
  if (isJsonObject(value)) return "object";
  if (isJsonList(value)) return "list";
  if (typeof value !== "string") return "text";
  const kind = kindOfText(value);
  if (kind !== "number") return kind;
  return verdictPair(value) === undefined ? "digits" : "word";
}

/** True for a column of numbers, or of what may be read as such. */
export function isNumeric(kind: ColumnKind): boolean {
  return kind === "number" || kind === "comma" || kind === "percent";
}

/** True where each value is one score. */
export function isScoreKind(kind: ColumnKind): boolean {
  return isNumeric(kind) || kind === "word";
}
