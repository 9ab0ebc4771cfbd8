import * as z from "zod";
import { flag, jsonColumn, timestamp, type Database } from "../state/database.ts";
import { NamedRows } from "../state/rows.ts";
import { ExperimentStatistics } from "./statistics.ts";

const Dataset = z.object({
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
export type DatasetRow = z.infer<typeof Dataset>;

const DATASETS = `SELECT datasets.*,
    (SELECT count(*) FROM experiments WHERE dataset_id = datasets.id) AS session_count,
    (SELECT start_time FROM experiments WHERE dataset_id = datasets.id ORDER BY start_us DESC LIMIT 1)
      AS last_session_start_time
  FROM datasets`;

/** The datasets. Names are unique, as ids are. */
export class DatasetStore extends NamedRows<typeof Dataset> {
  constructor(database: Database) {
    super(database, "datasets", Dataset, { select: DATASETS });
  }

  insert(dataset: Pick<DatasetRow, "description" | "externally_managed" | "id" | "name">): void {
    const now = timestamp();
    const managed = { externally_managed: dataset.externally_managed ? 1 : 0 };
    const facts = { example_count: 0, created_at: now, modified_at: now };
    this.database.insert("datasets", { ...dataset, ...managed, ...facts });
  }

  /** Call it after adding an experiment. The examples of a dataset are the row ids of all its experiments. */
  touch(id: string, description: string | undefined): void {
    this.database.run(
      `UPDATE datasets SET modified_at = :now, description = coalesce(:description, description), example_count = (
         SELECT count(DISTINCT row_id) FROM experiment_rows WHERE upload IN (
           SELECT upload FROM experiments WHERE dataset_id = :id))
       WHERE id = :id`,
      { id, now: timestamp(), description: description ?? null },
    );
  }
}

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

const Experiment = z
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

export type ExperimentRecord = z.infer<typeof Experiment>;

/** An experiment to store; the store assigns its number. */
export interface NewExperiment extends Pick<
  ExperimentRecord,
  "id" | "dataset_id" | "upload" | "statistics" | "counted_at"
> {
  readonly document: z.infer<typeof Document>;
  /** Its start in microseconds. */
  readonly start: bigint;
}

/** The experiments. Names are unique over all datasets. */
export class ExperimentStore extends NamedRows<typeof Experiment> {
  constructor(database: Database) {
    super(database, "experiments", Experiment);
  }

  insert({ document, statistics, ...columns }: NewExperiment): void {
    const { name, start_time } = document;
    this.database.run(
      `INSERT INTO experiments (id, dataset_id, name, start_time, start_us, document, number, upload, statistics,
         counted_at)
       VALUES (:id, :dataset_id, :name, :start_time, :start, :document,
         (SELECT coalesce(max(number), 0) + 1 FROM experiments WHERE dataset_id = :dataset_id),
         :upload, :statistics, :counted_at)`,
      { ...columns, name, start_time, document: JSON.stringify(document), statistics: JSON.stringify(statistics) },
    );
  }

  /** The highest upload number of an experiment, or of rows that an upload left; 0 if there is none. */
  lastUpload(): number {
    const sql = `SELECT max(upload) AS last FROM (
      SELECT max(upload) AS upload FROM experiments UNION ALL SELECT max(upload) FROM experiment_rows)`;
    return this.database.one(z.object({ last: z.number().nullable() }), sql, {})?.last ?? 0;
  }
}
