import { randomUUID } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import * as z from "zod";
import { countRows, timestamp, type Page } from "../state/database.ts";
import { NAME_FITS, nameConditions, type NameFilter } from "../state/name-filter.ts";
import { isUuid } from "../../contract/uuid.ts";
import { HttpError } from "../http/error.ts";
import type { RunChange } from "./change.ts";

const Seq = z.object({ seq: z.number() });
const Row = z.object({
  seq: z.number(),
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
});
const Counted = Row.extend({
  run_count: z.number(),
  trace_count: z.number(),
  last_start_ms: z.number().nullable(),
});

/** A stored project. */
export type ProjectRow = z.infer<typeof Row>;

/** A project with counts of its runs. */
export type CountedProject = z.infer<typeof Counted>;

// The project of runs that name none, as in public clients.
const DEFAULT_NAME = "default";

const NUMBER = /^\d{1,15}$/;

const SELECT = `SELECT sessions.*,
    (SELECT count(*) FROM runs WHERE session = sessions.seq) AS run_count,
    (SELECT count(*) FROM runs WHERE session = sessions.seq AND id = trace_id AND made = 1) AS trace_count,
    (SELECT max(start_ms) FROM runs WHERE session = sessions.seq AND id = trace_id AND made = 1) AS last_start_ms
  FROM sessions`;

/** The projects, which the wire calls sessions. The first run that names one creates it. Ids and names are unique. */
export class ProjectStore {
  readonly #database: DatabaseSync;
  readonly #byName: StatementSync;
  readonly #byId: StatementSync;
  readonly #ofTrace: StatementSync;
  readonly #insert: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#byName = database.prepare("SELECT * FROM sessions WHERE name = ?");
    this.#byId = database.prepare("SELECT * FROM sessions WHERE id = ?");
    this.#ofTrace = database.prepare("SELECT session AS seq FROM runs WHERE trace_id = ? AND session NOTNULL LIMIT 1");
    this.#insert = database.prepare("INSERT INTO sessions (id, name, created_at) VALUES (?, ?, ?)");
  }

  /** The number of the project of a new run: the one it names, that of its trace, or the default. */
  seqFor({ id: runId, place, project }: Pick<RunChange, "id" | "place" | "project">): number {
    const { id, name } = project;
    if (id !== undefined) {
      const known = this.get(id);
      if (known) return known.seq;
      if (name !== undefined && this.byName(name)) {
        throw new HttpError(422, `run ${runId}: session_name is the name of a project with another id than session_id`);
      }
      return this.#create(id, name ?? this.#nameFor(id));
    }
    if (name === undefined) {
      const row = this.#ofTrace.get(place.traceId);
      if (row) return Seq.parse(row).seq;
    }
    const wanted = name ?? DEFAULT_NAME;
    return this.byName(wanted)?.seq ?? this.#create(randomUUID(), wanted);
  }

  get(id: string): ProjectRow | undefined {
    const row = this.#byId.get(id);
    return row && Row.parse(row);
  }

  byName(name: string): ProjectRow | undefined {
    const row = this.#byName.get(name);
    return row && Row.parse(row);
  }

  /** Newest first. */
  list({ limit, offset, ...filter }: NameFilter & Page): readonly CountedProject[] {
    const rows = this.#database
      .prepare(`${SELECT} WHERE ${NAME_FITS} ORDER BY seq DESC LIMIT :limit OFFSET :offset`)
      .all({ ...nameConditions(filter), limit, offset });
    return rows.map((row) => Counted.parse(row));
  }

  counted(id: string): CountedProject | undefined {
    const row = this.#database.prepare(`${SELECT} WHERE id = ?`).get(id);
    return row && Counted.parse(row);
  }

  /** The project of a page, by what `projectPath` has of it. */
  keyed(key: string): CountedProject | undefined {
    if (isUuid(key)) return this.counted(key.toLowerCase());
    if (!NUMBER.test(key)) return undefined;
    const row = this.#database.prepare(`${SELECT} WHERE seq = ?`).get(Number(key));
    return row && Counted.parse(row);
  }

  count(filter: NameFilter = {}): number {
    return countRows(this.#database, `sessions WHERE ${NAME_FITS}`, nameConditions(filter));
  }

  /** A project that only its id names is called by the id, unless another has this name. */
  #nameFor(id: string): string {
    const name = id.trim() === "" ? "unnamed" : id;
    return this.byName(name) ? `${name} (${randomUUID()})` : name;
  }

  #create(id: string, name: string): number {
    return Number(this.#insert.run(id, name, timestamp()).lastInsertRowid);
  }
}
