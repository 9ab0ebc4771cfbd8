import type { FilePlace } from "../../../files/json/errors.ts";
import type { JsonObject } from "../../../files/json/value.ts";
import type { ColumnRole, SeenColumn } from "../../rows/columns.ts";
import { mappedPaths, mapsColumns } from "../../rows/mapped-paths.ts";
import { AmbiguousStepError } from "../../rows/dotted-path.ts";
import { quotedName } from "../../../text/quoted.ts";
import { RowDraft } from "./row-draft.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { seenTable, TableColumns } from "./columns.ts";
import type { TableOptions } from "./dialect.ts";
import { LiteralColumns } from "./cell-literal.ts";
import { withLastMessage } from "./conversation.ts";
import { RoundedIds } from "./ids.ts";
import { reachedColumn } from "./mapped-columns.ts";
import { numbersOnly, TextsAmongNumbers } from "./number-columns.ts";
import { SameInputs } from "./same-inputs.ts";
import { EdgeRecords, type ReadRecord, MOST_TOGETHER } from "./summary-record.ts";
import { isBlankPart, isEmptyPart, sumsUpColumn } from "./summary-values.ts";

interface TableRecord {
  readonly record: JsonObject;
  readonly place: FilePlace;
}

/**
 * Makes rows of records, by a mapping or by the names of their columns. The first records wait, because what stands in
 * them decides what the columns are.
 */
export class TableReader {
  readonly #options: TableOptions;
  readonly #first: TableRecord[] = [];
  #firstSize = 0;
  /** Undefined where there are none, so that a row costs nothing for them. */
  #literals: LiteralColumns | undefined;
  /** Undefined while the first records wait. */
  #columns?: TableColumns;
  #edges = new EdgeRecords({ hasOutcomes: false });
  readonly #texts = new TextsAmongNumbers();
  readonly #rounded = new RoundedIds();
  readonly #same = new SameInputs();

  constructor(options: TableOptions) {
    this.#options = options;
  }

  /** Takes a record of about `size` bytes, and gives the rows that are ready. Throws `DataFileError`. */
  take(record: JsonObject, place: FilePlace, size: number): Iterable<SourceRow> {
    if (this.#columns) {
      const read = this.#withLiterals({ record, place });
      return read ? this.#rowOf(read, this.#columns) : [];
    }
    this.#first.push({ record, place });
    this.#firstSize += size;
    if (this.#first.length < FIRST_RECORDS && this.#firstSize < FIRST_BYTES) return [];
    return this.#firstRows();
  }

  /** One by one: where they were together in memory, the engine would take all rows for such that stay. */
  *#firstRows(): Iterable<SourceRow> {
    yield* this.#begin({ isWhole: false });
    yield* this.#rowsOf(this.#edges.settle());
  }

  /** Gives the rows that are left, behind the last record. */
  end(): readonly SourceRow[] {
    const begun = this.#columns ? [] : [...this.#begin({ isWhole: true })];
    const { file, context } = this.#options;
    const { rows: left, unclear } = this.#edges.end();
    const rows = [...begun, ...this.#rowsOf(left)];
    for (const { row } of unclear) context.fault(row.place, UNCLEAR, { isUnclear: true });
    for (const sentence of this.#edges.sentences()) context.warn(sentence);
    this.#reportNumbers();
    const same = this.#same.sentence(file, this.#columns?.differing ?? []);
    if (same !== undefined) context.warn(same);
    for (const path of this.#columns?.missing ?? []) {
      context.warn(`${file}: ${quotedName(path)} of the mapping is in no row.`);
    }
    return rows;
  }

  /** `isWhole` is true where no record follows the first ones. */
  *#begin({ isWhole }: { readonly isWhole: boolean }): Iterable<SourceRow> {
    const waiting = this.#first.splice(0);
    this.#literals = this.#literalsOf(waiting.map(({ record }) => record));
    const first = waiting.flatMap((each) => this.#withLiterals(each) ?? []);
    const all = first.map(({ record }) => record);
    const records = withoutEdges(all, isWhole, () => seenTable(all, this.#options));
    const columns = new TableColumns(records, this.#options);
    this.#columns = columns;
    this.#edges = new EdgeRecords({ hasOutcomes: columns.hasOutcomes });
    for (const record of first) yield* this.#rowOf(record, columns);
  }

  /** Which columns are literals: in a table of texts, those that look so, and those into which the mapping goes. */
  #literalsOf(first: readonly JsonObject[]): LiteralColumns | undefined {
    const { dialect, context } = this.#options;
    if (dialect.isOfTexts !== true) return undefined;
    const names = new Set(first.flatMap((record) => Object.keys(record)));
    const reached = (mapsColumns(context.mapping) ? mappedPaths(context.mapping) : []).flatMap(
      ({ name }) => reachedColumn(name, names) ?? [],
    );
    const literals = new LiteralColumns(first, new Set(reached));
    return literals.areSome ? literals : undefined;
  }

  /** The record with the values of its literals; undefined after an error. */
  #withLiterals(each: TableRecord): TableRecord | undefined {
    if (!this.#literals) return each;
    const record = this.#literals.read(each.record, each.place, this.#options.context);
    return record && { record, place: each.place };
  }

  #reportNumbers(): void {
    const { file, context } = this.#options;
    const { keys, sentence } = numbersOnly(file, this.#columns?.graded ?? [], this.#edges.facts);
    context.numbersOnly(keys);
    for (const each of [sentence, this.#texts.sentence]) if (each !== undefined) context.warn(each);
  }

  #rowOf({ record, place }: TableRecord, columns: TableColumns): readonly SourceRow[] {
    const draft = new RowDraft();
    try {
      columns.fill(draft, record);
    } catch (error) {
      if (!(error instanceof AmbiguousStepError)) throw error;
      this.#options.context.fault(place, `several entries of a list are named ${quotedName(error.step)}`);
      return [];
    }
    const { faults, texts } = draft;
    const drafted = draft.row(place, { record, isResult: (name) => columns.partsOf(name).some(isResultPart) });
    const row = columns.haveOutputs ? drafted : withLastMessage(drafted);
    return this.#rowsOf(this.#edges.take({ row, record, faults, texts }));
  }

  /** Those of the records that have no errors, which are reported. */
  #rowsOf(read: readonly ReadRecord[]): readonly SourceRow[] {
    return read.flatMap(({ row, faults, texts }) => {
      for (const message of faults) this.#options.context.fault(row.place, message);
      if (faults.length > 0) return [];
      this.#rounded.check(row);
      this.#same.take(row);
      for (const name of texts) this.#texts.add(name, row.place);
      return row;
    });
  }
}

/** True for what an answer brings, and for what tells rows apart; false for what may be set before it is asked for. */
function isResultPart(part: ColumnRole["part"]): boolean {
  return part !== "metadata" && part !== "inputs" && part !== "skipped";
}

/** What a record needs, so that it may be no row. */
const UNCLEAR =
  "the record has scores, but no inputs, and does not sum up the rows: give it inputs, or remove it from the file";

// As much as stays in memory: many more rows do not make the decision better.
const FIRST_RECORDS = 1_000;
const FIRST_BYTES = 1024 * 1024;

/**
 * The records without those at an edge that may sum up the others: a label or a sum among the values of a column would
 * make it another column. `isWhole` is true where no record follows; `table` is asked for only where it is needed.
 */
function withoutEdges(
  records: readonly JsonObject[],
  isWhole: boolean,
  table: () => ReturnType<typeof seenTable>,
): readonly JsonObject[] {
  const middle = records[Math.floor(records.length / 2)];
  const [first, last] = [records[0], isWhole ? records.at(-1) : undefined];
  if (!middle || ![first, last].some((edge) => edge !== undefined && filled(edge) < filled(middle))) {
    return records;
  }
  const { samples, decide, valueIn } = table();
  const { decided } = decide(samples);
  const of = (...parts: readonly ColumnRole["part"][]) => {
    return decided.filter(({ role }) => role !== undefined && parts.includes(role.part));
  };
  const [outcomes, inputs, errors] = [of("outputs", "expected"), of("inputs"), of("error")];
  const areBlank = (looked: readonly SeenColumn[], record: JsonObject) =>
    looked.every((column) => isBlankPart(valueIn(record, column)));
  // Without inputs, or without outputs and expected outputs where the table has these columns.
  const isApart = (record: JsonObject) =>
    [outcomes, inputs].some((looked) => looked.length > 0 && areBlank(looked, record)) && areBlank(errors, record);
  const begin = records.findIndex((record) => !isApart(record));
  const end = isWhole ? records.findLastIndex((record) => !isApart(record)) + 1 : records.length;
  const rest = records.slice(Math.max(0, begin), end);
  const isClear = begin <= MOST_TOGETHER && records.length - end <= MOST_TOGETHER && !rest.some(isApart);
  const apart = [...records.slice(0, Math.max(0, begin)), ...records.slice(end)];
  // A case that got no output counts with the others.
  return isClear && rest.length > 0 && apart.every((record) => sumsUpColumn(record, rest)) ? rest : records;
}

function filled(record: JsonObject): number {
  return Object.values(record).filter((value) => !isEmptyPart(value)).length;
}
