import * as z from "zod";
import { jsonColumn, type Database } from "../state/database.ts";
import { NamedRows } from "../state/rows.ts";
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

/** The experiments. Names are unique over all datasets. */
export class ExperimentStore extends NamedRows<typeof Row> {
  constructor(database: Database) {
    super(database, "experiments", Row);
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
