import { uuidOf } from "../../contract/uuid.ts";
import { writeJsonValue } from "../../files/json/value.ts";
import type { SourceRun, SourceScore } from "../rows/source-row.ts";

type TextField = "datasetDescription" | "datasetId" | "datasetName" | "description" | "name" | "tool" | "toolVersion";

/** What the files of one experiment say about the run. */
export class RunFacts {
  readonly #files = new Map<string, SourceRun>();

  /** Adds what a file says, in any number of pieces: the later value of a field counts. */
  add(file: string, run: SourceRun): void {
    // An undefined field would hide what the file said before.
    const stated: SourceRun = Object.fromEntries(Object.entries(run).filter(([, value]) => value !== undefined));
    const { datasetId: id } = stated;
    const canonical = id === undefined ? stated : { ...stated, datasetId: uuidOf(id) ?? id };
    this.#files.set(file, { ...this.#files.get(file), ...canonical });
  }

  /** The first value of a field on which all files should agree. */
  first(field: TextField): string | undefined {
    return this.all(field)[0];
  }

  /** The distinct values of a field. */
  all(field: TextField): readonly string[] {
    return [...new Set(this.#values((run) => run[field]).filter((text) => text !== ""))];
  }

  /** What each file says that says something. */
  get byFile(): ReadonlyMap<string, SourceRun> {
    return this.#files;
  }

  /** False once a file says that its run did not come to its end. */
  get isComplete(): boolean {
    return this.#values((run) => run.isComplete).every(Boolean);
  }

  /** The times that each file states for its run; undefined for a file without. */
  times(files: readonly string[]): readonly (SourceRun["times"] | undefined)[] {
    return files.map((file) => this.#files.get(file)?.times);
  }

  /** The times of all files that state some. */
  get allTimes(): readonly NonNullable<SourceRun["times"]>[] {
    return this.#values((run) => run.times);
  }

  /** All fields, each by the first file that has it. */
  get metadata(): NonNullable<SourceRun["metadata"]> {
    const all = this.#values((run) => run.metadata);
    return Object.fromEntries(all.toReversed().flatMap((metadata) => Object.entries(metadata)));
  }

  /** The summary scores, and the keys of those on which two files differ. */
  get summaryScores(): { readonly scores: readonly SourceScore[]; readonly differing: readonly string[] } {
    const byKey = new Map<string, Map<string, SourceScore>>();
    for (const score of this.#values((run) => run.summaryScores).flat()) {
      const variants = byKey.get(score.key) ?? new Map<string, SourceScore>();
      byKey.set(score.key, variants.set(writeJsonValue([score.value ?? null, score.more ?? null]), score));
    }
    const differs = (variants: ReadonlyMap<string, SourceScore>) => variants.size > 1 && this.#files.size > 1;
    return {
      scores: [...byKey.values()].flatMap((variants) => (differs(variants) ? [] : [...variants.values()])),
      differing: [...byKey].flatMap(([key, variants]) => (differs(variants) ? [key] : [])),
    };
  }

  #values<Value>(of: (run: SourceRun) => Value | undefined): readonly Value[] {
    return [...this.#files.values()].map(of).filter((value) => value !== undefined);
  }
}
