import type { Run } from "../../contract/run.ts";
import { TracesError } from "../errors.ts";
import type { TracesRead } from "../events.ts";
import { NO_ROW, type RunTable } from "./run-table.ts";
import type { RunTree } from "./run-tree.ts";
import type { ReadingContext, SourceRun } from "../runs/source-run.ts";
import type { TraceFile } from "./trace-file.ts";

/** A run, or what is added to one, as it is sent. */
export interface SentRun {
  readonly event: "patch" | "post";
  readonly run: Readonly<Record<string, unknown>> & Pick<Run, "id">;
}

/** Runs that were read and checked: nothing is wrong with them, and nothing was sent. */
export class TraceSet {
  readonly read: TracesRead;
  readonly table: RunTable;
  readonly tree: RunTree;
  readonly #files: readonly TraceFile[];

  constructor(files: readonly TraceFile[], table: RunTable, tree: RunTree, read: TracesRead) {
    this.#files = files;
    this.table = table;
    this.tree = tree;
    this.read = read;
  }

  /** Reads the files once more, and gives each run once, and then what is added to runs. Throws for a file that changed. */
  *runs(): Generator<SentRun, void, undefined> {
    const given = new Set<number>();
    for (const source of this.#again()) {
      if (source.event === "patch") continue;
      const row = this.#rowOf(source);
      // Only few stand twice; a run that comes again would be an addition to itself.
      if (this.read.sharedRuns > 0 && given.has(row)) continue;
      if (this.read.sharedRuns > 0) given.add(row);
      yield { event: "post", run: this.#postOf(source, row) };
    }
    if (this.read.additions === 0) return;
    let additions = 0;
    for (const source of this.#again()) {
      if (source.event === "post") continue;
      additions += 1;
      yield { event: "patch", run: this.#patchOf(source) };
    }
    if (additions !== this.read.additions) throw changed("A file");
  }

  /** All that the files hold, once more. A file that lost runs has no fault to tell it. */
  *#again(): Generator<SourceRun, void, undefined> {
    for (const [at, file] of this.#files.entries()) {
      let runs = 0;
      for (const source of file.runs(refusing(file))) {
        if (source.event === "post") runs += 1;
        yield source;
      }
      if (runs !== this.read.files[at]?.runs) throw changed(file.name);
    }
  }

  #rowOf(source: SourceRun): number {
    const row = this.table.rowOf(source.key);
    if (row === undefined || !this.table.isSame(row, source)) throw changed(source.place.file);
    return row;
  }

  #postOf({ fields, parentKey, isSpan }: SourceRun, row: number): SentRun["run"] {
    const above = this.table.parents.get(row);
    const parent = above === NO_ROW ? (isSpan ? undefined : parentKey) : this.table.idOf(above);
    const session = this.table.session(this.table.sessions.get(row));
    return {
      id: this.table.idOf(row),
      trace_id: this.tree.traceIdOf(row),
      dotted_order: this.tree.orderOf(row),
      ...(parent === undefined ? {} : { parent_run_id: parent }),
      ...(session?.name === undefined ? {} : { session_name: session.name }),
      ...(session?.id === undefined ? {} : { session_id: session.id }),
      ...fields,
    };
  }

  #patchOf({ key, fields, traceId, dottedOrder, parentKey }: SourceRun): SentRun["run"] {
    const row = this.table.rowOf(key);
    const place =
      row === undefined
        ? { trace_id: traceId, dotted_order: dottedOrder, parent_run_id: parentKey }
        : { trace_id: this.tree.traceIdOf(row), dotted_order: this.tree.orderOf(row), parent_run_id: parentKey };
    return { id: key, ...place, ...fields };
  }
}

/** What was read without a fault has one now only if it is not what it was. */
function refusing({ name }: TraceFile): ReadingContext {
  return {
    fault: () => {
      throw changed(name);
    },
    passed: () => undefined,
  };
}

function changed(file: string): TracesError {
  return new TracesError(`${file} was changed while it was read.`, [], 0, {
    advice: "Run the step when nothing writes into the file any more; what is stored by then is not stored twice.",
  });
}
