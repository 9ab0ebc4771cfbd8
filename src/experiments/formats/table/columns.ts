import type { ColumnRole, NotedColumn, SeenColumn } from "../../rows/columns.ts";
import { mappedPaths, mapsColumns } from "../../rows/mapped-paths.ts";
import { ColumnsError } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { quotedName } from "../../../text/quoted.ts";
import { hasDecimalCommas, withCommas } from "./decimal-mark.ts";
import { type ColumnSample, ColumnValues } from "./column-sample.ts";
import type { DecidedColumns } from "./column-roles.ts";
import { columnReader, type ReadValue, type TableOptions } from "./dialect.ts";
import { isWithin, mappedValue, seenValue } from "./mapped-columns.ts";
import { proposeMapping } from "./mapping-proposal.ts";
import type { RowDraft } from "./row-draft.ts";
import { differingTexts } from "./same-inputs.ts";
import { refuseSideBySide } from "./side-by-side.ts";
import { samplesOf } from "./table-samples.ts";
import { type LatencyRole, withUnit } from "./time-unit.ts";

/** A column, and how it is read. */
interface ReadColumn extends NotedColumn {
  readonly read: ReadValue;
}

/**
 * What the columns of a table are, by their names and values or by the mapping of the user: decided by the first records,
 * reported, and kept to the end.
 */
export class TableColumns {
  readonly #options: TableOptions;
  readonly #columns: DecidedColumns;
  readonly #table: SeenTable;
  readonly #hasCommas: boolean;
  /** By their names; the paths of a mapping, of which two may be one, by themselves. */
  readonly #read = new Map<SeenColumn | string, ReadColumn>();
  /** The paths of the mapping that no record had so far. */
  readonly #missing = new Set<string>();
  /** True where one of the first columns holds outputs. */
  readonly haveOutputs: boolean;
  /** The same for outputs or expected outputs. */
  readonly haveOutcomes: boolean;
  /** The columns that could tell rows of the same inputs apart. */
  readonly differing: readonly string[];

  /** Throws `DataFileError` when no column holds the inputs. */
  constructor(first: readonly JsonObject[], options: TableOptions) {
    this.#options = options;
    const { file, context } = options;
    this.#table = seenTable(first, options);
    const { samples: seen, decide, isMapped } = this.#table;
    const bySeen = decide(seen);
    this.#hasCommas = hasDecimalCommas(bySeen.decided, seen, options);
    const samples = this.#hasCommas ? seen.map(withCommas) : seen;
    this.#columns = this.#hasCommas ? decide(samples) : bySeen;
    const { decided } = this.#columns;
    if (!isMapped) {
      if (decided.length > 0 && !decided.some(({ role }) => role?.part === "inputs"))
        throw withoutInputs(options, decided, samples);
      refuseSideBySide(file, decided);
    }
    const read = decided.flatMap((column, at): NotedColumn | [] => {
      const [{ role }, sample] = [column, samples[at]];
      return role && sample ? this.#noted(column, role, { sample, records: first }) : [];
    });
    const unread = isMapped
      ? [...new Set(first.flatMap((record) => Object.keys(record)))].filter((name) => this.partsOf(name).length === 0)
      : decided.flatMap(({ name, role }) => (role ? [] : [name]));
    context.columns(read, unread);
    const parts = new Set(decided.map(({ role }) => role?.part));
    this.haveOutputs = parts.has("outputs");
    this.haveOutcomes = this.haveOutputs || parts.has("expected");
    this.differing = isMapped ? [] : differingTexts(decided, samples);
    // The columns are decided: of two hundred, a thousand values each are as much as the rest of the reading takes.
    for (const { facts } of samples) facts.forget();
  }

  /** The columns so far that are read. */
  get read(): Iterable<NotedColumn> {
    return this.#read.values();
  }

  /** The paths of the mapping that no record had. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** What a column, or what the paths of a mapping into it, are read as. */
  partsOf(column: string): readonly ColumnRole["part"][] {
    const known = this.#read.get(column);
    if (!this.#table.isMapped) return known ? [known.role.part] : [];
    return [...this.#read.values()].flatMap(({ name, role }) => (isWithin(name, column) ? [role.part] : []));
  }

  /** Adds what stands in a record to a row. Throws AmbiguousStepError. */
  fill(draft: RowDraft, record: JsonObject): void {
    if (this.#table.isMapped) {
      for (const column of this.#read.values()) {
        const value = mappedValue(record, column);
        if (value !== undefined) this.#missing.delete(column.name);
        draft.add(column.name, column.role, value === undefined ? undefined : column.read(value));
      }
      return;
    }
    for (const [name, value] of Object.entries(record)) {
      const column = this.#read.get(name) ?? this.#late(name, value);
      if (column) draft.add(name, column.role, column.read(value));
    }
  }

  /** How a column is read that begins with `value`; undefined while it is empty. */
  #late(name: string, value: JsonValue): ReadColumn | undefined {
    const { dialect, context } = this.#options;
    if (dialect.kindOf(value) === "nothing") return undefined;
    const values = new ColumnValues(dialect.kindOf);
    values.add(value);
    const sample = this.#hasCommas ? withCommas(values.sample(name)) : values.sample(name);
    const column = this.#columns.late(sample);
    if (!column.role) return undefined;
    context.columns([this.#noted(column, column.role, { sample, records: [{ [name]: value }] })], []);
    return this.#read.get(name);
  }

  /** Decides how a column is read, by what stands in some records. */
  #noted(
    column: SeenColumn,
    found: ColumnRole,
    { sample, records }: { sample: ColumnSample; records: readonly JsonObject[] },
  ): NotedColumn {
    const { file, dialect, context } = this.#options;
    const { isMapped } = this.#table;
    const { name } = column;
    const { kind } = sample;
    const seen = isMapped ? withHints(found, sample) : found;
    const read = columnReader(seen, sample, dialect.readerOf(seen));
    const role = seen.part === "latency" ? this.#withUnit(column, seen, { read, records }) : seen;
    if (!isMapped && (kind === "mixed" || kind === "notations") && role.part === "metadata") {
      const what =
        kind === "mixed"
          ? "holds numbers or verdicts beside other texts, so it is metadata and not a score; a mapping can say otherwise"
          : "holds numbers in more than one notation, such as 90 % and 80, or beside texts, so it is metadata and not a score; write all of them in one notation";
      context.warn(`${file}: the column ${quotedName(name)} ${what}.`);
    }
    this.#read.set(isMapped ? column : name, { name, role, read });
    if (isMapped) this.#missing.add(name);
    return { ...column, role };
  }

  #withUnit(
    column: SeenColumn,
    role: LatencyRole,
    { read, records }: { readonly read: ReadValue; readonly records: readonly JsonObject[] },
  ): LatencyRole {
    const { valueIn, isMapped: isStated } = this.#table;
    const of = (part: "end" | "start") => this.#columns.decided.find((each) => each.role?.part === part);
    const [start, end] = [of("start"), of("end")];
    const rows = records.map((record) => {
      const latency = valueIn(record, column);
      return {
        latency: latency === undefined ? undefined : read(latency),
        start: start && valueIn(record, start),
        end: end && valueIn(record, end),
      };
    });
    return withUnit({ name: column.name, role, rows, isStated }, this.#options);
  }
}

/** What stands in some records at the columns of a table, or at the paths of a mapping, and how it is decided what they are. */
interface SeenTable {
  readonly samples: readonly ColumnSample[];
  readonly decide: (samples: readonly ColumnSample[]) => DecidedColumns;
  readonly isMapped: boolean;
  /** What stands in a record at a column, or at a path that is not ambiguous. */
  readonly valueIn: (record: JsonObject, column: SeenColumn) => JsonValue | undefined;
}

export function seenTable(records: readonly JsonObject[], { dialect, context: { mapping } }: TableOptions): SeenTable {
  const { decide, kindOf } = dialect;
  if (!mapsColumns(mapping)) {
    const samples = samplesOf(records, dialect);
    return { samples, decide, isMapped: false, valueIn: (record, { name }) => record[name] };
  }
  const decided = mappedPaths(mapping);
  const samples = decided.map((column) => {
    const values = new ColumnValues(kindOf);
    for (const record of records) values.add(seenValue(record, column) ?? null);
    return values.sample(column.name);
  });
  const late = ({ name }: ColumnSample): SeenColumn => ({ name, role: undefined });
  return { samples, decide: () => ({ decided, late }), isMapped: true, valueIn: seenValue };
}

/** The role of a mapping, with what the first rows show of how it is written. */
function withHints(role: ColumnRole, { form, least = 0 }: ColumnSample): ColumnRole {
  if (role.part === "repetition") return { ...role, first: least >= 1 ? 1 : 0 };
  return role.part === "score" && role.kind === undefined ? { ...role, form } : role;
}

function withoutInputs(
  { file, context }: TableOptions,
  columns: readonly SeenColumn[],
  samples: readonly ColumnSample[],
): ColumnsError {
  const shown = columns
    .slice(0, 20)
    .map(({ name }) => quotedName(name))
    .join(", ");
  const fault = `no column contains the inputs: none is named \`input\` or \`inputs.…\`; the columns are ${shown}`;
  const advice = "Rename a column, or name the column of the inputs in a mapping.";
  const proposed = columns.map((column, at) => {
    const isId = column.role?.part === "score" && samples[at]?.isNaming === true;
    return isId ? { ...column, role: undefined } : column;
  });
  return new ColumnsError({ file }, fault, { advice, mapping: proposeMapping(proposed, context.mapping?.rows) });
}
