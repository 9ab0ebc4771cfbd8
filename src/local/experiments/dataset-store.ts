import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { countRows, flag, timestamp, type Page } from "../state/database.ts";
import { NAME_FITS, nameConditions, type NameFilter } from "../state/name-filter.ts";

const Row = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  externally_managed: flag,
  example_count: z.number(),
  created_at: z.string(),
  modified_at: z.string(),
  session_count: z.number(),
  last_session_start_time: z.string().nullable(),
});

/** A stored dataset, with counts of its experiments. */
export type DatasetRow = z.infer<typeof Row>;

const SELECT = `SELECT datasets.*,
    (SELECT count(*) FROM experiments WHERE dataset_id = datasets.id) AS session_count,
    (SELECT start_time FROM experiments WHERE dataset_id = datasets.id ORDER BY start_us DESC LIMIT 1)
      AS last_session_start_time
  FROM datasets`;

/** The datasets. Names are unique, as ids are. */
export class DatasetStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  insert(dataset: {
    readonly id: string;
    readonly name: string;
    readonly description: string | null;
    readonly externallyManaged: boolean;
  }): void {
    const now = timestamp();
    const { id, name, description, externallyManaged } = dataset;
    this.#database
      .prepare(
        `INSERT INTO datasets (id, name, description, externally_managed, example_count, created_at, modified_at)
         VALUES (?, ?, ?, ?, 0, ?, ?)`,
      )
      .run(id, name, description, externallyManaged ? 1 : 0, now, now);
  }

  get(id: string): DatasetRow | undefined {
    return this.#one("id = ?", id);
  }

  byName(name: string): DatasetRow | undefined {
    return this.#one("name = ?", name);
  }

  /** Newest first. */
  list({ limit, offset, ...filter }: NameFilter & Page): readonly DatasetRow[] {
    return this.#database
      .prepare(`${SELECT} WHERE ${NAME_FITS} ORDER BY seq DESC LIMIT :limit OFFSET :offset`)
      .all({ ...nameConditions(filter), limit, offset })
      .map((row) => Row.parse(row));
  }

  count(filter: NameFilter = {}): number {
    return countRows(this.#database, `datasets WHERE ${NAME_FITS}`, nameConditions(filter));
  }

  /** Call it after adding an experiment. The examples of a dataset are the row ids of all its experiments. */
  touch(id: string, description: string | undefined): void {
    this.#database
      .prepare(
        `UPDATE datasets SET modified_at = :now, description = coalesce(:description, description), example_count = (
           SELECT count(DISTINCT row_id) FROM experiment_rows WHERE upload IN (
             SELECT upload FROM experiments WHERE dataset_id = :id))
         WHERE id = :id`,
      )
      .run({ id, now: timestamp(), description: description ?? null });
  }

  #one(condition: string, value: string): DatasetRow | undefined {
    const row = this.#database.prepare(`${SELECT} WHERE ${condition}`).get(value);
    return row && Row.parse(row);
  }
}
