import type { DatabaseSync, StatementSync } from "node:sqlite";
import * as z from "zod";
import { parseDottedOrder } from "../../contract/dotted-order.ts";
import { microsecondsOf, type JsonFields, type RunChange } from "./change.ts";
import { membersOf } from "../http/raw-json.ts";
import type { RunAttachment } from "./form.ts";
import type { SessionStore } from "./project-store.ts";

const flag = z.number().transform((value) => value === 1);
const Stored = z.object({
  made: flag,
  trace_id: z.string(),
  parent_id: z.string().nullable(),
  dotted_order: z.string(),
  fields: z.string(),
});

/** What of a stored run a change has to know. */
export type StoredRun = z.infer<typeof Stored>;

const COLUMNS = [
  ...["id", "made", "session", "trace_id", "parent_id", "dotted_order"],
  ...["name", "run_type", "start_ms", "end_ms", "failed", "fields", "inputs", "outputs", "events"],
];

/** The runs; all writing is within the caller's transaction. */
export class RunStore {
  readonly #sessions: SessionStore;
  readonly #stored: StatementSync;
  readonly #insert: StatementSync;
  readonly #complete: StatementSync;
  readonly #add: StatementSync;
  readonly #attach: StatementSync;

  constructor(database: DatabaseSync, sessions: SessionStore) {
    this.#sessions = sessions;
    this.#stored = database.prepare("SELECT made, trace_id, parent_id, dotted_order, fields FROM runs WHERE id = ?");
    this.#insert = database.prepare(
      `INSERT INTO runs (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`,
    );
    // What was added before the run was made came later in the mind of its sender.
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

  /** What is stored of a run; undefined when nothing is. */
  stored(id: string): StoredRun | undefined {
    const row = this.#stored.get(id);
    return row === undefined ? undefined : Stored.parse(row);
  }

  /** Stores a run, together with what was added to it before; false when it is there already, and then it stays. */
  make(change: RunChange): boolean {
    const { id, place, parts, fields } = change;
    const stored = this.stored(id);
    if (stored?.made === true) return false;
    const where = [this.#sessions.seqFor(change), place.traceId, place.parentId, place.dottedOrder];
    const texts = [parts.inputs ?? null, parts.outputs ?? null, parts.events ?? null];
    if (stored === undefined) {
      this.#insert.run(id, 1, ...where, ...factsOf(fields, place.dottedOrder), ...texts);
      return true;
    }
    const merged = new Map([...fields, ...membersOf(stored.fields)]);
    this.#complete.run(...where, ...factsOf(merged, place.dottedOrder), ...texts, id);
    return true;
  }

  /** Adds to a run, or keeps what is to be added until the run is made. */
  add(change: RunChange): void {
    const { id, place, parts } = change;
    const stored = this.stored(id);
    const texts = [parts.inputs ?? null, parts.outputs ?? null, parts.events ?? null];
    if (stored === undefined) {
      const facts = factsOf(change.fields, place.dottedOrder);
      this.#insert.run(id, 0, null, place.traceId, place.parentId, place.dottedOrder, ...facts, ...texts);
      return;
    }
    const fields = new Map([...membersOf(stored.fields), ...change.fields]);
    this.#add.run(...factsOf(fields, stored.dotted_order), ...texts, id);
  }

  attach({ runId, name, type, bytes }: RunAttachment): void {
    this.#attach.run(runId, name, type, bytes);
  }
}

/** The columns that are made from the fields: from `name` to `fields`. */
function factsOf(fields: JsonFields, dottedOrder: string): readonly (number | string | null)[] {
  const value = (name: string): unknown => {
    const text = fields.get(name);
    return text === undefined ? undefined : JSON.parse(text);
  };
  const text = (name: string) => {
    const given = value(name);
    return typeof given === "string" ? given : null;
  };
  const start = microsecondsOf(value("start_time")) ?? parseDottedOrder(dottedOrder)?.at(-1)?.startMicroseconds ?? 0;
  const end = microsecondsOf(value("end_time"));
  const error = value("error");
  const failed = error !== undefined && error !== "" ? 1 : 0;
  const json = `{${[...fields].map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(",")}}`;
  return [text("name"), text("run_type"), start / 1000, end === undefined ? null : end / 1000, failed, json];
}
