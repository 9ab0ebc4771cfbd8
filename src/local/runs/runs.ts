import { dottedOrder, parseDottedOrder } from "../../contract/dotted-order.ts";
import type { Run } from "../../contract/run.ts";
import { HttpError } from "../http/error.ts";
import { atomically, type Database } from "../state/database.ts";
import { microsecondsOf, type RunPlace } from "./change.ts";
import type { RunForm } from "./form.ts";
import { ProjectStore } from "./project-store.ts";
import { type RunRow, RunStore } from "./store.ts";

/** The last microsecond that `dotted_order` has digits for. */
const LAST_MICROSECOND = Date.UTC(9999, 11, 31, 23, 59, 59, 999) * 1000 + 999;

/** The traced runs and their projects. */
export class Runs {
  /** The largest body of a request, before and after decoding. */
  readonly limitBytes: number;
  readonly projects: ProjectStore;
  readonly store: RunStore;
  readonly #database: Database;

  constructor(database: Database, limitBytes: number) {
    this.limitBytes = limitBytes;
    this.#database = database;
    this.projects = new ProjectStore(database);
    this.store = new RunStore(database, this.projects);
  }

  /**
   * Stores the changes of a request in one transaction. False if it creates runs that all exist already; its updates are
   * stored even then, since no client sends them again after a 409.
   */
  receive({ changes, attachments }: RunForm): boolean {
    return atomically(this.#database, () => {
      let [sent, created] = [0, 0];
      for (const change of changes) {
        if (!change.made) {
          this.store.add(change);
          continue;
        }
        sent += 1;
        if (this.store.make(change)) created += 1;
      }
      for (const attachment of attachments) this.store.attach(attachment);
      return sent === 0 || created > 0;
    });
  }

  /** The place of a run without one: below its parent, which must be known (422), or the root of a new trace. */
  newPlace(run: Run): RunPlace {
    const id = run.id.toLowerCase();
    const parentId = run.parent_run_id?.toLowerCase() ?? null;
    const parent = parentId === null ? undefined : this.knownPlace(parentId);
    if (parentId !== null && !parent) {
      throw new HttpError(422, `run ${run.id}: parent_run_id ${parentId} is not known; send trace_id and dotted_order`);
    }
    const above = parseDottedOrder(parent?.dottedOrder ?? "")?.at(-1)?.startMicroseconds ?? 0;
    // By another clock a child may start before its parent; then it gets the start of the parent.
    const start = Math.max(above, Math.min(microsecondsOf(run.start_time) ?? 0, LAST_MICROSECOND));
    const place = { startMicroseconds: start, id, parent: parent?.dottedOrder };
    return { traceId: parent?.traceId ?? id, dottedOrder: dottedOrder(place), parentId };
  }

  /** The place of a run; undefined if it is unknown. */
  knownPlace(id: string): RunPlace | undefined {
    const stored = this.store.stored(id);
    if (!stored) return undefined;
    return { traceId: stored.trace_id, dottedOrder: stored.dotted_order, parentId: stored.parent_id };
  }

  /** 404 if it does not exist. */
  get(id: string): RunRow {
    const run = this.store.get(id);
    if (!run) throw new HttpError(404, `run ${id} not found`);
    return run;
  }
}
