import type { JsonObject } from "../../../files/json/value.ts";
import type { ColumnRole, SeenColumn } from "../../rows/columns.ts";
import { mappedPaths, mapsColumns } from "../../rows/mapped-paths.ts";
import { AmbiguousStepError } from "../../rows/dotted-path.ts";
import type { JsonRecord } from "../shared/json-records.ts";
import { quotedName } from "../../../text/quoted.ts";
import { RowDraft } from "./row-draft.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { seenTable, TableColumns } from "./columns.ts";
import type { TableOptions } from "./dialect.ts";
import { literalColumns, withLiterals } from "./cell-literal.ts";
import { withLastMessage } from "./conversation.ts";
import { reachedColumn } from "./mapped-columns.ts";
import { numbersOnly, TextsAmongNumbers } from "./number-columns.ts";
import { RoundedIds } from "./ids.ts";
import { SameInputs } from "./same-inputs.ts";
import { EdgeRecords, MOST_TOGETHER, type ReadRecord } from "./summary-record.ts";
import { isBlankPart, isEmptyPart, sumsUpColumn } from "./summary-values.ts";

/**
 * The rows of records, by a mapping or by the names of their columns. The first records wait, because what stands in them
 * decides what the columns are. Throws `DataFileError`.
 */
export function* tableRows(records: Iterable<JsonRecord>, options: TableOptions): Iterable<SourceRow> {
  const first: JsonRecord[] = [];
  let size = 0;
  let reader: TableReader | undefined;
  for (const each of records) {
    if (reader) {
      yield* reader.rowsOf(each);
      continue;
    }
    first.push(each);
    size += each.size;
    if (first.length < FIRST_RECORDS && size < FIRST_BYTES) continue;
    reader = new TableReader(first.splice(0), options, { isWhole: false });
    yield* reader.firstRows();
    yield* reader.settle();
  }
  if (reader) yield* reader.end();
  else {
    reader = new TableReader(first, options, { isWhole: true });
    yield* [...reader.firstRows(), ...reader.end()];
  }
}

class TableReader {
  readonly #options: TableOptions;
  readonly #first: JsonRecord[];
  readonly #literals: readonly string[];
  readonly #columns: TableColumns;
  readonly #edges: EdgeRecords;
  readonly #texts = new TextsAmongNumbers();
  readonly #rounded = new RoundedIds();
  readonly #same = new SameInputs();

  /** `isWhole` is true where no record follows the first ones. */
  constructor(first: readonly JsonRecord[], options: TableOptions, { isWhole }: { readonly isWhole: boolean }) {
    this.#options = options;
    this.#literals = literalsOf(
      first.map(({ record }) => record),
      options,
    );
    this.#first = first.flatMap((each) => this.#withLiterals(each) ?? []);
    const all = this.#first.map(({ record }) => record);
    this.#columns = new TableColumns(
      withoutEdges(all, isWhole, () => seenTable(all, options)),
      options,
    );
    this.#edges = new EdgeRecords({ hasOutcomes: this.#columns.haveOutcomes });
  }

  /** One by one: where they were together in memory, the engine would take all rows for such that stay. */
  *firstRows(): Iterable<SourceRow> {
    for (const each of this.#first.splice(0)) yield* this.#rowOf(each);
  }

  /** The rows that waited for the end of the first ones, where more follow. */
  settle(): readonly SourceRow[] {
    return this.#ready(this.#edges.settle());
  }

  /** The rows that are ready with the next record. */
  rowsOf(next: JsonRecord): readonly SourceRow[] {
    const read = this.#withLiterals(next);
    return read ? this.#rowOf(read) : [];
  }

  /** Gives the rows that are left, behind the last record. */
  end(): readonly SourceRow[] {
    const { file, context } = this.#options;
    const { rows: left, unclear } = this.#edges.end();
    const rows = this.#ready(left);
    for (const { row } of unclear) context.fault(row.place, UNCLEAR, { isUnclear: true });
    for (const sentence of this.#edges.sentences()) context.warn(sentence);
    this.#reportNumbers();
    const same = this.#same.sentence(file, this.#columns.differing);
    if (same !== undefined) context.warn(same);
    for (const path of this.#columns.missing) context.warn(`${file}: ${quotedName(path)} of the mapping is in no row.`);
    return rows;
  }

  /** The record with the values of its literals; undefined after an error. */
  #withLiterals(each: JsonRecord): JsonRecord | undefined {
    if (this.#literals.length === 0) return each;
    const record = withLiterals(each.record, this.#literals, each.place, this.#options.context);
    return record && { ...each, record };
  }

  #reportNumbers(): void {
    const { file, context } = this.#options;
    const { keys, sentence } = numbersOnly(file, this.#columns.read, this.#edges.facts);
    context.numbersOnly(keys);
    for (const each of [sentence, this.#texts.sentence]) if (each !== undefined) context.warn(each);
  }

  #rowOf({ record, place }: JsonRecord): readonly SourceRow[] {
    const columns = this.#columns;
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
    return this.#ready(this.#edges.take({ row, record, faults, texts }));
  }

  /** Those of the records that have no errors, which are reported. */
  #ready(read: readonly ReadRecord[]): readonly SourceRow[] {
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

/** Which columns are literals: in a table of texts, those that look so, and those into which the mapping goes. */
function literalsOf(first: readonly JsonObject[], { dialect, context }: TableOptions): readonly string[] {
  if (dialect.isOfTexts !== true) return [];
  const names = new Set(first.flatMap((record) => Object.keys(record)));
  const mapped = mapsColumns(context.mapping) ? mappedPaths(context.mapping) : [];
  return literalColumns(first, new Set(mapped.flatMap(({ name }) => reachedColumn(name, names) ?? [])));
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
