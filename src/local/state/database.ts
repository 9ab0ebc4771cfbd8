import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import * as z from "zod";

type Values = Readonly<Record<string, SQLInputValue>>;

const Count = z.object({ count: z.number() });

/** A database whose rows are read by a schema. The parameters of a statement have names. */
export class Database extends DatabaseSync {
  // To prepare a statement takes longer than to run it.
  readonly #statements = new Map<string, StatementSync>();

  run(sql: string, values: Values): void {
    this.#statement(sql).run(values);
  }

  /** Returns the number of the row. `conflict` is a clause: what happens where there is such a row. */
  insert(table: string, row: Values, conflict = ""): number {
    const names = Object.keys(row);
    const places = names.map(() => "?").join(", ");
    const insert = this.#statement(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places}) ${conflict}`);
    return Number(insert.run(...Object.values(row)).lastInsertRowid);
  }

  /** Changes the row of a table that has this id. */
  update(table: string, id: string, changes: Values): void {
    const set = Object.keys(changes).map((name) => `${name} = :${name}`);
    this.run(`UPDATE ${table} SET ${set.join(", ")} WHERE id = :id`, { ...changes, id });
  }

  one<Row extends z.ZodType>(schema: Row, sql: string, values: Values): z.output<Row> | undefined {
    const row = this.#statement(sql).get(values);
    return row && schema.parse(row);
  }

  all<Row extends z.ZodType>(schema: Row, sql: string, values: Values): readonly z.output<Row>[] {
    return this.#statement(sql)
      .all(values)
      .map((row) => schema.parse(row));
  }

  /** Each row when it is asked for. */
  *each<Row extends z.ZodType>(schema: Row, sql: string, values: Values): Generator<z.output<Row>> {
    // Not a kept statement, which somebody else may run in between.
    for (const row of this.prepare(sql).iterate(values)) yield schema.parse(row);
  }

  /** How many rows there are: `from` is a table with its conditions. */
  count(from: string, values: Values): number {
    return this.one(Count, `SELECT count(*) AS count FROM ${from}`, values)?.count ?? 0;
  }

  #statement(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** A column with 0 or 1. */
export const flag = z.number().transform((value) => value === 1);

/** A column with JSON. */
export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
}

/** The condition that an expression holds the text of a parameter, in upper or lower case; the empty text is in each. */
export function holds(expression: string, parameter: string): string {
  return `(${parameter} = '' OR instr(lower(${expression}), lower(${parameter})) > 0)`;
}

/** A part of a list. */
export interface Page {
  /** -1 for all from `offset` on. */
  readonly limit: number;
  readonly offset: number;
  /** What its items hold, in upper or lower case. */
  readonly search?: string | undefined;
}

export const ALL: Page = { limit: -1, offset: 0 };

const PAGE_CHARACTERS = 32 * 1024 * 1024;

/** The first items, and at least one; fewer than there are if their texts are long. */
export function fitting<Item>(items: Iterable<Item>, charactersOf: (item: Item) => number): readonly Item[] {
  const fit: Item[] = [];
  let characters = 0;
  for (const item of items) {
    characters += charactersOf(item);
    if (fit.length > 0 && characters > PAGE_CHARACTERS) break;
    fit.push(item);
  }
  return fit;
}

/** A time as the service writes it; now by default. */
export function timestamp(milliseconds = Date.now()): string {
  return new Date(milliseconds).toISOString();
}

/** Runs the work in a transaction. It must be synchronous: all share one connection. */
export function atomically<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // When the disk is full, SQLite has rolled back by itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
