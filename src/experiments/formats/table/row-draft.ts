import type { ColumnRole, ScoreForm } from "../../rows/columns.ts";
import { ExactNumber, isJsonList, isJsonObject, isMissing } from "../../../files/json/value.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import { numberOf } from "../../rows/column-facts.ts";
import { quotedName } from "../../../text/quoted.ts";
import { plainName } from "./column-names.ts";
import { isOnlyNumber } from "./number-columns.ts";
import { numberOfText, scoreOf } from "./score-cell.ts";
import { nestedScores } from "./nested-scores.ts";
import { errorTextOfAnyTool } from "../shared/tool-values.ts";
import { kindOf } from "../../../files/json/kind.ts";
import { readScore } from "../../rows/score.ts";
import type { RowColumns, SourceRow, SourceScore } from "../../rows/source-row.ts";

type ScoreRole = Extract<ColumnRole, { readonly part: "score" }>;
type Part = "inputs" | "expected" | "outputs";
type Parts = Readonly<Record<Part, [string, JsonValue][]>>;

/** What a row says once. */
type Facts = Pick<SourceRow, "cost" | "error" | "firstRepetition" | "id" | "repetition">;

/** A row that is put together from columns or keys, whose roles are known. */
export class RowDraft {
  readonly #facts: { -readonly [Name in keyof Facts]: Facts[Name] } = {};
  #namesCase = false;
  readonly #times: { start?: JsonValue; end?: JsonValue; milliseconds?: number } = {};
  readonly #faults: string[] = [];
  readonly #texts: string[] = [];
  readonly #scores: SourceScore[] = [];
  /** From which column or key each part of the row comes. */
  readonly #origins = new Map<string, string>();
  readonly #metadata: [string, JsonValue][] = [];
  readonly #usage: [string, JsonValue][] = [];
  /** The same of scores, whose names are their keys alone. */
  readonly #scoreOrigins = new Map<string, string>();
  readonly #wholes: Parts = { inputs: [], expected: [], outputs: [] };
  readonly #keyed: Parts = { inputs: [], expected: [], outputs: [] };

  /** The errors of the row, as clauses that follow its place. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  /** Columns of numbers that no name or value showed to be scores, and in which another value stands. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Adds what stands in a column; undefined is nothing. */
  add(name: string, role: ColumnRole, value: JsonValue | undefined): void {
    if (role.part === "score") this.#addScoreOf(name, role, value);
    else if (value !== undefined && value !== null) this.#addValue(name, role, value);
  }

  /** The row, as far as it could be read. */
  row(place: FilePlace, columns?: RowColumns): SourceRow {
    const { id, repetition, firstRepetition, error, cost } = this.#facts;
    const { start, end, milliseconds } = this.#times;
    return {
      place,
      id,
      caselessId: true,
      namesCase: this.#namesCase,
      repetition,
      firstRepetition,
      columns,
      inputs: this.#part("inputs"),
      expected: this.#part("expected"),
      outputs: this.#part("outputs"),
      scores: this.#scores,
      times: { start, end, milliseconds },
      error,
      usage: objectOf(this.#usage),
      cost,
      metadata: objectOf(this.#metadata),
    };
  }

  #addValue(name: string, role: Exclude<ColumnRole, ScoreRole>, value: JsonValue): void {
    // An empty text names no case.
    if (role.part === "id" && typeof value === "string" && value.trim() === "") return;
    if (ONCE.has(role.part)) this.#claim(name, role.part, "");
    switch (role.part) {
      case "skipped":
        return;
      case "scores":
        this.#addScores(name, role.isMeasured === true, value);
        return;
      case "metadata":
        this.#addEntries(this.#metadata, name, role, value);
        return;
      case "usage":
        this.#addEntries(this.#usage, name, role, value);
        return;
      case "inputs":
      case "expected":
      case "outputs":
        if (role.key === undefined) this.#wholes[role.part].push([name, value]);
        else {
          this.#claim(name, role.part, role.key);
          this.#keyed[role.part].push([role.key, value]);
        }
        return;
      case "id":
        this.#namesCase = !ROW_IDS.has(plainName(name));
        if (typeof value === "string" || typeof value === "number") this.#facts.id = value;
        else if (value instanceof ExactNumber) this.#facts.id = value.text;
        else this.#faults.push(`${quotedName(name)} is ${kindOf(value)}, not a text or a number`);
        return;
      case "error":
        this.#facts.error = errorTextOfAnyTool(value);
        return;
      case "start":
      case "end":
        this.#times[role.part] = value;
        return;
      case "cost":
        if (this.#numberOf(name, value) !== undefined) this.#facts.cost = value;
        return;
      case "latency": {
        const number = this.#numberOf(name, value);
        if (number !== undefined) this.#times.milliseconds = number * role.unitMilliseconds;
        return;
      }
      case "repetition": {
        const number = this.#numberOf(name, value);
        if (number === undefined) return;
        const repetition = number - role.first;
        this.#facts.firstRepetition = role.first;
        if (Number.isSafeInteger(repetition) && repetition >= 0) this.#facts.repetition = repetition;
        else {
          const least = String(role.first);
          this.#faults.push(`${quotedName(name)} must be a whole number of at least ${least}, as in the rows before`);
        }
      }
    }
  }

  /** The number in a column; undefined for a missing one, and after an error. */
  #numberOf(name: string, value: JsonValue): number | undefined {
    const reading = readScore({ key: "number", value });
    if (!reading.score) this.#faults.push(`${quotedName(name)} ${reading.fault}`);
    return reading.score?.number;
  }

  #addScoreOf(name: string, role: ScoreRole, value: JsonValue | undefined): void {
    const { key, form } = role;
    // What a reader could not read as the rest of its column stays a text.
    if (form === "category" && value !== undefined) this.#addCategory(name, key, value);
    else if (isOnlyNumber(role) && !isMissing(value) && numberOf(value) === undefined) {
      this.#texts.push(name);
      this.#addScore(name, { key, value: null });
    } else if (form !== undefined && typeof value === "string") {
      this.#faults.push(`${quotedName(name)} is not ${WANTED[form]}, unlike in the other rows`);
      // It may sum up the other rows, in another notation.
      this.#scores.push({ key, value: numberOfText(value) });
    } else this.#addScore(name, scoreOf(role, value));
  }

  #addScore(name: string, score: SourceScore): void {
    this.#claim(name, "score", score.key);
    this.#scores.push(score);
  }

  #addCategory(name: string, key: string, value: JsonValue): void {
    if (isMissing(value)) this.#addScore(name, { key, value: null });
    else if (typeof value === "string") this.#addScore(name, { key, value: undefined, more: { value } });
    else this.#faults.push(`${quotedName(name)} is not ${WANTED.category}, unlike in the other rows`);
  }

  #addScores(name: string, isMeasured: boolean, value: JsonValue): void {
    if (!isJsonObject(value) && !isJsonList(value)) {
      this.#faults.push(`${quotedName(name)} is ${kindOf(value)}, not an object or a list of scores`);
      return;
    }
    const { scores, rest } = nestedScores(value, isMeasured);
    for (const score of scores) this.#addScore(name, score);
    if (rest !== undefined) this.#addEntries(this.#metadata, name, { part: "metadata", key: name }, rest);
  }

  /** An object in a role without a key is taken entry by entry. */
  #addEntries(
    to: [string, JsonValue][],
    name: string,
    role: Extract<ColumnRole, { readonly key: string | undefined }>,
    value: JsonValue,
  ): void {
    const isWhole = role.key === undefined && isJsonObject(value);
    for (const [key, part] of isWhole ? Object.entries(value) : [[role.key ?? name, value] as const]) {
      this.#claim(name, role.part, key);
      to.push([key, part]);
    }
  }

  /** Reports an error if another column is the same part of the row: one of the two would be lost. */
  #claim(name: string, part: ColumnRole["part"], key: string): void {
    // Most parts have no key, and a text that is put together is slow to find.
    const origins = part === "score" ? this.#scoreOrigins : this.#origins;
    const place = part === "score" ? key : key === "" ? part : `${part} ${key}`;
    const before = origins.get(place);
    if (before === undefined) origins.set(place, name);
    // A list may have two scores of one name.
    else if (before !== name)
      this.#faults.push(`${quotedName(before)} and ${quotedName(name)} are both ${partText(part, key)}`);
  }

  /** One whole stands as it is; beside others each stands under its name. */
  #part(part: Part): JsonValue | undefined {
    const [wholes, keyed] = [this.#wholes[part], this.#keyed[part]];
    const [first] = wholes;
    return first && wholes.length === 1 && keyed.length === 0 ? first[1] : objectOf([...wholes, ...keyed]);
  }
}

/** Parts that a row has once. */
const ONCE: ReadonlySet<string> = new Set(["id", "error", "start", "end", "cost", "latency", "repetition"]);

/** Names of ids that may be those of rows: of any other the name says that it is one of a case. */
const ROW_IDS: ReadonlySet<string> = new Set(["id", "rowid"]);

const WANTED: Readonly<Record<ScoreForm, string>> = {
  number: "a number",
  word: "a verdict such as yes or no",
  percent: "a percentage such as 90 %",
  comma: "a number with a decimal comma",
  category: "the name of a category",
};

function partText(part: ColumnRole["part"], key: string): string {
  if (key === "") return `the ${part}`;
  return part === "score" ? `the score ${quotedName(key)}` : `the ${quotedName(key)} of the ${part}`;
}

function objectOf(entries: readonly (readonly [string, JsonValue])[]): JsonObject | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
