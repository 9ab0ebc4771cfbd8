import type * as z from "zod";
import { holds, type Database, type Page } from "./database.ts";

/** Which rows are meant; an absent condition fits all. */
export interface RowFilter {
  readonly name?: string | undefined;
  /** What is looked for in its name, or in its id, status and message: in upper or lower case. */
  readonly search?: string | undefined;
  /** Any of these; none of all for an empty list. */
  readonly ids?: readonly string[] | undefined;
  /** Of experiments: any of these. */
  readonly datasetIds?: readonly string[] | undefined;
  /** Of revisions: those of this deployment, and in any of these statuses. */
  readonly deploymentId?: string | undefined;
  readonly statuses?: readonly string[] | undefined;
  /** Only those created before this time. */
  readonly createdBefore?: string | undefined;
}

/** The rows of a table that have an id each. */
export class Rows<Row extends z.ZodType> {
  protected readonly database: Database;
  readonly #table: string;
  readonly #schema: Row;
  readonly #select: string;
  readonly #found: string;

  /** `searched`: the text of a row that a search looks at. */
  constructor(
    database: Database,
    table: string,
    schema: Row,
    {
      select = `SELECT * FROM ${table}`,
      searched = "name",
    }: { readonly select?: string; readonly searched?: string } = {},
  ) {
    this.database = database;
    this.#table = table;
    this.#schema = schema;
    this.#select = select;
    this.#found = holds(searched, ":search");
  }

  get(id: string): z.output<Row> | undefined {
    return this.database.one(this.#schema, `${this.#select} WHERE id = :id`, { id });
  }

  /** Newest first. */
  list(filter: RowFilter & Page): readonly z.output<Row>[] {
    const { limit, offset } = filter;
    const { fits, values } = this.#conditionsOf(filter);
    const sql = `${this.#select} WHERE ${fits} ORDER BY seq DESC LIMIT :limit OFFSET :offset`;
    return this.database.all(this.#schema, sql, { ...values, limit, offset });
  }

  count(filter: RowFilter = {}): number {
    const { fits, values } = this.#conditionsOf(filter);
    return this.database.count(`${this.#table} WHERE ${fits}`, values);
  }

  #conditionsOf(filter: RowFilter) {
    const fits = ["TRUE"];
    const values: Record<string, string> = {};
    for (const [name, condition] of [...CONDITIONS, ["search", this.#found] as const]) {
      const value = filter[name];
      if (value === undefined) continue;
      fits.push(condition);
      values[name] = typeof value === "string" ? value : JSON.stringify(value);
    }
    return { fits: fits.join(" AND "), values };
  }
}

/** Those that have a name each, too. Ids and names are unique. */
export class NamedRows<Row extends z.ZodType> extends Rows<Row> {
  byName(name: string): z.output<Row> | undefined {
    return this.list({ name, limit: 1, offset: 0 })[0];
  }
}

const CONDITIONS = [
  ["name", "name = :name"],
  ["ids", "id IN (SELECT value FROM json_each(:ids))"],
  ["datasetIds", "dataset_id IN (SELECT value FROM json_each(:datasetIds))"],
  ["deploymentId", "deployment_id = :deploymentId"],
  ["statuses", "status IN (SELECT value FROM json_each(:statuses))"],
  ["createdBefore", "created_at <= :createdBefore"],
] as const;
