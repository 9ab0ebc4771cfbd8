import type * as z from "zod";
import { holds, type Database, type Page } from "./database.ts";

/** Which rows are meant; an absent condition fits all. */
export interface RowFilter {
  readonly name?: string | undefined;
  /** What its name holds, in upper or lower case. */
  readonly search?: string | undefined;
  /** Any of these; none of all for an empty list. */
  readonly ids?: readonly string[] | undefined;
  /** Of experiments: any of these. */
  readonly datasetIds?: readonly string[] | undefined;
  /** Only those created before this time. */
  readonly createdBefore?: string | undefined;
}

/** The rows of a table that have an id and a name each, both unique. */
export class NamedRows<Row extends z.ZodType> {
  protected readonly database: Database;
  readonly #table: string;
  readonly #schema: Row;
  readonly #select: string;

  constructor(database: Database, table: string, schema: Row, select = `SELECT * FROM ${table}`) {
    this.database = database;
    this.#table = table;
    this.#schema = schema;
    this.#select = select;
  }

  get(id: string): z.output<Row> | undefined {
    return this.database.one(this.#schema, `${this.#select} WHERE id = :id`, { id });
  }

  byName(name: string): z.output<Row> | undefined {
    return this.database.one(this.#schema, `${this.#select} WHERE name = :name`, { name });
  }

  /** Newest first. */
  list(filter: RowFilter & Page): readonly z.output<Row>[] {
    const { limit, offset } = filter;
    const { fits, values } = conditionsOf(filter);
    const sql = `${this.#select} WHERE ${fits} ORDER BY seq DESC LIMIT :limit OFFSET :offset`;
    return this.database.all(this.#schema, sql, { ...values, limit, offset });
  }

  count(filter: RowFilter = {}): number {
    const { fits, values } = conditionsOf(filter);
    return this.database.count(`${this.#table} WHERE ${fits}`, values);
  }
}

const CONDITIONS = [
  ["name", "name = :name"],
  ["search", holds("name", ":search")],
  ["ids", "id IN (SELECT value FROM json_each(:ids))"],
  ["datasetIds", "dataset_id IN (SELECT value FROM json_each(:datasetIds))"],
  ["createdBefore", "created_at <= :createdBefore"],
] as const;

function conditionsOf(filter: RowFilter) {
  const fits = ["TRUE"];
  const values: Record<string, string> = {};
  for (const [name, condition] of CONDITIONS) {
    const value = filter[name];
    if (value === undefined) continue;
    fits.push(condition);
    values[name] = typeof value === "string" ? value : JSON.stringify(value);
  }
  return { fits: fits.join(" AND "), values };
}
