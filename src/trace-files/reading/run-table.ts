import { RUN_TYPES, type RunType } from "../../contract/run.ts";
import { Column } from "../../files/column.ts";
import { IdTable } from "../../files/id-table.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import { cut } from "../../text/foreign-text.ts";
import { idOfKey } from "../runs/run-key.ts";
import { isSilent, type SessionKey, type SourceRun } from "../runs/source-run.ts";

/** The parent of a root. */
export const NO_ROW = -1;

const IS_SPAN = 1;
const HAS_ERROR = 2;
const HAS_END = 4;
const HAS_TOKENS = 8;
const IS_SILENT = 16;
const IS_NESTED = 32;

// Types are foreign text. The sums name so many of them, each cut to so many characters; what is sent is never cut.
const MOST_TYPES = 50;
const MOST_TYPE_CHARACTERS = 60;
const FURTHER_TYPES = "further types";

/** What the sums need of a run. */
export type RunFacts = Pick<SourceRun, "endMicroseconds" | "hasError" | "runType" | "startMicroseconds" | "tokens">;

/**
 * What is kept of each run between the two readings of the files: about 70 bytes and an index by key, without inputs and
 * outputs. Rows count from 0, in the order of the files.
 */
export class RunTable {
  /** The row of the parent, or NO_ROW. */
  readonly parents = new Column(Int32Array);
  /** The start of a run in its `dotted_order`, microseconds: never before its parent. */
  readonly segments = new Column(Float64Array);
  /** The number of the project; 0 for none. */
  readonly sessions = new Column(Int32Array);
  readonly #keys = new IdTable();
  readonly #fingerprints = new Column(Float64Array);
  readonly #starts = new Column(Float64Array);
  readonly #ends = new Column(Float64Array);
  readonly #tokens = new Column(Float64Array);
  readonly #types = new Column(Uint8Array);
  readonly #typeNames: RunType[] = [...RUN_TYPES];
  readonly #flags = new Column(Uint8Array);
  readonly #files = new Column(Int32Array);
  readonly #lines = new Column(Int32Array);
  readonly #fileNames: string[] = [];
  readonly #sessionKeys: (SessionKey | undefined)[] = [undefined];
  readonly #sessionNumbers = new Map<string, number>();
  // Made at the first call: most uploads need none.
  #ids?: IdTable;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The row of a run; undefined when there is none. */
  rowOf(key: string): number | undefined {
    return this.#keys.get(key);
  }

  /** The row of the run with this id; undefined when there is none. Call it once all runs are added. */
  rowOfId(id: string): number | undefined {
    if (!this.#ids) {
      this.#ids = new IdTable();
      for (let row = 0; row < this.#count; row++) this.#ids.add(this.idOf(row));
    }
    return this.#ids.get(id);
  }

  /** Adds a run with a new key and returns its row. The run has no parent yet. */
  add(run: SourceRun): number {
    const row = this.#count;
    this.#count += 1;
    this.#keys.add(run.key);
    this.parents.set(row, NO_ROW);
    this.replace(row, run);
    return row;
  }

  /** Takes a run in place of another with its key. */
  replace(row: number, run: SourceRun): void {
    this.segments.set(row, run.startMicroseconds);
    this.sessions.set(row, this.sessionNumber(run.session));
    this.#fingerprints.set(row, run.fingerprint);
    this.#starts.set(row, run.startMicroseconds);
    this.#ends.set(row, run.endMicroseconds ?? 0);
    this.#tokens.set(row, run.tokens ?? 0);
    this.#types.set(row, this.#typeNumber(run.runType));
    this.#flags.set(
      row,
      (run.isSpan ? IS_SPAN : 0) |
        (run.isNested ? IS_NESTED : 0) |
        (run.event === "post" && isSilent(run) ? IS_SILENT : 0) |
        endFlags(run),
    );
    if (this.#fileNames.at(-1) !== run.place.file) this.#fileNames.push(run.place.file);
    this.#files.set(row, this.#fileNames.length - 1);
    this.#lines.set(row, run.place.line ?? 0);
  }

  /** Adds an addition to its run. */
  extend(row: number, { hasError, hasContent, endMicroseconds, tokens: stated }: SourceRun): void {
    // An export states 0 for a number that it does not know.
    const tokens = stated === 0 && this.#tokens.get(row) > 0 ? undefined : stated;
    const given = this.#flags.get(row) & (hasContent ? ~IS_SILENT : ~0);
    this.#flags.set(row, given | endFlags({ hasError, endMicroseconds, tokens }));
    if (endMicroseconds !== undefined) this.#ends.set(row, endMicroseconds);
    if (tokens !== undefined) this.#tokens.set(row, tokens);
  }

  /** True when the row has exactly this run. */
  isSame(row: number, { fingerprint }: SourceRun): boolean {
    return this.#fingerprints.get(row) === fingerprint;
  }

  /** The id that is sent. */
  idOf(row: number): string {
    const key = this.#keys.at(row);
    return this.isSpan(row) ? idOfKey(key, this.#starts.get(row)) : key;
  }

  /** True for a run whose id is made of its key. */
  isSpan(row: number): boolean {
    return (this.#flags.get(row) & IS_SPAN) !== 0;
  }

  /** True for a run that is known from `child_runs` only. */
  isNested(row: number): boolean {
    return (this.#flags.get(row) & IS_NESTED) !== 0;
  }

  /** True for a call of a model or a tool that has neither inputs nor outputs. */
  isSilent(row: number): boolean {
    return (this.#flags.get(row) & IS_SILENT) !== 0;
  }

  placeOf(row: number): FilePlace {
    const line = this.#lines.get(row);
    return { file: this.#fileNames[this.#files.get(row)] ?? "", line: line === 0 ? undefined : line };
  }

  factsOf(row: number): RunFacts {
    const flags = this.#flags.get(row);
    return {
      runType: this.#typeNames[this.#types.get(row)] ?? FURTHER_TYPES,
      hasError: (flags & HAS_ERROR) !== 0,
      startMicroseconds: this.#starts.get(row),
      endMicroseconds: (flags & HAS_END) === 0 ? undefined : this.#ends.get(row),
      tokens: (flags & HAS_TOKENS) === 0 ? undefined : this.#tokens.get(row),
    };
  }

  /** The project with this number; undefined for 0. */
  session(number: number): SessionKey | undefined {
    return this.#sessionKeys[number];
  }

  /** The number of a project, assigned at the first call; 0 for none. */
  sessionNumber(session: SessionKey | undefined): number {
    if (!session) return 0;
    const key = JSON.stringify([session.name, session.id]);
    const known = this.#sessionNumbers.get(key);
    if (known !== undefined) return known;
    this.#sessionNumbers.set(key, this.#sessionKeys.length);
    return this.#sessionKeys.push(session) - 1;
  }

  #typeNumber(type: RunType): number {
    const name = cut(type, MOST_TYPE_CHARACTERS);
    const known = this.#typeNames.indexOf(name);
    if (known !== -1) return known;
    return this.#typeNames.length < MOST_TYPES ? this.#typeNames.push(name) - 1 : MOST_TYPES;
  }
}

/** Of what a run has, or an addition to it gives it. */
function endFlags({
  hasError,
  endMicroseconds,
  tokens,
}: Pick<SourceRun, "endMicroseconds" | "hasError" | "tokens">): number {
  return (
    (hasError ? HAS_ERROR : 0) | (endMicroseconds === undefined ? 0 : HAS_END) | (tokens === undefined ? 0 : HAS_TOKENS)
  );
}
