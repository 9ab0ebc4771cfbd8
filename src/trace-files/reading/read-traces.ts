import { setImmediate as nextTurn } from "node:timers/promises";
import { CountedPlaces, DataFileError, placeText, type FilePlace } from "../../files/json/errors.ts";
import type { Clock } from "../../http/clock.ts";
import { countOf, countText } from "../../text/number.ts";
import { listed, quotedName } from "../../text/quoted.ts";
import { TraceFaults } from "../errors.ts";
import type { Emit, ReadTraceFile } from "../events.ts";
import type { TraceRequest } from "../request.ts";
import { RunTable } from "./run-table.ts";
import { RunTree } from "./run-tree.ts";
import type { SourceRun } from "../runs/source-run.ts";
import { openTraceFile, type TraceFile } from "./trace-file.ts";
import { TraceSet } from "./trace-set.ts";
import { sumsOf } from "./trace-sums.ts";

export interface ReadingDeps {
  /** The time; `systemClock` outside of tests. */
  readonly clock: Clock;
  /** Cancels the reading and the upload. */
  readonly signal: AbortSignal;
  /** Called with each event, in order. */
  readonly emit: Emit;
}

const RUNS_PER_TURN = 256;
const MOST_TEXTS = 8;
const PLACE_NEEDED = "adds to a run that is in none of the files, which requires `trace_id` and `dotted_order`";

/** Reads and checks all files. Throws TracesError with the errors of all. */
export async function readTraces(request: TraceRequest, deps: ReadingDeps): Promise<TraceSet> {
  const begin = deps.clock.now();
  const reading = new Reading();
  const opened: TraceFile[] = [];
  for (const found of request.files) {
    try {
      opened.push(openTraceFile(found, request.format, request.sessionName !== undefined));
    } catch (error) {
      if (!(error instanceof DataFileError)) throw error;
      reading.faults.addFile(error);
    }
  }
  const files: ReadTraceFile[] = [];
  for (const file of opened) {
    const runs = await readRuns(file, reading, deps);
    files.push({ name: file.name, format: file.format, runs, size: file.size });
  }
  reading.close(request.sessionName);
  const { table, tree, additions, sharedRuns, movedRuns, passedLines } = reading;
  const { lostParents } = tree;
  const read = { files, sums: sumsOf(table, tree), additions, sharedRuns, movedRuns, lostParents, passedLines };
  deps.emit({ type: "read", traces: read, milliseconds: deps.clock.now() - begin });
  for (const [what, { count, first }] of reading.doubts) {
    if (!first) continue;
    const message = `${countOf(count, "run")} with ${what}, which some services reject: the first is ${placeText(first)}.`;
    deps.emit({ type: "warning", message });
  }
  const silent = silentWarning(table, [...reading.texts]);
  if (silent !== undefined) deps.emit({ type: "warning", message: silent });
  return new TraceSet(opened, table, tree, read);
}

/** One warning for all calls without inputs and outputs, with the names of what may be theirs. */
function silentWarning(table: RunTable, texts: readonly string[]): string | undefined {
  const silent = new CountedPlaces();
  for (let row = 0; row < table.count; row++) if (table.isSilent(row)) silent.add(table.placeOf(row));
  const { count, first } = silent;
  if (!first) return undefined;
  const calls = count === 1 ? "1 model or tool run has" : `${countText(count)} model and tool runs have`;
  const found = `${calls} neither inputs nor outputs: the first is ${placeText(first)}.`;
  if (texts.length === 0) return `${found} No attribute of ${count === 1 ? "it" : "them"} holds text.`;
  const names = listed(texts.map(quotedName), { conjunction: "and" });
  return `${found} Text is in ${names}: record it as \`input.value\` and \`output.value\` of a span, or as \`inputs\` and \`outputs\` of a run.`;
}

/** Reads a file to its end or to where it breaks, and returns its number of runs. */
async function readRuns(file: TraceFile, reading: Reading, { clock, emit, signal }: ReadingDeps): Promise<number> {
  const begin = clock.now();
  let rows = 0;
  let seen = 0;
  try {
    for (const run of file.runs(reading.context)) {
      reading.add(run);
      seen += 1;
      if (run.event === "post") rows += 1;
      if (seen % RUNS_PER_TURN !== 0) continue;
      // Signals and progress need a turn of the event loop.
      emit({ type: "reading", file: file.name, rows, milliseconds: clock.now() - begin });
      await nextTurn();
      signal.throwIfAborted();
    }
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    reading.faults.addFile(error);
  }
  return rows;
}

/** What is known of all files so far. */
class Reading {
  readonly faults = new TraceFaults();
  readonly table = new RunTable();
  readonly tree = new RunTree(this.table);
  additions = 0;
  sharedRuns = 0;
  passedLines = 0;
  movedRuns = 0;
  /** The first names of what holds text in silent runs. */
  readonly texts = new Set<string>();
  /** What some services reject: how many runs have it, and the first of them. Bounded: `runDoubts` has a few clauses. */
  readonly doubts = new Map<string, CountedPlaces>();
  /** Additions to runs that may follow. */
  readonly #early: SourceRun[] = [];

  readonly context = {
    fault: (place: FilePlace, message: string) => {
      this.faults.add(place, message);
    },
    passed: () => {
      this.passedLines += 1;
    },
  };

  add(run: SourceRun): void {
    if (run.event === "patch") {
      this.additions += 1;
      this.#doubt(run);
      const row = this.table.rowOf(run.key);
      if (row !== undefined) this.table.extend(row, run);
      // Without its fields, which may be large.
      else this.#early.push({ ...run, fields: {} });
      return;
    }
    const row = this.table.rowOf(run.key);
    if (row === undefined) {
      this.#doubt(run);
      if (run.isMoved) this.movedRuns += 1;
      for (const name of run.texts) if (this.texts.size < MOST_TEXTS) this.texts.add(name);
      this.tree.add(this.table.add(run), run);
    } else if (this.table.isSame(row, run) || run.isNested) this.sharedRuns += 1;
    else if (this.table.isNested(row)) {
      // A run on its own line may have more than the copy of it in `child_runs`.
      this.sharedRuns += 1;
      this.table.replace(row, run);
      this.tree.add(row, run);
    } else this.faults.add(run.place, `another run has the same id: ${placeText(this.table.placeOf(row))}`);
  }

  #doubt({ doubts, place }: SourceRun): void {
    for (const what of doubts) {
      const found = this.doubts.get(what) ?? new CountedPlaces();
      this.doubts.set(what, found);
      found.add(place);
    }
  }

  /** All files were read. Throws TracesError. */
  close(sessionName: string | undefined): void {
    this.tree.close(this.context.fault);
    for (const run of this.#early) {
      const row = this.table.rowOf(run.key);
      if (row !== undefined) this.table.extend(row, run);
      else if (run.dottedOrder === undefined) this.faults.add(run.place, PLACE_NEEDED);
    }
    this.#fillSessions(sessionName);
    if (this.faults.count === 0 && this.table.count + this.additions === 0) {
      this.faults.add({ file: "traces" }, "no runs in the files");
    }
    this.faults.throwIfAny();
  }

  #fillSessions(name: string | undefined): void {
    const usual = this.table.sessionNumber(name === undefined ? undefined : { name, id: undefined });
    const homeless = new CountedPlaces();
    for (let row = 0; row < this.table.count; row++) {
      if (this.table.sessions.get(row) !== 0) continue;
      this.table.sessions.set(row, usual);
      if (usual === 0) homeless.add(this.table.placeOf(row));
    }
    const { count, first } = homeless;
    if (!first) return;
    const others = count === 1 ? "" : `, like ${countOf(count - 1, "other run")}`;
    this.faults.add(first, `the run has neither \`session_name\` nor \`session_id\`${others}`, {
      reasons: ["PROJECT_MISSING"],
    });
  }
}
