import type { DatabaseSync, StatementSync } from "node:sqlite";
import * as z from "zod";
import { formatInstant } from "../../contract/instant.ts";
import type { ExperimentWindow } from "../../contract/experiment-rules.ts";
import { countRows, flag, holds, type Page } from "../state/database.ts";

/** A row to store. Its text stays as sent, so that no number in it changes. */
export interface NewRow {
  readonly position: number;
  /** In lower case. */
  readonly rowId: string;
  /** Microseconds since the epoch. */
  readonly start: bigint;
  readonly end: bigint;
  readonly failed: boolean;
  readonly json: string;
}

/** A part of the rows, all or those that fit a search. */
export interface RowPage extends Page {
  readonly search?: string;
}

const FITS = `upload = :upload AND ${holds("json", ":search")}`;

/** A row with a time outside the window. */
const Outside = z.object({ position: z.number(), start: flag, end: flag });
const Text = z.object({ json: z.string() });
const Summary = z.object({ count: z.number(), failed: z.number().nullable(), last: z.string().nullable() });
const Seconds = z.object({ seconds: z.number() });

/** The rows of all experiments, and of uploads in progress. */
export class ExperimentRows {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insert = database.prepare(
      "INSERT INTO experiment_rows (upload, position, row_id, start_us, end_us, failed, json) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
  }

  /** Within the caller's transaction. */
  insert(upload: number, { position, rowId, start, end, failed, json }: NewRow): void {
    this.#insert.run(upload, position, rowId, start, end, failed ? 1 : 0, json);
  }

  remove(upload: number): void {
    this.#database.prepare("DELETE FROM experiment_rows WHERE upload = ?").run(upload);
  }

  /** Removes the rows that belong neither to an experiment nor to an upload in progress. */
  removeLeftOver(open: readonly number[]): void {
    this.#database
      .prepare(
        `DELETE FROM experiment_rows WHERE upload IN (
           SELECT DISTINCT upload FROM experiment_rows
           WHERE upload NOT IN (SELECT upload FROM experiments) AND upload NOT IN (SELECT value FROM json_each(?)))`,
      )
      .run(JSON.stringify(open));
  }

  /** In the order of the upload; with a search those whose text holds it, in upper or lower case. */
  *texts(upload: number, { limit, offset, search = "" }: RowPage): Generator<string> {
    const rows = this.#database
      .prepare(`SELECT json FROM experiment_rows WHERE ${FITS} ORDER BY position LIMIT :limit OFFSET :offset`)
      .iterate({ upload, search, limit, offset });
    for (const row of rows) yield Text.parse(row).json;
  }

  count(upload: number, search: string): number {
    return countRows(this.#database, `experiment_rows WHERE ${FITS}`, { upload, search });
  }

  /** The first rows with a time outside the window. */
  outside(upload: number, { start, end }: ExperimentWindow, limit: number): readonly z.infer<typeof Outside>[] {
    return this.#database
      .prepare(
        `SELECT position, start_us NOT BETWEEN :start AND :end AS start, end_us NOT BETWEEN :start AND :end AS end
         FROM experiment_rows
         WHERE upload = :upload AND (start_us NOT BETWEEN :start AND :end OR end_us NOT BETWEEN :start AND :end)
         ORDER BY position LIMIT :limit`,
      )
      .all({ upload, start, end, limit })
      .map((row) => Outside.parse(row));
  }

  /** The number of rows and of failed rows, and the latest start. */
  summary(upload: number) {
    const row = this.#database
      .prepare(
        `SELECT count(*) AS count, sum(failed) AS failed, CAST(max(start_us) AS TEXT) AS last
         FROM experiment_rows WHERE upload = ?`,
      )
      .get(upload);
    const { count, failed, last } = Summary.parse(row);
    return { count, failed: failed ?? 0, lastStart: last === null ? null : formatInstant(BigInt(last)) };
  }

  /** A quantile of the latencies in seconds, interpolated; null without rows. */
  latency(upload: number, quantile: number, count: number): number | null {
    const rank = quantile * (count - 1);
    const [below, above] = this.#database
      .prepare(
        `SELECT (end_us - start_us) / 1000000.0 AS seconds FROM experiment_rows WHERE upload = ?
         ORDER BY end_us - start_us LIMIT 2 OFFSET ?`,
      )
      .all(upload, Math.max(0, Math.floor(rank)))
      .map((row) => Seconds.parse(row).seconds);
    if (below === undefined) return null;
    return below + ((above ?? below) - below) * (rank - Math.floor(rank));
  }
}
