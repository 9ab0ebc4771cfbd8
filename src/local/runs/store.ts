import * as z from "zod";
import { parseDottedOrder } from "../../contract/dotted-order.ts";
import { PART_FIELDS } from "../../contract/run.ts";
import { endsBeforeStart } from "../../contract/run-rules.ts";
import { HttpError } from "../http/error.ts";
import { membersIn } from "../http/raw-json.ts";
import { fitting, flag, holds, type Database, type Page } from "../state/database.ts";
import { microsecondsOf, type JsonFields, type RunChange } from "./change.ts";
import type { ProjectStore } from "./project-store.ts";

const text = z.string().nullable();

const Row = z.object({
  id: z.string(),
  trace_id: z.string(),
  parent_id: text,
  dotted_order: z.string(),
  /** The number of its project. */
  session: z.number(),
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
const Attachment = z.object({
  /** In lower case. */
  runId: z.string(),
  name: z.string(),
  type: z.string(),
  bytes: z.number(),
});
const Span = z.object({ start_ms: z.number(), end_ms: z.number(), open: z.number(), failed: z.number() });

/** A stored run; JSON texts are as they were sent. */
export type RunRow = z.infer<typeof Row>;

/** A file that belongs to a run; only the size of its content is kept. */
export type RunAttachment = z.infer<typeof Attachment>;

/** The root of a trace, with counts of its runs. */
export type TraceRow = z.infer<typeof Root>;

const HEAD = `runs.id, trace_id, parent_id, dotted_order, session, sessions.id AS session_id,
  sessions.name AS session_name, runs.name, run_type, start_ms, end_ms, failed`;
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

const MERGE = `ON CONFLICT (id) DO UPDATE SET name = excluded.name, run_type = excluded.run_type,
  start_ms = excluded.start_ms, end_ms = excluded.end_ms, failed = excluded.failed, fields = excluded.fields`;
// An update that arrived before its run is still newer than the run.
const MAKE = `${MERGE}, made = 1, session = excluded.session, trace_id = excluded.trace_id,
  parent_id = excluded.parent_id, dotted_order = excluded.dotted_order,
  ${PART_FIELDS.map((name) => `${name} = coalesce(runs.${name}, excluded.${name})`).join(", ")}`;
const ADD = `${MERGE}, ${PART_FIELDS.map((name) => `${name} = coalesce(excluded.${name}, runs.${name})`).join(", ")}`;

/** The runs. They are written within the caller's transaction; those that were created can be read. */
export class RunStore {
  readonly #database: Database;
  readonly #projects: ProjectStore;

  constructor(database: Database, projects: ProjectStore) {
    this.#database = database;
    this.#projects = projects;
  }

  /** What a change needs of the stored run. */
  stored(id: string) {
    const sql = "SELECT made, trace_id, parent_id, dotted_order, fields FROM runs WHERE id = :id";
    return this.#database.one(Stored, sql, { id });
  }

  /** Creates a run, and merges updates that arrived before. False if it exists already; then it is unchanged. */
  make(change: RunChange): boolean {
    const stored = this.stored(change.id);
    if (stored?.made === true) return false;
    const session = this.#projects.seqFor(change);
    const fields = new Map([...change.fields, ...membersIn(stored?.fields)]);
    const facts = factsOf(fields, change.place.dottedOrder, change);
    this.#database.insert("runs", { ...rowOf(change), made: 1, session, ...facts }, MAKE);
    return true;
  }

  /** Updates a run, or stores the update until the run is created. */
  add(change: RunChange): void {
    const stored = this.stored(change.id);
    const fields = new Map([...membersIn(stored?.fields), ...change.fields]);
    const facts = factsOf(fields, stored?.dotted_order ?? change.place.dottedOrder, change);
    this.#database.insert("runs", { ...rowOf(change), made: 0, session: null, ...facts }, ADD);
  }

  attach({ runId, name, type, bytes }: RunAttachment): void {
    const sql =
      "INSERT OR REPLACE INTO run_attachments (run_id, name, type, bytes) VALUES (:runId, :name, :type, :bytes)";
    this.#database.run(sql, { runId, name, type, bytes });
  }

  get(id: string): RunRow | undefined {
    return this.#database.one(Row, `${WHOLE} WHERE runs.id = :id AND made = 1`, { id });
  }

  /**
   * In `dotted_order`: each run after its parent, siblings in the order of their starts; fewer than `limit` if their
   * texts are long.
   */
  list(filter: RunFilter, { limit, offset }: Page): readonly RunRow[] {
    const { condition, value } = conditionOf(filter);
    const sql = `${WHOLE} WHERE ${condition} ORDER BY dotted_order LIMIT :limit OFFSET :offset`;
    return fitting(this.#database.each(Row, sql, { value, limit, offset }), ({ fields, inputs, outputs, events }) =>
      [fields, inputs, outputs, events].reduce((sum, text) => sum + (text?.length ?? 0), 0),
    );
  }

  count(filter: RunFilter): number {
    const { condition, value } = conditionOf(filter);
    return this.#database.count(`runs WHERE ${condition}`, { value });
  }

  /** The first start and the last end of a trace, and how many of its runs are open and have failed. */
  span(traceId: string) {
    const sql = `SELECT min(start_ms) AS start_ms, max(max(start_ms, coalesce(end_ms, start_ms))) AS end_ms,
      count(*) - count(end_ms) AS open, sum(failed) AS failed
      FROM runs WHERE trace_id = :traceId AND made = 1 HAVING count(*) > 0`;
    return this.#database.one(Span, sql, { traceId });
  }

  /** The root runs of a project, newest first; with a search those whose name, or else id, holds it. */
  traces(project: number, { limit, offset, search = "" }: Page): readonly TraceRow[] {
    const sql = `SELECT ${HEAD}, ${COUNTS} FROM runs JOIN sessions ON sessions.seq = runs.session
      WHERE ${ROOT_FITS} ORDER BY start_ms DESC, runs.seq DESC LIMIT :limit OFFSET :offset`;
    return this.#database.all(Root, sql, { project, search, limit, offset });
  }

  traceCount(project: number, search: string): number {
    return this.#database.count(`runs WHERE ${ROOT_FITS}`, { project, search });
  }

  attachments(runId: string): readonly RunAttachment[] {
    const sql = "SELECT run_id AS runId, name, type, bytes FROM run_attachments WHERE run_id = :runId ORDER BY name";
    return this.#database.all(Attachment, sql, { runId });
  }
}

function rowOf({ id, place, parts }: RunChange) {
  const { inputs = null, outputs = null, events = null } = parts;
  const { traceId, parentId, dottedOrder } = place;
  return { id, trace_id: traceId, parent_id: parentId, dotted_order: dottedOrder, inputs, outputs, events };
}

function conditionOf(filter: RunFilter): { readonly condition: string; readonly value: number | string } {
  // Only a run that was created has a session: `made` is not in that index, and each row would be read for it.
  return "traceId" in filter
    ? { condition: "trace_id = :value AND made = 1", value: filter.traceId }
    : { condition: "session = :value", value: filter.project };
}

// The columns of the fields, of which the change brings some; 422 if with it the run ends before it starts.
function factsOf(fields: JsonFields, dottedOrder: string, change: RunChange) {
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
  return {
    name: text("name"),
    run_type: text("run_type"),
    start_ms: start / 1000,
    end_ms: end === undefined ? null : end / 1000,
    failed: error !== undefined && error !== "" ? 1 : 0,
    fields: `{${[...fields].map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(",")}}`,
  };
}
