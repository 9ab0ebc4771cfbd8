import { roleOfKind, type ColumnKind, type ColumnRole, type RoleOfName, type ValueKind } from "../columns.ts";
import type { FormatContext } from "../format.ts";
import { ColumnsError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import { quoted } from "../quoted-name.ts";
import { proposeMapping, type SeenColumn } from "./table/mapping-proposal.ts";

/** What tells one kind of table from another. */
export interface TableDialect {
  /** The roles that names tell, given all names that were seen. */
  readonly rolesOfNames: (names: readonly string[]) => RoleOfName;
  readonly kindOf: (value: JsonValue) => ValueKind;
  /** The value as it goes into a row; undefined for nothing. */
  readonly valueFor: (role: ColumnRole, value: JsonValue) => JsonValue | undefined;
  /** The role of a column that has no value in any of the first records; without it, the first value decides. */
  readonly roleOfNothing?: (name: string) => ColumnRole;
}

/** What a table is read with. */
export interface TableOptions {
  /** The name of the file. */
  readonly file: string;
  readonly dialect: TableDialect;
  readonly context: FormatContext;
}

/** What each column of a table is: decided by the first records, reported, and kept to the end. */
export class TableColumns {
  readonly #options: TableOptions;
  readonly #roleOfName: RoleOfName;
  readonly #roles = new Map<string, ColumnRole>();

  /** Throws `DataFileError` when no column holds the inputs. */
  constructor(first: readonly JsonObject[], options: TableOptions) {
    this.#options = options;
    const { file, dialect, context } = options;
    const kinds = kindsOf(first, dialect);
    this.#roleOfName = dialect.rolesOfNames([...kinds.keys()]);
    for (const [name, kind] of kinds) this.#decide(name, kind);
    const hasInputs = [...this.#roles.values()].some(({ part }) => part === "inputs");
    if (kinds.size > 0 && !hasInputs) {
      throw withoutInputs(
        file,
        [...kinds].map(([name, kind]) => ({ name, kind, role: this.#roles.get(name) })),
      );
    }
    const undecided = [...kinds.keys()].filter((name) => !this.#roles.has(name));
    const columns = [...this.#roles].map(([name, role]) => ({ name, role }));
    context.columns(columns, undecided);
  }

  /** The role of a column, in which `value` stands; undefined for one that was empty up to here. */
  roleOf(name: string, value: JsonValue): ColumnRole | undefined {
    const known = this.#roles.get(name);
    if (known !== undefined) return known;
    const role = this.#decide(name, this.#options.dialect.kindOf(value));
    if (role === undefined) return undefined;
    this.#options.context.columns([{ name, role }], []);
    return role;
  }

  #decide(name: string, kind: ColumnKind): ColumnRole | undefined {
    const { file, dialect, context } = this.#options;
    let role = this.#roleOfName(name);
    if (role === undefined) {
      role = kind === "nothing" ? dialect.roleOfNothing?.(name) : roleOfKind(name, kind);
      if (kind === "mixed") {
        const what = "holds numbers and texts, so it is metadata and no score; the input `mapping` can say otherwise";
        context.warn(`${file}: the column ${quoted(name)} ${what}.`);
      }
    }
    if (role !== undefined) this.#roles.set(name, role);
    return role;
  }
}

function kindsOf(records: readonly JsonObject[], dialect: TableDialect): ReadonlyMap<string, ColumnKind> {
  const kinds = new Map<string, ColumnKind>();
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      const before = kinds.get(name) ?? "nothing";
      const now = dialect.kindOf(value);
      kinds.set(name, both(before, now));
    }
  }
  return kinds;
}

function both(before: ColumnKind, now: ValueKind): ColumnKind {
  if (before === "nothing" || before === now) return now;
  if (now === "nothing" || before === "mixed") return before;
  return before === "number" || now === "number" ? "mixed" : "text";
}

function withoutInputs(file: string, columns: readonly SeenColumn[]): ColumnsError {
  const shown = columns
    .slice(0, 20)
    .map(({ name }) => quoted(name))
    .join(", ");
  const fault = `no column holds the inputs: none is called \`input\` or \`inputs.…\`, and there are ${shown}`;
  const advice = "Rename a column, or say in the input `mapping` where the inputs stand.";
  return new ColumnsError({ file }, fault, { advice, mapping: proposeMapping(columns) });
}
