import type { ColumnRole, ValueKind } from "../../rows/columns.ts";
import type { FormatContext } from "../shared/format.ts";
import { ColumnsError } from "../../errors.ts";
import { NOT_A_NUMBER, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import { quotedName } from "../../../text/quoted.ts";
import { columnReader, type ReadValue } from "./column-reader.ts";
import { ColumnRoles, type DecidedColumn } from "./column-roles.ts";
import { hasDecimalCommas, withCommas } from "./decimal-mark.ts";
import { ColumnValues, kindOfJson, type ColumnSample } from "./column-sample.ts";
import type { GradedScore } from "./number-columns.ts";
import { proposeMapping } from "./mapping-proposal.ts";
import { differingTexts } from "./same-inputs.ts";
import { refuseSideBySide } from "./side-by-side.ts";
import { withUnit } from "./time-unit.ts";
import { valueKey } from "../../rows/column-facts.ts";

/** What the columns of a table are. */
export interface DecidedColumns {
  readonly decided: readonly DecidedColumn[];
  /** A column that begins behind those that were seen: it takes nothing away from them. */
  readonly late: (sample: ColumnSample) => DecidedColumn;
}

/** What differs between kinds of tables. */
export interface TableDialect {
  /** Decides what columns are, given what stands in the first records. */
  readonly decide: (samples: readonly ColumnSample[]) => DecidedColumns;
  readonly kindOf: (value: JsonValue) => ValueKind;
  /** True where every value is a text, so that some of them may be literals of lists and objects. */
  readonly isOfTexts?: boolean;
  /** True where no comma separates the values of a record, so that one may be the decimal mark of the whole table. */
  readonly mayHaveCommas?: boolean;
  /** Reads values other than numbers. */
  readonly readerOf: (role: ColumnRole) => ReadValue;
}

/** What a table is read with. */
export interface TableOptions {
  /** The name of the file. */
  readonly file: string;
  readonly dialect: TableDialect;
  readonly context: FormatContext;
}

/** A column, and how it is read. */
export interface ColumnPlan {
  readonly role: ColumnRole;
  readonly read: ReadValue;
}

/** What each column of a table is: decided by the first records, reported, and kept to the end. */
export class TableColumns {
  readonly #options: TableOptions;
  readonly #columns: DecidedColumns;
  readonly #hasCommas: boolean;
  readonly #plans = new Map<string, ColumnPlan>();
  readonly #graded: GradedScore[] = [];
  /** The columns that could tell rows of the same inputs apart. */
  readonly differing: readonly string[];

  /** Throws `DataFileError` when no column holds the inputs. */
  constructor(first: readonly JsonObject[], options: TableOptions) {
    this.#options = options;
    const { file, dialect, context } = options;
    const seen = samplesOf(first, dialect);
    const bySeen = dialect.decide(seen);
    this.#hasCommas = hasDecimalCommas(bySeen.decided, seen, options);
    const samples = this.#hasCommas ? seen.map(withCommas) : seen;
    this.#columns = this.#hasCommas ? dialect.decide(samples) : bySeen;
    const { decided } = this.#columns;
    if (decided.length > 0 && !decided.some(({ role }) => role?.part === "inputs"))
      throw withoutInputs(options, decided, samples);
    refuseSideBySide(file, decided);
    const read = decided.flatMap((column, at) => {
      const { name, role } = column;
      const sample = samples[at];
      if (role === undefined || sample === undefined) return [];
      return [{ ...column, name, role: this.#plan(sample, role, first).role }];
    });
    context.columns(
      read,
      decided.flatMap(({ name, role }) => (role === undefined ? [name] : [])),
    );
    this.differing = differingTexts(decided, samples);
    // The columns are decided: of two hundred, a thousand values each are as much as the rest of the reading takes.
    for (const { facts } of samples) facts.forget();
  }

  /** True where a column holds outputs or expected outputs. */
  get hasOutcomes(): boolean {
    return this.#columns.decided.some(isOutcome);
  }

  /** The scores so far that no name and no rule shows to be such. */
  get graded(): readonly GradedScore[] {
    return this.#graded;
  }

  /** True where a column holds the outputs. */
  get haveOutputs(): boolean {
    return this.#columns.decided.some(({ role }) => role?.part === "outputs");
  }

  /** How a column is read, in which `value` stands; undefined for one that was empty up to here. */
  planOf(name: string, value: JsonValue): ColumnPlan | undefined {
    return this.#plans.get(name) ?? this.#late(name, value);
  }

  /** What a column is read as; undefined while it is empty. */
  partOf(name: string): ColumnRole["part"] | undefined {
    return this.#plans.get(name)?.role.part;
  }

  #late(name: string, value: JsonValue): ColumnPlan | undefined {
    const { dialect, context } = this.#options;
    if (dialect.kindOf(value) === "nothing") return undefined;
    const values = new ColumnValues(dialect.kindOf);
    values.add(value);
    const sample = this.#hasCommas ? withCommas(values.sample(name)) : values.sample(name);
    const column = this.#columns.late(sample);
    const { role } = column;
    if (role === undefined) return undefined;
    const plan = this.#plan(sample, role, [{ [name]: value }]);
    context.columns([{ ...column, role: plan.role }], []);
    return plan;
  }

  #plan(sample: ColumnSample, found: ColumnRole, records: readonly JsonObject[]): ColumnPlan {
    const { file, dialect, context } = this.#options;
    const { name, kind } = sample;
    const reader = columnReader(found, sample, dialect.readerOf(found));
    const role = found.part === "latency" ? this.#withUnit(name, found, reader, records) : found;
    if ((kind === "mixed" || kind === "notations") && role.part === "metadata") {
      const what =
        kind === "mixed"
          ? "holds numbers or verdicts beside other texts, so it is metadata and not a score; a mapping can say otherwise"
          : "holds numbers in more than one notation, such as 90 % and 80, or beside texts, so it is metadata and not a score; write all of them in one notation";
      context.warn(`${file}: the column ${quotedName(name)} ${what}.`);
    }
    const plan = { role, read: reader };
    this.#plans.set(name, plan);
    if (role.part === "score" && role.grade !== undefined) {
      this.#graded.push({ name, key: role.key, isKey: role.grade === "key" });
    }
    return plan;
  }

  #withUnit(
    name: string,
    role: Extract<ColumnRole, { readonly part: "latency" }>,
    read: ReadValue,
    records: readonly JsonObject[],
  ): ColumnRole {
    const valueOf = (part: "end" | "start") => {
      const column = this.#columns.decided.find((each) => each.role?.part === part)?.name;
      return column === undefined ? undefined : (record: JsonObject) => record[column];
    };
    const latency = (record: JsonObject) => {
      const value = record[name];
      return value === undefined ? undefined : read(value);
    };
    const column = { name, role, latency, start: valueOf("start"), end: valueOf("end") };
    return withUnit(column, { records, ...this.#options });
  }
}

/** True for outputs and expected outputs. */
export function isOutcome({ role }: { readonly role: ColumnRole | undefined }): boolean {
  return role?.part === "outputs" || role?.part === "expected";
}

/** What stands in the columns of some records. */
export function samplesOf(records: readonly JsonObject[], { kindOf }: TableDialect): readonly ColumnSample[] {
  const columns = new Map<string, ColumnValues>();
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      let values = columns.get(name);
      if (values === undefined) columns.set(name, (values = new ColumnValues(kindOf)));
      values.add(value);
    }
  }
  const samples = [...columns].map(([name, values]) => values.sample(name, records.length));
  return samples.map((sample) => {
    const twins = twinsOf(sample, samples, records);
    return twins.length === 0 ? sample : { ...sample, twins };
  });
}

function withoutInputs(
  { file, context }: TableOptions,
  columns: readonly DecidedColumn[],
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

/** How the values of JSON are read. */
export const jsonDialect: TableDialect = {
  decide: (samples) => new ColumnRoles(samples),
  kindOf: kindOfJson,
  readerOf: () => present,
};

/** As Python writes what is missing, null and NaN are nothing. */
function present(value: JsonValue): JsonValue | undefined {
  return value === null || value === NOT_A_NUMBER ? undefined : value;
}

// Fewer rows may agree by chance.
const LEAST_ROWS = 6;

/**
 * The columns of two texts that stand in the same rows as the two numbers or verdicts of a column: of such a pair one is
 * the key of the other. Other whole numbers show no scores anyway.
 */
function twinsOf(
  sample: ColumnSample,
  samples: readonly ColumnSample[],
  records: readonly JsonObject[],
): readonly string[] {
  if (!isPair(sample) || (sample.kind !== "number" && sample.kind !== "word")) return [];
  const texts = samples.filter((other) => other.kind === "text" && isPair(other));
  return texts.flatMap(({ name }) => (areTwins(sample.name, name, records) ? [name] : []));
}

function isPair({ facts, hasGaps }: ColumnSample): boolean {
  return !hasGaps && facts.count >= LEAST_ROWS && facts.distinct?.size === 2;
}

function areTwins(one: string, other: string, records: readonly JsonObject[]): boolean {
  const pairs = new Map<string, string>();
  for (const record of records) {
    const [key, text] = [valueKey(record[one] ?? null), valueKey(record[other] ?? null)];
    if ((pairs.get(key) ?? text) !== text) return false;
    pairs.set(key, text);
  }
  return new Set(pairs.values()).size === 2;
}
