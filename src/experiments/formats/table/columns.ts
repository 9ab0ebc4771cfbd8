import type { ColumnRole, NotedColumn } from "../../rows/columns.ts";
import { mappedPaths, mapsColumns, type MappedPath } from "../../rows/mapped-paths.ts";
import { ColumnsError } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { quotedName } from "../../../text/quoted.ts";
import { columnReader, type ReadValue } from "./column-reader.ts";
import { hasDecimalCommas, withCommas } from "./decimal-mark.ts";
import { ColumnValues, type ColumnSample } from "./column-sample.ts";
import type { DecidedColumns, RoledColumn } from "./column-roles.ts";
import type { TableOptions } from "./dialect.ts";
import { isWithin, mappedValue, seenValue } from "./mapped-columns.ts";
import type { GradedScore } from "./number-columns.ts";
import { proposeMapping } from "./mapping-proposal.ts";
import type { RowDraft } from "./row-draft.ts";
import { differingTexts } from "./same-inputs.ts";
import { refuseSideBySide } from "./side-by-side.ts";
import { samplesOf } from "./table-samples.ts";
import { withUnit } from "./time-unit.ts";

/** A column or a path, and how it is read. */
interface ColumnPlan {
  readonly name: string;
  readonly role: ColumnRole;
  readonly read: ReadValue;
  readonly path: MappedPath | undefined;
}

/**
 * What the columns of a table are, by their names and values or by the mapping of the user: decided by the first records,
 * reported, and kept to the end.
 */
export class TableColumns {
  readonly #options: TableOptions;
  readonly #columns: DecidedColumns;
  readonly #isMapped: boolean;
  readonly #hasCommas: boolean;
  readonly #plans = new Map<RoledColumn | string, ColumnPlan>();
  /** The paths of the mapping that no record had so far. */
  readonly #missing = new Set<string>();
  readonly #graded: GradedScore[] = [];
  /** The columns that could tell rows of the same inputs apart. */
  readonly differing: readonly string[];

  /** Throws `DataFileError` when no column holds the inputs. */
  constructor(first: readonly JsonObject[], options: TableOptions) {
    this.#options = options;
    const { file, context } = options;
    const { samples: seen, decide, isMapped } = look(first, options);
    this.#isMapped = isMapped;
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
    const read = decided.flatMap((column, at): readonly NotedColumn[] => {
      const { name, role, path } = column;
      const sample = samples[at];
      if (!role || !sample) return [];
      const plan = this.#plan(column, role, { sample, records: first });
      return [path ? { name, role } : { ...column, role: plan.role }];
    });
    const unread = isMapped
      ? [...new Set(first.flatMap((record) => Object.keys(record)))].filter((name) => this.partsOf(name).length === 0)
      : decided.flatMap(({ name, role }) => (role ? [] : [name]));
    context.columns(read, unread);
    this.differing = isMapped ? [] : differingTexts(decided, samples);
    // The columns are decided: of two hundred, a thousand values each are as much as the rest of the reading takes.
    for (const { facts } of samples) facts.forget();
  }

  /** True where a column holds outputs or expected outputs. */
  get hasOutcomes(): boolean {
    return this.#columns.decided.some(({ role }) => role?.part === "outputs" || role?.part === "expected");
  }

  /** The scores so far that no name and no rule shows to be such. */
  get graded(): readonly GradedScore[] {
    return this.#graded;
  }

  /** True where a column holds the outputs. */
  get haveOutputs(): boolean {
    return this.#columns.decided.some(({ role }) => role?.part === "outputs");
  }

  /** The paths of the mapping that no record had. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** What a column, or what the paths of a mapping into it, are read as. */
  partsOf(column: string): readonly ColumnRole["part"][] {
    const plan = this.#plans.get(column);
    if (!this.#isMapped) return plan ? [plan.role.part] : [];
    return [...this.#plans.values()].flatMap(({ name, role }) => (isWithin(name, column) ? [role.part] : []));
  }

  /** Adds what stands in a record to a row. Throws AmbiguousStepError. */
  fill(draft: RowDraft, record: JsonObject): void {
    if (this.#isMapped) {
      for (const { name, role, read, path } of this.#plans.values()) {
        const value = path && mappedValue(record, path);
        if (value !== undefined) this.#missing.delete(name);
        draft.add(name, role, value === undefined ? undefined : read(value));
      }
      return;
    }
    for (const [name, value] of Object.entries(record)) {
      const plan = this.#plans.get(name) ?? this.#late(name, value);
      if (plan) draft.add(name, plan.role, plan.read(value));
    }
  }

  /** How a column is read that begins with `value`; undefined while it is empty. */
  #late(name: string, value: JsonValue): ColumnPlan | undefined {
    const { dialect, context } = this.#options;
    if (dialect.kindOf(value) === "nothing") return undefined;
    const values = new ColumnValues(dialect.kindOf);
    values.add(value);
    const sample = this.#hasCommas ? withCommas(values.sample(name)) : values.sample(name);
    const column = this.#columns.late(sample);
    if (!column.role) return undefined;
    const plan = this.#plan(column, column.role, { sample, records: [{ [name]: value }] });
    context.columns([{ ...column, role: plan.role }], []);
    return plan;
  }

  #plan(column: RoledColumn, found: ColumnRole, { sample, records }: SeenColumn): ColumnPlan {
    const { file, dialect, context } = this.#options;
    const { name, path } = column;
    const { kind } = sample;
    const seen = path ? withHints(found, sample) : found;
    const read = columnReader(seen, sample, dialect.readerOf(seen));
    const role = seen.part === "latency" ? this.#withUnit(column, seen, { read, records }) : seen;
    if (!path && (kind === "mixed" || kind === "notations") && role.part === "metadata") {
      const what =
        kind === "mixed"
          ? "holds numbers or verdicts beside other texts, so it is metadata and not a score; a mapping can say otherwise"
          : "holds numbers in more than one notation, such as 90 % and 80, or beside texts, so it is metadata and not a score; write all of them in one notation";
      context.warn(`${file}: the column ${quotedName(name)} ${what}.`);
    }
    const plan = { name, role, read, path };
    this.#plans.set(path ? column : name, plan);
    if (path) this.#missing.add(name);
    if (role.part === "score" && role.grade !== undefined) {
      this.#graded.push({ name, key: role.key, isKey: role.grade === "key" });
    }
    return plan;
  }

  #withUnit(
    column: RoledColumn,
    role: Extract<ColumnRole, { readonly part: "latency" }>,
    { read, records }: { readonly read: ReadValue; readonly records: readonly JsonObject[] },
  ): ColumnRole {
    const valueOf = (part: "end" | "start") => {
      const found = this.#columns.decided.find((each) => each.role?.part === part);
      return found && ((record: JsonObject) => valueIn(record, found));
    };
    const latency = (record: JsonObject) => {
      const value = valueIn(record, column);
      return value === undefined ? undefined : read(value);
    };
    const isStated = column.path !== undefined;
    const timed = { name: column.name, role, latency, start: valueOf("start"), end: valueOf("end"), isStated };
    return withUnit(timed, { records, ...this.#options });
  }
}

interface SeenColumn {
  readonly sample: ColumnSample;
  readonly records: readonly JsonObject[];
}

/** What stands in some records at the columns of a table, or at the paths of a mapping, and how it is decided what they are. */
function look(records: readonly JsonObject[], { dialect, context: { mapping } }: TableOptions) {
  if (!mapsColumns(mapping)) return { samples: samplesOf(records, dialect), decide: dialect.decide, isMapped: false };
  const paths = mappedPaths(mapping);
  const samples = paths.map((path) => {
    const values = new ColumnValues(dialect.kindOf);
    for (const record of records) values.add(seenValue(record, path) ?? null);
    return values.sample(path.path);
  });
  const decided = paths.map((path, at): RoledColumn => {
    return { name: path.path, kind: samples[at]?.kind ?? "nothing", role: path.role, path };
  });
  const late = (): RoledColumn => ({ name: "", kind: "nothing", role: undefined });
  return { samples, decide: (): DecidedColumns => ({ decided, late }), isMapped: true };
}

/** The columns with their roles, as far as some records show them. */
export function roledColumns(records: readonly JsonObject[], options: TableOptions): readonly RoledColumn[] {
  const { samples, decide } = look(records, options);
  return decide(samples).decided;
}

/** What stands in a record at a column, or at a path that is not ambiguous. */
export function valueIn(record: JsonObject, { name, path }: RoledColumn): JsonValue | undefined {
  return path ? seenValue(record, path) : record[name];
}

/** The role of a mapping, with what the first rows show of how it is written. */
function withHints(role: ColumnRole, { form, least = 0 }: ColumnSample): ColumnRole {
  if (role.part === "repetition") return { ...role, first: least >= 1 ? 1 : 0 };
  return role.part === "score" && role.kind === undefined ? { ...role, form } : role;
}

function withoutInputs(
  { file, context }: TableOptions,
  columns: readonly RoledColumn[],
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
