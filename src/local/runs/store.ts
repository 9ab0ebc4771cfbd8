import type { DatabaseSync, StatementSync } from "node:sqlite";
import * as z from "zod";
import { parseDottedOrder } from "../../contract/dotted-order.ts";
import { PART_FIELDS } from "../../contract/run.ts";
import { endsBeforeStart } from "../../contract/run-rules.ts";
import { HttpError } from "../http/error.ts";
import { membersOf } from "../http/raw-json.ts";
import { countRows, flag, holds, type Page } from "../state/database.ts";
import { microsecondsOf, type JsonFields, type RunChange } from "./change.ts";
import type { RunAttachment } from "./form.ts";
import type { ProjectStore } from "./project-store.ts";

const text = z.string().nullable();

const Row = z.object({
  id: z.string(),
  trace_id: z.string(),
  parent_id: text,
  dotted_order: z.string(),
  session_id: z.string(),
  session_name: z.string(),
  name: text,
  run_type: text,
  /** Milliseconds since 1970, with a fraction. */
  start_ms: z.number(),
  /** Null while it runs. */
  end_ms: z.number().nullable(),
  failed: flag,
  /** A JSON object as text: the fields without a column. */
  fields: z.string(),
  inputs: text,
  outputs: text,
  events: text,
});
const Root = Row.omit({ fields: true, inputs: true, outputs: true, events: true }).extend({
  run_count: z.number(),
  failed_count: z.number(),
});
const Attachment = z.object({ runId: z.string(), name: z.string(), type: z.string(), bytes: z.number() });
const Span = z.object({ start_ms: z.number().nullable(), end_ms: z.number().nullable(), open: z.number() });

/** A stored run; JSON texts are as they were sent. */
export type RunRow = z.infer<typeof Row>;

/** The root of a trace, with counts of its runs. */
export type TraceRow = z.infer<typeof Root>;

const HEAD = `runs.id, trace_id, parent_id, dotted_order, sessions.id AS session_id, sessions.name AS session_name,
  runs.name, run_type, start_ms, end_ms, failed`;
const WHOLE = `SELECT ${HEAD}, fields, ${PART_FIELDS.join(", ")}
  FROM runs JOIN sessions ON sessions.seq = runs.session`;
const COUNTS = `(SELECT count(*) FROM runs AS all_runs WHERE all_runs.trace_id = runs.trace_id AND made = 1) AS run_count,
  (SELECT count(*) FROM runs AS bad WHERE bad.trace_id = runs.trace_id AND failed = 1 AND made = 1) AS failed_count`;

const ROOT_FITS = `session = :project AND runs.id = trace_id AND made = 1
  AND ${holds("coalesce(nullif(runs.name, ''), runs.id)", ":search")}`;

export type RunFilter = { readonly traceId: string } | { readonly project: number };

const Stored = z.object({
  made: flag,
  trace_id: z.string(),
  parent_id: z.string().nullable(),
  dotted_order: z.string(),
  fields: z.string(),
});

/** What a change needs of the stored run. */
export type StoredRun = z.infer<typeof Stored>;

const COLUMNS = [
  ...["id", "made", "session", "trace_id", "parent_id", "dotted_order"],
  ...["name", "run_type", "start_ms", "end_ms", "failed", "fields", "inputs", "outputs", "events"],
];

/** Writes runs, within the caller's transaction. */
export class RunStore {
  readonly #projects: ProjectStore;
  readonly #stored: StatementSync;
  readonly #insert: StatementSync;
  readonly #complete: StatementSync;
  readonly #add: StatementSync;
  readonly #attach: StatementSync;

  constructor(database: DatabaseSync, projects: ProjectStore) {
    this.#projects = projects;
    this.#stored = database.prepare("SELECT made, trace_id, parent_id, dotted_order, fields FROM runs WHERE id = ?");
    this.#insert = database.prepare(
      `INSERT INTO runs (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`,
    );
    // An update that arrived before its run is still newer than the run.
    this.#complete = database.prepare(
      `UPDATE runs SET made = 1, session = ?, trace_id = ?, parent_id = ?, dotted_order = ?,
         name = ?, run_type = ?, start_ms = ?, end_ms = ?, failed = ?, fields = ?,
         inputs = coalesce(inputs, ?), outputs = coalesce(outputs, ?), events = coalesce(events, ?) WHERE id = ?`,
    );
    this.#add = database.prepare(
      `UPDATE runs SET name = ?, run_type = ?, start_ms = ?, end_ms = ?, failed = ?, fields = ?,
         inputs = coalesce(?, inputs), outputs = coalesce(?, outputs), events = coalesce(?, events) WHERE id = ?`,
    );
    this.#attach = database.prepare(
      "INSERT OR REPLACE INTO run_attachments (run_id, name, type, bytes) VALUES (?, ?, ?, ?)",
    );
  }

  stored(id: string): StoredRun | undefined {
    const row = this.#stored.get(id);
    return row && Stored.parse(row);
  }

  /** Creates a run, and merges updates that arrived before. False if it exists already; then it is unchanged. */
  make(change: RunChange): boolean {
    const { id, place, parts, fields } = change;
    const stored = this.stored(id);
    if (stored?.made === true) return false;
    const where = [this.#projects.seqFor(change), place.traceId, place.parentId, place.dottedOrder];
    const texts = [parts.inputs ?? null, parts.outputs ?? null, parts.events ?? null];
    if (!stored) {
      this.#insert.run(id, 1, ...where, ...factsOf(fields, place.dottedOrder, change), ...texts);
      return true;
    }
    const merged = new Map([...fields, ...membersOf(stored.fields)]);
    this.#complete.run(...where, ...factsOf(merged, place.dottedOrder, change), ...texts, id);
    return true;
  }

  /** Updates a run, or stores the update until the run is created. */
  add(change: RunChange): void {
    const { id, place, parts } = change;
    const stored = this.stored(id);
    const texts = [parts.inputs ?? null, parts.outputs ?? null, parts.events ?? null];
    if (!stored) {
      const facts = factsOf(change.fields, place.dottedOrder, change);
      this.#insert.run(id, 0, null, place.traceId, place.parentId, place.dottedOrder, ...facts, ...texts);
      return;
    }
    const fields = new Map([...membersOf(stored.fields), ...change.fields]);
    this.#add.run(...factsOf(fields, stored.dotted_order, change), ...texts, id);
  }

  attach({ runId, name, type, bytes }: RunAttachment): void {
    this.#attach.run(runId, name, type, bytes);
  }
}

/** Reads the runs that were created. */
export class RunReader {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(id: string): RunRow | undefined {
    const row = this.#database.prepare(`${WHOLE} WHERE runs.id = ? AND made = 1`).get(id);
    return row && Row.parse(row);
  }

  /** In `dotted_order`: each run after its parent, siblings in the order of their starts. */
  *list(filter: RunFilter, { limit, offset }: Page): Generator<RunRow> {
    const { condition, value } = conditionOf(filter);
    const rows = this.#database
      .prepare(`${WHOLE} WHERE ${condition} ORDER BY dotted_order LIMIT :limit OFFSET :offset`)
      .iterate({ value, limit, offset });
    for (const row of rows) yield Row.parse(row);
  }

  count(filter: RunFilter): number {
    const { condition, value } = conditionOf(filter);
    return countRows(this.#database, `runs WHERE ${condition}`, { value });
  }

  /** The first start and the last end of a trace, and how many of its runs are open. */
  span(traceId: string) {
    const row = this.#database
      .prepare(
        `SELECT min(start_ms) AS start_ms, max(max(start_ms, coalesce(end_ms, start_ms))) AS end_ms,
           count(*) - count(end_ms) AS open FROM runs WHERE trace_id = ? AND made = 1`,
      )
      .get(traceId);
    return Span.parse(row);
  }

  failedCount(traceId: string): number {
    return countRows(this.#database, "runs WHERE trace_id = :traceId AND failed = 1 AND made = 1", { traceId });
  }

  /** The root runs of a project, newest first; with a search those whose name, or else id, holds it. */
  traces(project: number, { limit, offset, search = "" }: Page & { readonly search?: string }): readonly TraceRow[] {
    return this.#database
      .prepare(
        `SELECT ${HEAD}, ${COUNTS} FROM runs JOIN sessions ON sessions.seq = runs.session
         WHERE ${ROOT_FITS} ORDER BY start_ms DESC, runs.seq DESC LIMIT :limit OFFSET :offset`,
      )
      .all({ project, search, limit, offset })
      .map((row) => Root.parse(row));
  }

  traceCount(project: number, search: string): number {
    return countRows(this.#database, `runs WHERE ${ROOT_FITS}`, { project, search });
  }

  attachments(runId: string): readonly RunAttachment[] {
    return this.#database
      .prepare("SELECT run_id AS runId, name, type, bytes FROM run_attachments WHERE run_id = ? ORDER BY name")
      .all(runId)
      .map((row) => Attachment.parse(row));
  }
}

function conditionOf(filter: RunFilter): { readonly condition: string; readonly value: number | string } {
  // Only a run that was created has a session: `made` is not in that index, and each row would be read for it.
  return "traceId" in filter
    ? { condition: "trace_id = :value AND made = 1", value: filter.traceId }
    : { condition: "session = :value", value: filter.project };
}

// The columns from `name` to `fields`, of which the change brings some; 422 if with it the run ends before it starts.
function factsOf(fields: JsonFields, dottedOrder: string, change: RunChange): readonly (number | string | null)[] {
  const value = (name: string): unknown => {
    const text = fields.get(name);
    return text === undefined ? undefined : JSON.parse(text);
  };
  const text = (name: string) => {
    const given = value(name);
    return typeof given === "string" ? given : null;
  };
  const given = microsecondsOf(value("start_time"));
  const start = given ?? parseDottedOrder(dottedOrder)?.at(-1)?.startMicroseconds ?? 0;
  const end = microsecondsOf(value("end_time"));
  const isTimed = change.fields.has("start_time") || change.fields.has("end_time");
  if (isTimed && given !== undefined && end !== undefined && endsBeforeStart(given, end)) {
    throw new HttpError(422, `run ${change.id}: end_time is before start_time`);
  }
  const error = value("error");
  const failed = error !== undefined && error !== "" ? 1 : 0;
  const json = `{${[...fields].map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(",")}}`;
  return [text("name"), text("run_type"), start / 1000, end === undefined ? null : end / 1000, failed, json];
}
