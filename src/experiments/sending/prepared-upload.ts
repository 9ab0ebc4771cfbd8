import { UPLOAD_MARK } from "../../contract/experiment-answer.ts";
import { setFields } from "../../contract/set-fields.ts";
import { isJsonObject, type JsonObject, writeJsonValue } from "../../files/json/value.ts";
import { uuidOf } from "../../contract/uuid.ts";
import type { BodySource } from "../../http/transport.ts";
import type { DatasetKey } from "../events.ts";
import { type Evaluation, readEvaluations } from "../reading/evaluation.ts";
import type { ReadingDeps } from "../reading/file-reading.ts";
import type { CheckedHead } from "./head.ts";
import { resultsOfParts } from "../reading/results-read.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import type { ExperimentRequest } from "../request.ts";
import type { RowRange, RowSpool } from "../reading/row-spool.ts";
import { checkAll } from "./upload-checks.ts";
import { createHash, hash } from "node:crypto";
import { Readable } from "node:stream";

/** Results that were read and checked without an error, and not sent yet. */
export class PreparedUpload implements AsyncDisposable {
  readonly name: string;
  readonly dataset: DatasetKey;
  /** The rows of each experiment; one, unless there are more than an experiment may have. */
  readonly ranges: readonly RowRange[];
  readonly #head: CheckedHead;
  readonly #evaluation: Evaluation;
  readonly #marks: ReadonlyMap<RowRange, string>;
  /** To be filled: the times of each row are looked at for it, and the body is asked for several times. */
  readonly #rowBytes = new Map<RowRange, number>();

  constructor(evaluation: Evaluation, head: CheckedHead, { maxRows, run }: ExperimentRequest) {
    this.name = head.name;
    this.dataset = head.dataset;
    const { count } = evaluation.spool;
    const most = maxRows ?? Math.max(1, count);
    this.ranges = Array.from({ length: Math.ceil(count / most) }, (_, part) => {
      return { first: part * most, end: Math.min(count, (part + 1) * most) };
    });
    this.#marks = new Map(
      this.ranges.map((range) => [range, uploadMark(run.id, head.fields, evaluation, range)] as const),
    );
    this.#head = head;
    this.#evaluation = evaluation;
  }

  /** What tells the upload of these rows from others, in its metadata. */
  markOf(range: RowRange): string {
    return this.#marks.get(range) ?? "";
  }

  names(): ExperimentNames {
    return new ExperimentNames(this.name, this.ranges.length, [...this.#marks.values()].join(" "));
  }

  body(name: string, range: RowRange, onRead?: (bytes: number) => void): BodySource {
    const { experiment_metadata: metadata, ...fields } = this.#head.fields;
    const marked = { ...(isJsonObject(metadata) ? metadata : {}), [UPLOAD_MARK]: this.markOf(range) };
    const head = { experiment_name: name, ...fields, experiment_metadata: marked };
    const { spool } = this.#evaluation;
    const rowBytes = this.#rowBytes.get(range) ?? spool.bytesOf(range);
    this.#rowBytes.set(range, rowBytes);
    return experimentBody(head, { spool, range, rowBytes }, onRead);
  }

  placeOf(row: number): FilePlace {
    return this.#evaluation.rows.placeOf(row);
  }

  /** Removes what was written to the disk. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#evaluation.spool.remove();
  }
}

/** All experiments of one upload: one for each value of a column by which its rows are split, and else one. */
export class PreparedUploads implements AsyncDisposable {
  readonly all: readonly PreparedUpload[];
  readonly dataset: DatasetKey;

  constructor(all: readonly PreparedUpload[]) {
    this.all = all;
    this.dataset = all[0]?.dataset ?? { id: undefined, name: undefined };
  }

  /** Removes what was written to the disk. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.all) await one[Symbol.asyncDispose]();
  }
}

/** Reads all files and checks everything, so that one report has all errors. Throws ResultsError. */
export async function prepareUploads(given: ExperimentRequest, deps: ReadingDeps): Promise<PreparedUploads> {
  const start = deps.clock.now();
  // The ids of rows follow from that of their dataset, which has one form for that.
  const datasetId = given.datasetId === undefined ? undefined : (uuidOf(given.datasetId) ?? given.datasetId);
  const request = { ...given, datasetId };
  const dataset = datasetId ?? request.datasetName;
  const takesVerbatim = request.timePolicy !== "clamp";
  const { splitBy } = request;
  const evaluations = await readEvaluations({ ...request.results, dataset, takesVerbatim, splitBy }, deps);
  try {
    // Before the rows are placed in time: times that are made up are not latencies.
    const results = resultsOfParts(evaluations);
    const heads = checkAll(request, evaluations, deps);
    deps.emit({ type: "read", results, milliseconds: deps.clock.now() - start });
    return new PreparedUploads(heads.map(([evaluation, head]) => new PreparedUpload(evaluation, head, request)));
  } catch (error) {
    for (const { spool } of evaluations) await spool.remove();
    throw error;
  }
}

/**
 * The body of an upload: the head, and in it the rows as they were checked, read from the disk each time that it is
 * opened; `rowBytes` is how many those are. `onRead` gets the number of bytes read so far.
 */
export function experimentBody(
  head: JsonObject,
  { spool, range, rowBytes }: { readonly spool: RowSpool; readonly range: RowRange; readonly rowBytes: number },
  onRead: (bytes: number) => void = () => undefined,
): BodySource {
  const begin = Buffer.from(`${writeJsonValue(head).slice(0, -1)},"results":[`);
  const close = Buffer.from("]}");
  function* pieces() {
    yield begin;
    yield* spool.read(range);
    yield close;
  }
  function* blocks() {
    let read = 0;
    for (const block of pieces()) {
      yield block;
      read += block.length;
      onRead(read);
    }
  }
  const bytes = begin.length + rowBytes + close.length;
  return { bytes, open: () => Readable.from(blocks(), { objectMode: false }) };
}

// Enough digits that no two uploads of a run share them.
const DIGITS = 32;

/**
 * What tells one upload from others of its name: the run, and a digest of the files, of the rows and of all that is said
 * of the experiment, such as its dataset, its metadata and its own scores: jobs of one run may have equal rows. It is the
 * same in every attempt of the run that has the same files, since times that are made up, and what names the attempt, are
 * not part of it. `head`: the fields of the upload without the name and the rows.
 */
function uploadMark(
  runId: string,
  head: JsonObject,
  { files, spool }: Pick<Evaluation, "files" | "spool">,
  range: RowRange,
): string {
  const digest = createHash("sha256");
  // What is the same in every attempt of a run. The times of files are in their digests.
  const { experiment_metadata: metadata } = head;
  const said = isJsonObject(metadata) ? { ...metadata, run_attempt: undefined, run_url: undefined } : undefined;
  digest.update(
    writeJsonValue(
      setFields({
        ...head,
        experiment_start_time: undefined,
        experiment_end_time: undefined,
        experiment_metadata: said && setFields(said),
      }),
    ),
  );
  digest.update(JSON.stringify([files.map((file) => file.digest), range.first, range.end]));
  for (const block of spool.stored(range)) digest.update(block);
  return `${runId}:${digest.digest("hex").slice(0, DIGITS)}`;
}

/** How many names are tried, the given one with them; each costs the whole body. */
export const MOST_NAMES = 12;
// The name of a nightly workflow is taken by every run before, so counting on would send as many bodies.
const MOST_NUMBERED = 9;
const CODE_DIGITS = 8;

/**
 * The names of the experiments of one upload: the given one, with a number behind it while it is taken, later with
 * eight hex digits that follow from the mark, so that no other run has them and every attempt of this one has, and the
 * part where there are several: `nightly`, `nightly-2`, `nightly-2 [1/3]`, `nightly-5f1c09ab`.
 */
export class ExperimentNames {
  readonly #name: string;
  readonly #parts: number;
  readonly #mark: string;
  #number = 1;
  #base: string;

  constructor(name: string, parts: number, mark: string) {
    this.#mark = mark;
    this.#name = name;
    this.#base = name;
    this.#parts = parts;
  }

  /** Which name it is, from 1. */
  get number(): number {
    return this.#number;
  }

  /** The name of a part, from 1. */
  of(part: number): string {
    return this.#parts === 1 ? this.#base : `${this.#base} [${String(part)}/${String(this.#parts)}]`;
  }

  /** Gives this part and those after it another name. */
  next(): void {
    this.#number += 1;
    const suffix = this.#number <= MOST_NUMBERED ? String(this.#number) : this.#code();
    this.#base = `${this.#name}-${suffix}`;
  }

  #code(): string {
    return hash("sha256", `${this.#mark} ${String(this.#number)}`).slice(0, CODE_DIGITS);
  }
}
