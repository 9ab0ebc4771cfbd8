import { setFields } from "../../contract/set-fields.ts";
import type { Run } from "../../contract/run.ts";
import { TracesError } from "../errors.ts";
import type { TracesRead } from "../events.ts";
import { NO_ROW, type RunTable } from "./run-table.ts";
import type { RunTree } from "./run-tree.ts";
import type { SourceRun } from "../runs/source-run.ts";
import type { TraceFile } from "./trace-file.ts";

/** A run, or an addition to a run, as it is sent. */
export interface SentRun {
  readonly event: "patch" | "post";
  readonly run: Readonly<Record<string, unknown>> & Pick<Run, "id">;
}

/** The runs of files that were read and found valid. */
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

  /** Reads the files again: each run once, then the additions. Throws TracesError for a file that changed. */
  *runs(): Generator<SentRun, void, undefined> {
    const given = new Set<number>();
    for (const source of this.#again()) {
      if (source.event === "patch") continue;
      const row = this.#rowOf(source);
      // Another copy of it is sent.
      if (row === undefined) continue;
      // A second `post` would become an addition to the first. Most uploads have no such run.
      if (this.read.sharedRuns > 0 && given.has(row)) continue;
      if (this.read.sharedRuns > 0) given.add(row);
      yield { event: "post", run: this.#postOf(source, row) };
    }
    if (this.read.additions === 0) return;
    let additions = 0;
    for (const source of this.#again()) {
      if (source.event === "post") continue;
      additions += 1;
      const { key, fields, parentKey } = source;
      const row = this.table.rowOf(key);
      const [traceId, order] =
        row === undefined ? [source.traceId, source.dottedOrder] : [this.tree.traceIdOf(row), this.tree.orderOf(row)];
      const place = { trace_id: traceId, dotted_order: order, parent_run_id: parentKey };
      yield { event: "patch", run: { id: key, ...place, ...fields } };
    }
    if (additions !== this.read.additions) throw changed("A file");
  }

  /** Reads the files again. The count finds a file that lost runs, which has no error otherwise. */
  *#again(): Iterable<SourceRun> {
    for (const [at, file] of this.#files.entries()) {
      let runs = 0;
      // An error in a file that was valid means that the file changed.
      const fault = () => {
        throw changed(file.name);
      };
      for (const source of file.runs({ fault, passed: () => undefined })) {
        if (source.event === "post") runs += 1;
        yield source;
      }
      if (runs !== this.read.files[at]?.runs) throw changed(file.name);
    }
  }

  /** Undefined for a run in `child_runs` in place of which its own line is sent. */
  #rowOf(source: SourceRun): number | undefined {
    const row = this.table.rowOf(source.key);
    if (row !== undefined && this.table.isSame(row, source)) return row;
    if (row === undefined || !source.isNested) throw changed(source.place.file);
    return undefined;
  }

  #postOf({ fields, parentKey, isSpan }: SourceRun, row: number): SentRun["run"] {
    const above = this.table.parents.get(row);
    const parent = above === NO_ROW ? (isSpan ? undefined : parentKey) : this.table.idOf(above);
    const session = this.table.session(this.table.sessions.get(row));
    return {
      id: this.table.idOf(row),
      trace_id: this.tree.traceIdOf(row),
      dotted_order: this.tree.orderOf(row),
      ...setFields({ parent_run_id: parent, session_name: session?.name, session_id: session?.id }),
      ...fields,
    };
  }
}

function changed(file: string): TracesError {
  return new TracesError(`${file} changed while it was read.`, [], 0, {
    advice: "Upload the file when nothing writes to it any more: runs that are stored already are not stored twice.",
  });
}
