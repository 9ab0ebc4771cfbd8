import { DataFileError } from "../../../files/json/errors.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { quotedName } from "../../../text/quoted.ts";
import type { ColumnRole } from "../../rows/columns.ts";
import { AmbiguousStepError, valueAt } from "../../rows/dotted-path.ts";
import { mappedPaths, type MappedPath } from "../../rows/mapped-paths.ts";
import { ColumnValues, type ColumnSample } from "./column-sample.ts";
import { columnReader } from "./column-reader.ts";
import { isOutcome, type ColumnPlan, type TableOptions } from "./columns.ts";
import { hasDecimalCommas, withCommas } from "./decimal-mark.ts";
import { scoreValueOf } from "./nested-scores.ts";
import type { RowDraft } from "./row-draft.ts";
import { withUnit } from "./time-unit.ts";

interface MappedPlan extends ColumnPlan {
  readonly item: MappedPath;
}

/** What each path of a mapping is: decided by the first records, reported, and kept to the end. */
export class MappedColumns {
  readonly #mapped: readonly MappedPath[];
  readonly #options: TableOptions;
  readonly #plans: readonly MappedPlan[];
  readonly #found = new Set<MappedPath>();

  constructor(mapped: readonly MappedPath[], first: readonly JsonObject[], options: TableOptions) {
    this.#mapped = mapped;
    this.#options = options;
    const names = new Set(first.flatMap((record) => Object.keys(record)));
    const isRead = (name: string) => mapped.some(({ path }) => isWithin(path, name));
    options.context.columns(
      mapped.map(({ path: name, role }) => ({ name, role })),
      [...names].filter((name) => !isRead(name)),
    );
    this.#plans = this.#plansOf(first);
  }

  /** True where a path leads to outputs or expected outputs. */
  get hasOutcomes(): boolean {
    return this.#mapped.some(isOutcome);
  }

  /** True where a path leads to the outputs. */
  get haveOutputs(): boolean {
    return this.#mapped.some(({ role }) => role.part === "outputs");
  }

  /** What the paths into a column, or to it, are read as. */
  partsOf(name: string): readonly ColumnRole["part"][] {
    return this.#mapped.flatMap(({ path, role }) => (isWithin(path, name) ? [role.part] : []));
  }

  /** The paths that no record had. */
  get missing(): readonly string[] {
    return this.#mapped.flatMap((item) => (this.#found.has(item) ? [] : [item.path]));
  }

  /** Adds what stands at each path of a record. Throws AmbiguousStepError. */
  fill(draft: RowDraft, record: JsonObject): void {
    for (const { item, role, read } of this.#plans) {
      const value = mappedValue(record, item);
      if (value !== undefined) this.#found.add(item);
      draft.add(item.path, role, value === undefined ? undefined : read(value));
    }
  }

  /** How the paths of the mapping are read: what stands in the first records decides how scores are written. */
  #plansOf(first: readonly JsonObject[]): readonly MappedPlan[] {
    const { dialect } = this.#options;
    const mapped = this.#mapped;
    const seen = mapped.map((item) => {
      const values = new ColumnValues(dialect.kindOf);
      for (const record of first) values.add(seenValue(record, item) ?? null);
      return values.sample(item.path);
    });
    const hasCommas = hasDecimalCommas(mapped, seen, this.#options);
    return mapped.flatMap((item, at) => {
      const own = seen[at];
      if (own === undefined) return [];
      const sample = hasCommas ? withCommas(own) : own;
      const { role: given } = item;
      const role = seenRole(given, sample);
      if (role.part === "latency") this.#doubtUnit(item, role, first);
      return [{ item, role, read: columnReader(role, sample, dialect.readerOf(role)) }];
    });
  }

  /** Warns of a latency that the mapping takes as seconds, where it looks like milliseconds. */
  #doubtUnit(
    { path: name }: MappedPath,
    role: Extract<ColumnRole, { readonly part: "latency" }>,
    records: readonly JsonObject[],
  ): void {
    const valueOf = (part: ColumnRole["part"]) => {
      const item = this.#mapped.find((each) => each.role.part === part);
      return item === undefined ? undefined : (record: JsonObject) => seenValue(record, item);
    };
    const latency = valueOf("latency") ?? (() => undefined);
    const column = { name, role, latency, start: valueOf("start"), end: valueOf("end"), isStated: true };
    withUnit(column, { records, ...this.#options });
  }
}

/** True for a path that is the other, or leads into it. */
function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`);
}

/** The role of a mapping, with what the first rows show of it. */
function seenRole(role: ColumnRole, { form, least = 0 }: ColumnSample): ColumnRole {
  if (role.part === "repetition") return { ...role, first: least >= 1 ? 1 : 0 };
  return role.part === "score" && role.kind === undefined ? { ...role, form } : role;
}

/** The value at a path, for a score the score in an object. Throws AmbiguousStepError. */
function mappedValue(record: JsonObject, { path, role }: MappedPath): JsonValue | undefined {
  const value = valueAt(record, path);
  return role.part === "score" && value !== undefined ? scoreValueOf(value) : value;
}

/** The same; undefined where the path is ambiguous. */
export function seenValue(record: JsonObject, item: MappedPath): JsonValue | undefined {
  try {
    return mappedValue(record, item);
  } catch (error) {
    if (error instanceof AmbiguousStepError) return undefined;
    throw error;
  }
}

/** The column into which a path goes; undefined for a path that is a column, or leads to none. */
export function reachedColumn(path: string, columns: ReadonlySet<string>): string | undefined {
  if (columns.has(path)) return undefined;
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const column = path.slice(0, dot);
    if (columns.has(column)) return column;
  }
  return undefined;
}

/** Refuses a mapping of columns that a table does not have. */
export function refuseUnknownColumns(
  columns: readonly string[],
  { file, context, line = 1 }: Pick<TableOptions, "file" | "context"> & { readonly line?: number },
): void {
  if (context.mapping === undefined) return;
  if (context.mapping.rows !== undefined) {
    throw new DataFileError({ file, line }, "the mapping has `rows`, but a table has only one place for rows", {
      advice: "Leave `rows` out of the mapping, or upload the tables separately.",
    });
  }
  const known = new Set(columns);
  const unknown = mappedPaths(context.mapping).filter(
    ({ path }) => !known.has(path) && reachedColumn(path, known) === undefined,
  );
  if (unknown.length === 0) return;
  const names = [...new Set(unknown.map(({ path }) => quotedName(path)))].join(", ");
  const there = columns.slice(0, 20).map(quotedName).join(", ");
  const fault = `the mapping names ${names}, but the only columns are ${there}`;
  throw new DataFileError({ file, line }, fault, { advice: "Correct the mapping." });
}
