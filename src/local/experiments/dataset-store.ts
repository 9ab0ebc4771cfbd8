import * as z from "zod";
import { flag, timestamp, type Database } from "../state/database.ts";
import { NamedRows } from "../state/rows.ts";

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
export class DatasetStore extends NamedRows<typeof Row> {
  constructor(database: Database) {
    super(database, "datasets", Row, { select: SELECT });
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
