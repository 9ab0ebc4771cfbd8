import type { DatabaseSync } from "node:sqlite";
import { dottedOrder, parseDottedOrder } from "../../contract/dotted-order.ts";
import type { Run } from "../../contract/run.ts";
import type { Page } from "../experiments/experiments.ts";
import { HttpError } from "../http/error.ts";
import { atomically } from "../state/database.ts";
import { microsecondsOf, type RunPlace } from "./change.ts";
import type { RunForm } from "./form.ts";
import { ProjectStore } from "./project-store.ts";
import { RunReader, type RunRow, RunStore } from "./store.ts";

/** What the runs are made from. */
export interface RunsOptions {
  readonly database: DatabaseSync;
  /** How large the body of a request may be, as it is sent and as it is decoded. */
  readonly limitBytes: number;
}

/** A page of runs ends early when its texts get long. */
const PAGE_CHARACTERS = 32 * 1024 * 1024;
/** The last microsecond that `dotted_order` has digits for. */
const LAST_MICROSECOND = Date.UTC(9999, 11, 31, 23, 59, 59, 999) * 1000 + 999;

/** The runs that were traced, and their projects. */
export class Runs {
  /** How large the body of a request may be, as it is sent and as it is decoded. */
  readonly limitBytes: number;
  readonly projects: ProjectStore;
  readonly reader: RunReader;
  readonly #database: DatabaseSync;
  readonly #store: RunStore;

  constructor({ database, limitBytes }: RunsOptions) {
    this.limitBytes = limitBytes;
    this.#database = database;
    this.projects = new ProjectStore(database);
    this.reader = new RunReader(database);
    this.#store = new RunStore(database, this.projects);
  }

  /**
   * Stores what a request carries, or nothing of it when it throws. False when it makes runs and all of them are there
   * already: what it adds to runs is stored then too, since nobody sends it again after a 409.
   */
  receive({ changes, attachments }: RunForm): boolean {
    return atomically(this.#database, () => {
      let [sent, made] = [0, 0];
      for (const change of changes) {
        if (!change.made) {
          this.#store.add(change);
          continue;
        }
        sent += 1;
        if (this.#store.make(change)) made += 1;
      }
      for (const attachment of attachments) this.#store.attach(attachment);
      return sent === 0 || made > 0;
    });
  }

  /** The place of a run that says none: below its parent, which has to be known (422), or a trace of its own. */
  newPlace(run: Run): RunPlace {
    const id = run.id.toLowerCase();
    const parentId = run.parent_run_id?.toLowerCase() ?? null;
    const parent = parentId === null ? undefined : this.knownPlace(parentId);
    if (parentId !== null && parent === undefined) {
      throw new HttpError(422, `run ${run.id}: parent_run_id ${parentId} is not known; send trace_id and dotted_order`);
    }
    const above = parseDottedOrder(parent?.dottedOrder ?? "")?.at(-1)?.startMicroseconds ?? 0;
    // A child that starts before its parent, by another clock, starts with it.
    const start = Math.max(above, Math.min(microsecondsOf(run.start_time) ?? 0, LAST_MICROSECOND));
    const place = { startMicroseconds: start, id, parent: parent?.dottedOrder };
    return { traceId: parent?.traceId ?? id, dottedOrder: dottedOrder(place), parentId };
  }

  /** Where a run is, if it has been heard of. */
  knownPlace(id: string): RunPlace | undefined {
    const stored = this.#store.stored(id);
    if (stored === undefined) return undefined;
    return { traceId: stored.trace_id, dottedOrder: stored.dotted_order, parentId: stored.parent_id };
  }

  /** 404 when there is none. */
  get(id: string): RunRow {
    const run = this.reader.get(id);
    if (run === undefined) throw new HttpError(404, `run ${id} not found`);
    return run;
  }

  /** A page of runs in `dotted_order`; fewer than asked for when their texts are long. */
  list(filter: Parameters<RunReader["list"]>[0], page: Page): readonly RunRow[] {
    const rows: RunRow[] = [];
    let characters = 0;
    for (const row of this.reader.list(filter, page)) {
      for (const text of [row.fields, row.inputs, row.outputs, row.events]) characters += text?.length ?? 0;
      if (rows.length > 0 && characters > PAGE_CHARACTERS) break;
      rows.push(row);
    }
    return rows;
  }
}
