import * as z from "zod";
import { LOG_LEVELS, type LogKind, type LogLevel } from "../../contract/deployment.ts";
import { timestamp, type Database, type Page } from "./database.ts";

const Row = z.object({
  id: z.number(),
  timestamp: z.string(),
  level: z.enum(LOG_LEVELS),
  message: z.string(),
});
/** A stored line; the API returns it unchanged. */
export type LogRow = z.infer<typeof Row>;

export interface LogFilter extends Page {
  readonly revisionId: string;
  readonly kind: LogKind;
  /** By time: the oldest first unless `desc`. */
  readonly order?: "asc" | "desc" | null | undefined;
  readonly level?: LogLevel | null | undefined;
  /** Part of the message. */
  readonly query?: string | null | undefined;
}

/** The build and deploy logs of the revisions. */
export class LogStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A line of a deleted revision is dropped. */
  append(revisionId: string, kind: LogKind, level: LogLevel, message: string): void {
    this.#database.run(
      `INSERT INTO log_lines (revision_id, kind, timestamp, level, message)
       SELECT id, :kind, :timestamp, :level, :message FROM revisions WHERE id = :revisionId`,
      { revisionId, kind, timestamp: timestamp(), level, message },
    );
  }

  /** Removes all but the newest `keep` lines of a log. */
  trim(revisionId: string, kind: LogKind, keep: number): void {
    this.#database.run(
      `DELETE FROM log_lines WHERE revision_id = :revisionId AND kind = :kind AND id <=
         (SELECT id FROM log_lines WHERE revision_id = :revisionId AND kind = :kind
          ORDER BY id DESC LIMIT 1 OFFSET :keep)`,
      { revisionId, kind, keep },
    );
  }

  list({ revisionId, kind, order, limit, offset, level = null, query }: LogFilter): readonly LogRow[] {
    return this.#database.all(
      Row,
      `SELECT id, timestamp, level, message FROM log_lines
       WHERE revision_id = :revisionId AND kind = :kind
         AND (:level IS NULL OR level = :level) AND instr(message, :query) > 0
       ORDER BY id ${order === "desc" ? "DESC" : "ASC"} LIMIT :limit OFFSET :offset`,
      { revisionId, kind, level, query: query ?? "", limit, offset },
    );
  }
}
