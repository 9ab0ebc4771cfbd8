import { randomUUID } from "node:crypto";
import * as z from "zod";
import { timestamp, type Database } from "../state/database.ts";
import { NamedRows } from "../state/rows.ts";
import { isUuid } from "../../contract/uuid.ts";
import { HttpError } from "../http/error.ts";
import type { RunChange } from "./change.ts";

const Seq = z.object({ seq: z.number() });
const Row = z.object({
  seq: z.number(),
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  run_count: z.number(),
  trace_count: z.number(),
  last_start_ms: z.number().nullable(),
});

/** A stored project, with counts of its runs. */
export type ProjectRow = z.infer<typeof Row>;

// The project of runs that name none, as in public clients.
const DEFAULT_NAME = "default";

const NUMBER = /^\d{1,15}$/;

const SELECT = `SELECT sessions.*,
    (SELECT count(*) FROM runs WHERE session = sessions.seq) AS run_count,
    (SELECT count(*) FROM runs WHERE session = sessions.seq AND id = trace_id AND made = 1) AS trace_count,
    (SELECT max(start_ms) FROM runs WHERE session = sessions.seq AND id = trace_id AND made = 1) AS last_start_ms
  FROM sessions`;

/** The projects, which the wire calls sessions. The first run that names one creates it. Ids and names are unique. */
export class ProjectStore extends NamedRows<typeof Row> {
  constructor(database: Database) {
    super(database, "sessions", Row, { select: SELECT });
  }

  /** The number of the project of a new run: the one it names, that of its trace, or the default. */
  seqFor({ id: runId, place, project }: Pick<RunChange, "id" | "place" | "project">): number {
    const { id, name } = project;
    if (id !== undefined) {
      const known = this.#seq("SELECT seq FROM sessions WHERE id = :id", { id });
      if (known !== undefined) return known;
      if (name !== undefined && this.seqNamed(name) !== undefined) {
        throw new HttpError(422, `run ${runId}: session_name is the name of a project with another id than session_id`);
      }
      return this.#create(id, name ?? this.#nameFor(id));
    }
    if (name === undefined) {
      const sql = "SELECT session AS seq FROM runs WHERE trace_id = :traceId AND session NOTNULL LIMIT 1";
      const ofTrace = this.#seq(sql, { traceId: place.traceId });
      if (ofTrace !== undefined) return ofTrace;
    }
    const wanted = name ?? DEFAULT_NAME;
    return this.seqNamed(wanted) ?? this.#create(randomUUID(), wanted);
  }

  /** The project of a page, by what `projectPath` has of it. */
  keyed(key: string): ProjectRow | undefined {
    if (isUuid(key)) return this.get(key.toLowerCase());
    if (!NUMBER.test(key)) return undefined;
    return this.database.one(Row, `${SELECT} WHERE seq = :seq`, { seq: Number(key) });
  }

  /** Without the counts of `byName`, which walk over all runs of the project. */
  seqNamed(name: string): number | undefined {
    return this.#seq("SELECT seq FROM sessions WHERE name = :name", { name });
  }

  /** A project that only its id names is called by the id, unless another has this name. */
  #nameFor(id: string): string {
    const name = id.trim() === "" ? "unnamed" : id;
    return this.seqNamed(name) === undefined ? name : `${name} (${randomUUID()})`;
  }

  #create(id: string, name: string): number {
    return this.database.insert("sessions", { id, name, created_at: timestamp() });
  }

  // Without the counts, which would be taken again for each run that is sent.
  #seq(sql: string, values: Readonly<Record<string, string>>): number | undefined {
    return this.database.one(Seq, sql, values)?.seq;
  }
}
