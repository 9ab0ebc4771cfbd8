import * as z from "zod";
import { formatInstant } from "../../contract/instant.ts";
import type { ExperimentWindow } from "../../contract/experiment-rules.ts";
import { fitting, flag, holds, type Database, type Page } from "../state/database.ts";

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

const FITS = `upload = :upload AND ${holds("json", ":search")}`;

/** A row with a time outside the window. */
const Outside = z.object({ position: z.number(), start: flag, end: flag });
const Text = z.object({ json: z.string() }).transform(({ json }) => json);
const Summary = z.object({ count: z.number(), failed: z.number(), last: z.string().nullable() });
const Seconds = z.object({ seconds: z.number() });

/** The rows of all experiments, and of uploads in progress. */
export class ExperimentRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Within the caller's transaction. */
  insert(upload: number, { position, rowId, start, end, failed, json }: NewRow): void {
    const row = { upload, position, row_id: rowId, start_us: start, end_us: end, failed: failed ? 1 : 0, json };
    this.#database.insert("experiment_rows", row);
  }

  remove(upload: number): void {
    this.#database.run("DELETE FROM experiment_rows WHERE upload = :upload", { upload });
  }

  /** Removes the rows that belong neither to an experiment nor to an upload in progress. */
  removeLeftOver(open: readonly number[]): void {
    this.#database.run(
      `DELETE FROM experiment_rows WHERE upload IN (
         SELECT DISTINCT upload FROM experiment_rows
         WHERE upload NOT IN (SELECT upload FROM experiments) AND upload NOT IN (SELECT value FROM json_each(:open)))`,
      { open: JSON.stringify(open) },
    );
  }

  /**
   * As they were sent, in the order of the upload; fewer than `limit` if they are long. With a search those whose text
   * holds it, in upper or lower case.
   */
  texts(upload: number, { limit, offset, search = "" }: Page): readonly string[] {
    const sql = `SELECT json FROM experiment_rows WHERE ${FITS} ORDER BY position LIMIT :limit OFFSET :offset`;
    return fitting(this.#database.each(Text, sql, { upload, search, limit, offset }), ({ length }) => length);
  }

  count(upload: number, search = ""): number {
    return this.#database.count(`experiment_rows WHERE ${FITS}`, { upload, search });
  }

  /** The first rows with a time outside the window. */
  outside(upload: number, { start, end }: ExperimentWindow, limit: number): readonly z.infer<typeof Outside>[] {
    return this.#database.all(
      Outside,
      `SELECT position, start_us NOT BETWEEN :start AND :end AS start, end_us NOT BETWEEN :start AND :end AS end
       FROM experiment_rows
       WHERE upload = :upload AND (start_us NOT BETWEEN :start AND :end OR end_us NOT BETWEEN :start AND :end)
       ORDER BY position LIMIT :limit`,
      { upload, start, end, limit },
    );
  }

  /** The number of rows and of failed rows, and the latest start. */
  summary(upload: number) {
    const sql = `SELECT count(*) AS count, total(failed) AS failed, CAST(max(start_us) AS TEXT) AS last
      FROM experiment_rows WHERE upload = :upload`;
    const { count = 0, failed = 0, last = null } = this.#database.one(Summary, sql, { upload }) ?? {};
    return { count, failed, lastStart: last === null ? null : formatInstant(BigInt(last)) };
  }

  /** A quantile of the latencies in seconds, interpolated; null without rows. */
  latency(upload: number, quantile: number, count: number): number | null {
    const rank = quantile * (count - 1);
    const sql = `SELECT (end_us - start_us) / 1000000.0 AS seconds FROM experiment_rows WHERE upload = :upload
      ORDER BY end_us - start_us LIMIT 2 OFFSET :offset`;
    const offset = Math.max(0, Math.floor(rank));
    const [below, above = below] = this.#database.all(Seconds, sql, { upload, offset });
    if (!below || !above) return null;
    return below.seconds + (above.seconds - below.seconds) * (rank - Math.floor(rank));
  }
}
