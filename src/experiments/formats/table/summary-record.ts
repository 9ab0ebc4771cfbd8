import { CountedPlaces, placeText } from "../../../files/json/errors.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { canonicalJson } from "../../../text/canonical-json.ts";
import { countOf } from "../../../text/number.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { numberOf, TableFacts } from "../../rows/column-facts.ts";
import { addScores, isBlankPart, isEmpty, isEmptyPart, leavesOf, sumsUp } from "./summary-values.ts";

/** What people write in front of the numbers of a whole table. */
const SUMMARY_WORDS: ReadonlySet<string> = new Set([
  ...["total", "totals", "subtotal", "grand total", "sum", "summary", "overall", "aggregate", "all"],
  ...["mean", "average", "avg", "median", "std", "stdev", "stddev", "std dev", "variance"],
  ...["min", "minimum", "max", "maximum", "count", "25%", "50%", "75%"],
]);

/** A record as it was read, before it is known whether it is a row. */
export interface ReadRecord {
  readonly row: SourceRow;
  readonly record: JsonObject;
  /** What stands in it and cannot be read, as clauses: it is no row with one of them. */
  readonly faults: readonly string[];
  /** Columns that hold numbers only, where a text stands in the record. */
  readonly texts: readonly string[];
}

/** The rows, and what is neither a row nor a summary. */
interface JudgedRecords {
  readonly rows: readonly ReadRecord[];
  readonly unclear: readonly ReadRecord[];
}

// pandas' `describe()` writes eight, beside which a total and an average may stand. More of them in a row are cases.
export const MOST_TOGETHER = 10;
// A score column of more than a thousand numbers takes one MiB to tell those apart that no row has.
const FILTERS = 8;

/**
 * Tells records with scores of the whole from rows: at an edge, without a part that all rows have, and by their scores, or
 * by a word such as TOTAL. Between two rows such a record is a case that got no output. So records at an edge wait: those
 * behind the rows for the end, those before them for the end of the first rows, which wait with them, or of the file.
 */
export class EdgeRecords {
  /** The scores of the rows by their keys. */
  readonly facts = new TableFacts({ filters: FILTERS });
  readonly #hasOutcomes: boolean;
  readonly #others = { rows: 0, inputs: 0, expected: 0, outputs: 0 };
  /** Rows with scores that say nothing of what was asked or answered. */
  #silent = 0;
  /** Before the first row. */
  #lead: ReadRecord[] = [];
  /** Rows behind those, while the first rows are read. */
  #waiting: ReadRecord[] | undefined = [];
  #held: ReadRecord[] = [];
  #isBegun = false;
  /** True among more of them than belong to one table. */
  #areTooMany = false;
  readonly #left = new CountedPlaces();
  readonly #between = new CountedPlaces();
  /** Between two rows, and without anything that tells what was asked. */
  readonly #nameless: ReadRecord[] = [];

  /** `hasOutcomes` is true for a table with outputs or expected outputs: else a record without inputs is looked at. */
  constructor({ hasOutcomes }: { readonly hasOutcomes: boolean }) {
    this.#hasOutcomes = hasOutcomes;
  }

  /** Takes the next record, and gives the rows that are ready, in their order. */
  take(read: ReadRecord): readonly ReadRecord[] {
    if (this.#maySumUp(read)) {
      if (this.#areTooMany) return this.#pass([read]);
      this.#held.push(read);
      if (this.#held.length <= MOST_TOGETHER) return [];
      this.#areTooMany = true;
      this.#isBegun = true;
      return this.#pass(this.#held.splice(0));
    }
    this.#areTooMany = false;
    const held = this.#held.splice(0);
    if (this.#isBegun) {
      for (const { row } of held.filter(isNamedSummary)) this.#between.add(row.place);
      const nameless = held.filter((each) => isSilent(each) && hasNumber(each));
      this.#nameless.push(...nameless.slice(0, MOST_TOGETHER - this.#nameless.length));
      return this.#pass([...held, read]);
    }
    this.#isBegun = true;
    this.#lead = held;
    return this.#pass([read]);
  }

  /** More rows follow than the first ones, which wait no longer: gives them, in their order. */
  settle(): readonly ReadRecord[] {
    const waiting = this.#waiting ?? [];
    // What is asked again is no label: the case keeps its place before its repetitions.
    const asked = new Set(this.#lead.length === 0 ? [] : waiting.map(({ row }) => canonicalJson(row.inputs ?? null)));
    const rows = this.#lead.filter((read) => {
      if (isNamedSummary(read) || (this.#lacksInputs(read) && lacksOutcomes(read))) return false;
      return !hasNewNumber(read, this.facts) || asked.has(canonicalJson(read.row.inputs ?? null));
    });
    this.#lead = this.#lead.filter((read) => !rows.includes(read));
    this.#waiting = undefined;
    for (const { row } of rows) addScores(this.facts, row.scores);
    return [...rows, ...waiting];
  }

  /** Decides about what waits: the rows that are left, in their order, and records that are neither row nor summary. */
  end(): JudgedRecords {
    // What stands nearer to the rows may be one of them, and is then summed up by those farther out.
    const lead = this.#judge(this.#lead.toReversed());
    const held = this.#judge(this.#held);
    const rows = [...lead.rows.toReversed(), ...(this.#waiting ?? []), ...held.rows];
    const nameless = this.#haveInputs ? this.#nameless : [];
    return { rows, unclear: [...lead.unclear.toReversed(), ...nameless, ...held.unclear] };
  }

  /** A sentence for each kind of records that are not plain rows. */
  sentences(): readonly string[] {
    const left = "the record holds scores of the whole and is not taken as a row";
    const between = "the record looks like scores of the whole, but is between rows and is taken as a row";
    return [...sentencesOf(this.#left, left, "are left out"), ...sentencesOf(this.#between, between, "are taken so")];
  }

  /** Judges records by their distance from the rows: behind one that sums up the rows there are no cases any more. */
  #judge(waiting: readonly ReadRecord[]): JudgedRecords {
    const [rows, unclear]: [ReadRecord[], ReadRecord[]] = [[], []];
    const isSum = (read: ReadRecord) => {
      const { row, record } = read;
      const isCertain = isSilent(read) && this.#lacksInputs(read);
      return this.#lacksPart(read) && sumsUp({ scores: row.scores, record }, this.facts, isCertain);
    };
    const sums = new Set(waiting.filter(isSum));
    const hasSums = sums.size > 0;
    let isBehind = false;
    // What sums up rows stands beside them, once: cases of a task `sum` have the word each.
    const names = this.#others.rows > 0 ? [] : waiting.map(nameOf);
    const repeated = new Set(names.filter((name, at) => names.indexOf(name) !== at));
    const isSummary = (read: ReadRecord) =>
      hasNumber(read) ? isNamedSummary(read) && !repeated.has(nameOf(read)) : hasSums && isNamed(read);
    for (const read of waiting) {
      isBehind ||= sums.has(read) || isSum(read);
      if (isBehind || isSummary(read)) this.#left.add(read.row.place);
      else if (this.#isUnclear(read)) unclear.push(read);
      else {
        rows.push(read);
        if (read.faults.length === 0) addScores(this.facts, read.row.scores);
      }
    }
    return { rows, unclear };
  }

  /** Without inputs it is no case; but an id may name one that has the scores of another. */
  #isUnclear(read: ReadRecord): boolean {
    if (!this.#lacksInputs(read) || !lacksOutcomes(read) || !hasNumber(read)) return false;
    return read.row.id === undefined || hasNewNumber(read, this.facts);
  }

  #maySumUp(read: ReadRecord): boolean {
    const { error, inputs } = read.row;
    if (error !== undefined) return false;
    if (!lacksOutcomes(read)) return isEmptyPart(inputs) && (!this.#isBegun || this.#lacksInputs(read));
    if (isNamedSummary(read)) return true;
    return this.#isBegun ? this.#lacksPart(read) : this.#hasOutcomes || isEmptyPart(inputs);
  }

  /** True where nearly all other rows have a part that the record has not. */
  #lacksPart(read: ReadRecord): boolean {
    const { rows, outputs, expected } = this.#others;
    if (rows === 0) return false;
    const isUsual = 4 * outputs >= 3 * rows || 4 * expected >= 3 * rows;
    return this.#lacksInputs(read) || (isUsual && lacksOutcomes(read));
  }

  #lacksInputs({ row }: ReadRecord): boolean {
    return this.#haveInputs && isEmptyPart(row.inputs);
  }

  /** True where all rows say what was asked, but for a few that say nothing at all. */
  get #haveInputs(): boolean {
    const { inputs, rows } = this.#others;
    return inputs === rows && 2 * this.#silent <= rows;
  }

  #pass(rows: readonly ReadRecord[]): readonly ReadRecord[] {
    for (const read of rows) {
      const { row, faults } = read;
      // A row with an error may lack anything.
      if (faults.length > 0 || row.error !== undefined) continue;
      if (isSilent(read) && hasNumber(read)) {
        this.#silent += 1;
        continue;
      }
      this.#others.rows += 1;
      for (const part of PARTS) if (!isEmptyPart(row[part])) this.#others[part] += 1;
    }
    for (const { row, faults } of rows) if (faults.length === 0) addScores(this.facts, row.scores);
    if (this.#lead.length === 0 || !this.#waiting) return rows;
    this.#waiting.push(...rows);
    return [];
  }
}

const PARTS = ["inputs", "expected", "outputs"] as const;

function hasNewNumber({ row }: ReadRecord, facts: TableFacts): boolean {
  return row.scores.some((score) => {
    const number = numberOf(score.value);
    return number !== undefined && facts.columns.get(score.key)?.mayHold(number) !== true;
  });
}

function hasNumber({ row: { scores } }: ReadRecord): boolean {
  return scores.some((score) => numberOf(score.value) !== undefined);
}

function lacksOutcomes({ row: { expected, outputs } }: ReadRecord): boolean {
  return isBlankPart(expected) && isBlankPart(outputs);
}

/** True for a record that neither an id nor anything that was asked or answered makes a case. */
function isSilent({ row: { id, inputs, expected, outputs } }: ReadRecord): boolean {
  return id === undefined && isEmptyPart(inputs) && isEmptyPart(expected) && isEmptyPart(outputs);
}

/** True for scores under a word such as TOTAL. */
function isNamedSummary(read: ReadRecord): boolean {
  const isOfCase = read.row.error !== undefined || !lacksOutcomes(read);
  return !isOfCase && hasNumber(read) && isNamed(read);
}

/** True where what names the case, or is its inputs, is a word such as TOTAL. */
function isNamed({ row: { id, inputs } }: ReadRecord): boolean {
  const named = [...(id === undefined ? [] : [id]), ...leavesOf(inputs)].filter((leaf) => !isEmpty(leaf));
  return named.length > 0 && named.every(isSummaryWord);
}

function nameOf({ row: { id, inputs } }: ReadRecord): string {
  return canonicalJson([id ?? null, inputs ?? null]);
}

function isSummaryWord(value: JsonValue): boolean {
  return typeof value === "string" && SUMMARY_WORDS.has(value.trim().toLowerCase().replace(/\s*:$/, ""));
}

/** Where the first of some records stands, what it is and what becomes of all; nothing where there is none. */
function sentencesOf({ first, count }: CountedPlaces, what: string, become: string): readonly string[] {
  const all = count === 1 ? "" : `; ${countOf(count, "record")} ${become}`;
  return first ? [`${placeText(first)}: ${what}${all}. Scores of the whole belong in the summary scores.`] : [];
}
