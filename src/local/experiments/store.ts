import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { countRows, jsonColumn, type Page } from "../state/database.ts";
import { NAME_FITS, nameConditions, type NameFilter } from "../state/name-filter.ts";
import { ExperimentStatistics } from "./statistics.ts";

/** What an upload says of its experiment. JSON of the client stays the text that was sent, so that no number in it changes. */
const Document = z.object({
  name: z.string(),
  description: z.string().nullable(),
  start_time: z.string(),
  end_time: z.string(),
  /** A JSON object. */
  metadata: z.string().nullable(),
  /** A JSON list. */
  summary_scores: z.string().nullable(),
});

const Row = z
  .object({
    id: z.string(),
    dataset_id: z.string(),
    document: jsonColumn(Document),
    /** The number of the experiment in its dataset, from 1. */
    number: z.number(),
    /** Identifies its rows. */
    upload: z.number(),
    statistics: jsonColumn(ExperimentStatistics),
    /** When the statistics appear, milliseconds since the epoch. */
    counted_at: z.number(),
  })
  .transform(({ document, ...columns }) => ({ ...document, ...columns }));

/** A stored experiment. */
export type ExperimentRecord = z.infer<typeof Row>;

/** An experiment to store; the store assigns its number. */
export interface NewExperiment extends Pick<
  ExperimentRecord,
  "id" | "dataset_id" | "upload" | "statistics" | "counted_at"
> {
  readonly document: z.infer<typeof Document>;
  /** Its start in microseconds. */
  readonly start: bigint;
}

/** Which experiments are meant; an absent condition fits all. */
export interface ExperimentFilter extends NameFilter {
  /** Any of these. */
  readonly datasetIds?: readonly string[] | undefined;
}

const FITS = `${NAME_FITS} AND (:datasets IS NULL OR dataset_id IN (SELECT value FROM json_each(:datasets)))`;

function conditionsOf({ datasetIds, ...filter }: ExperimentFilter) {
  return { ...nameConditions(filter), datasets: datasetIds ? JSON.stringify(datasetIds) : null };
}

/** The experiments. Names are unique over all datasets. */
export class ExperimentStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  insert(experiment: NewExperiment): void {
    const { document, statistics, ...columns } = experiment;
    this.#database
      .prepare(
        `INSERT INTO experiments (id, dataset_id, name, start_time, start_us, document, number, upload, statistics,
           counted_at)
         VALUES (:id, :dataset_id, :name, :start_time, :start, :document,
           (SELECT coalesce(max(number), 0) + 1 FROM experiments WHERE dataset_id = :dataset_id),
           :upload, :statistics, :counted_at)`,
      )
      .run({
        ...columns,
        name: document.name,
        start_time: document.start_time,
        document: JSON.stringify(document),
        statistics: JSON.stringify(statistics),
      });
  }

  get(id: string): ExperimentRecord | undefined {
    return this.#one("id", id);
  }

  byName(name: string): ExperimentRecord | undefined {
    return this.#one("name", name);
  }

  /** Newest first. */
  list(datasetId: string, { limit, offset }: Page) {
    return this.#database
      .prepare("SELECT * FROM experiments WHERE dataset_id = ? ORDER BY seq DESC LIMIT ? OFFSET ?")
      .all(datasetId, limit, offset)
      .map((row): ExperimentRecord => Row.parse(row));
  }

  /** Those of all datasets that fit, newest first. */
  find(filter: ExperimentFilter, { limit, offset }: Page) {
    return this.#database
      .prepare(`SELECT * FROM experiments WHERE ${FITS} ORDER BY seq DESC LIMIT :limit OFFSET :offset`)
      .all({ ...conditionsOf(filter), limit, offset })
      .map((row): ExperimentRecord => Row.parse(row));
  }

  count(filter: ExperimentFilter): number {
    return countRows(this.#database, `experiments WHERE ${FITS}`, conditionsOf(filter));
  }

  /** The highest upload number of an experiment, or of rows that an upload left; 0 if there is none. */
  lastUpload(): number {
    const row = this.#database
      .prepare(
        `SELECT coalesce(max(upload), 0) AS last FROM (
           SELECT max(upload) AS upload FROM experiments UNION ALL SELECT max(upload) FROM experiment_rows)`,
      )
      .get();
    return z.object({ last: z.number() }).parse(row).last;
  }

  #one(column: "id" | "name", value: string): ExperimentRecord | undefined {
    const row = this.#database.prepare(`SELECT * FROM experiments WHERE ${column} = ?`).get(value);
    return row && Row.parse(row);
  }
}
