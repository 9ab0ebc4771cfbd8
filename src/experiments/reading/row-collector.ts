import { CountedPlaces, placeText, type FilePlace } from "../../files/json/errors.ts";
import { isJsonObject, type JsonObject, writeJsonValue } from "../../files/json/value.ts";
import { decodeJson } from "../../files/json/parsed-value.ts";
import { AxisSearch, type Axis } from "./axis-search.ts";
import { CaseQuestions, questionOf, QUESTIONS_ADVICE } from "./case-questions.ts";
import type { Chosen, ResultFaults } from "./result-faults.ts";
import { caseKey, identifying, isCaseId, isRowId, isSameRow, namedMetadata } from "../rows/identity.ts";
import { RowIds, type FilesAre } from "./row-ids.ts";
import { readRow, type TakeRow } from "./row-reader.ts";
import type { RowSpool } from "./row-spool.ts";
import type { RowTimes } from "../rows/times.ts";
import { ScoreTally, type RowScore } from "./score-tally.ts";
import { hasEmptyLabel } from "../rows/score.ts";
import type { SourceRow } from "../rows/source-row.ts";
import type { FoundRow } from "../formats/shared/format.ts";
import { statedRepetition } from "../rows/row-columns.ts";
import { storableJson } from "../rows/storable-json.ts";
import { sourceOf, type VerbatimRow } from "../rows/verbatim-row.ts";

/** Of how many rows with an error the places are kept. */
export const MOST_FAILING = 20;

/**
 * Takes the rows of all files: gives each its id, counts repetitions within a file, takes a row that two files share
 * once, and refuses one that differs between them. Where files are trials, repetitions are counted over all of them.
 * `files` is for rows that are judged: those that are sent have ids that do not change with it.
 */
export class RowCollector {
  readonly tally = new ScoreTally();
  /** The names of the scores that have a category with an empty label. */
  readonly emptyLabels = new Set<string>();
  /** Rows that have several scores of one name. */
  readonly ambiguous = new CountedPlaces();
  /** NUL characters and halves of characters that became U+FFFD, and the first row that has one. */
  readonly replaced = new CountedPlaces();
  /** Rows with an error, and where the first of them stand. */
  errors = 0;
  readonly failing: FilePlace[] = [];
  /** Times without a zone. */
  naiveTimes = 0;
  /** Rows that two files have, and that were taken once. */
  shared = 0;
  readonly #dataset: string;
  readonly #spool: RowSpool;
  readonly #faults: ResultFaults;
  readonly #watch: TakeRow | undefined;
  readonly #ids: RowIds;
  readonly #questions = new CaseQuestions();
  readonly #axis = new AxisSearch();
  readonly #variants = new AxisSearch();

  /** `watch` gets no row that is taken verbatim. */
  constructor(
    { dataset, files }: { readonly dataset: string; readonly files?: FilesAre | undefined },
    spool: RowSpool,
    faults: ResultFaults,
    watch?: TakeRow,
  ) {
    this.#dataset = dataset;
    this.#ids = new RowIds(files);
    this.#watch = watch;
    this.#spool = spool;
    this.#faults = faults;
  }

  /** The rows that follow are of this file. */
  beginFile(name: string): void {
    this.#ids.beginFile(name);
  }

  add(found: FoundRow): void {
    if ("bytes" in found) this.#addVerbatim(found);
    else this.#addSource(found);
  }

  #addVerbatim(found: VerbatimRow): void {
    const { place, bytes, rowId, scores, start, end, hasError, inputs, metadata } = found;
    const times = { start, end, latency: undefined };
    const row = this.#ids.get(rowId);
    if (row !== undefined) {
      this.#addAgain(row, place, bytes, times);
      return;
    }
    // Of other rows, each is a case of its own.
    if (isCaseId(metadata?.["case_id"])) {
      const source = sourceOf(found);
      const key = caseKey(
        { dataset: this.#dataset, id: rowId, inputs, expected: undefined, rowId, repetition: 0 },
        source,
      );
      this.#look({ source, id: rowId, key, inputs, written: writeJsonValue(inputs) });
    }
    this.#keep(rowId, { place, scores, hasError });
    this.#spool.addWhole(bytes, times);
  }

  #addSource(source: SourceRow): void {
    const { row, faults, isUnclear, naiveTimes } = readRow(source);
    this.naiveTimes += naiveTimes;
    for (const message of faults) this.#faults.add(source.place, message, { isUnclear });
    if (!row) return;
    for (const score of source.scores) if (hasEmptyLabel(score)) this.emptyLabels.add(score.key);
    const { place } = source;
    const { inputs, expected, members, written: asked, times, scores, hasError } = row;
    const identity = { dataset: this.#dataset, id: identifying(source), inputs, expected };
    const { id, taken, repetition } = this.#ids.of(identity, source);
    const metadata = namedMetadata(source, { id, repetition, metadata: row.metadata });
    const written = metadata ? `${members},"run_metadata":${writeJsonValue(metadata)}` : members;
    const storable = this.#storable(written, place);
    if (storable === undefined) return;
    const key = caseKey({ ...identity, rowId: id, repetition }, source);
    const found = { source, id, key, inputs, written: asked };
    const text = `"row_id":"${id}",${storable}`;
    if (taken !== undefined) {
      this.#takeForAxis(key, source);
      // A UUID names one row, and not what was asked.
      const isOfCase = source.id !== undefined && (source.namesCase === true || !isRowId(identity.id));
      if (isOfCase && this.#asksOther(taken, found)) return;
      this.#addAgain(taken, place, Buffer.from(`{${text}}`), times);
      return;
    }
    this.#look(found);
    this.#keep(id, { place, scores, hasError });
    this.#spool.add(text, times);
    if (!this.#watch) return;
    this.#watch({ source, inputs, expected, scores, times, metadata, caseKey: key });
  }

  #takeForAxis(key: string, source: SourceRow): void {
    const { variantOf: id } = source;
    if (id === undefined) this.#axis.take(key, source);
    else this.#variants.takeNamed(id, source);
  }

  /** Looks at a row that will be kept beside the others of its case. */
  #look(found: CaseRow): void {
    const { source, id, key, written } = found;
    this.#takeForAxis(key, source);
    const { count } = this.#ids;
    if (source.id === undefined) return;
    this.#questions.keep(count, written);
    if (key !== id) this.#asksOther(this.#ids.get(key) ?? this.#questions.firstOf(key, count), found);
  }

  /** True, which is noted, for a row that asks something else than the first one of its case and does not say why. */
  #asksOther(first: number, { source, inputs, written }: CaseRow): boolean {
    if (statedRepetition(source) !== undefined || !this.#questions.mayDiffer(first, written)) return false;
    const row = decodeJson(this.#spool.rowBytes(first));
    const asked = isJsonObject(row) ? row["inputs"] : undefined;
    if (questionOf(asked ?? null) === questionOf(inputs)) return false;
    this.#questions.differ(source.place, this.placeOf(first));
    return true;
  }

  /** The members of a row without characters that the service cannot store; undefined after an error. */
  #storable(members: string, place: FilePlace): string | undefined {
    if (!members.includes("\\u")) return members;
    const { text, replaced, losesKeys } = storableJson(`{${members}}`);
    if (losesKeys) {
      this.#faults.add(place, "two keys of an object differ only in characters that cannot be stored");
      return undefined;
    }
    if (replaced > 0) this.replaced.add(place, replaced);
    return text.slice(1, -1);
  }

  #keep(
    id: string,
    { place, scores, hasError }: Pick<VerbatimRow, "hasError" | "place"> & { readonly scores: readonly RowScore[] },
  ): void {
    this.#ids.add(id, place);
    if (this.tally.addRow(scores)) this.ambiguous.add(place);
    if (!hasError) return;
    this.errors += 1;
    if (this.failing.length < MOST_FAILING) this.failing.push(place);
  }

  /** A row with a known id must equal the row that has it. */
  #addAgain(row: number, place: FilePlace, bytes: Buffer, times: RowTimes): void {
    const { start, end, latency } = this.#spool.times.get(row);
    const isSame =
      start === times.start &&
      end === times.end &&
      latency === times.latency &&
      isSameRow(this.#spool.rowBytes(row), bytes);
    if (isSame) {
      this.shared += 1;
      return;
    }
    const isOfOther = !this.#ids.isOfThisFile(row);
    this.#faults.add(place, `the row is also in ${placeText(this.placeOf(row))}, with other content`, {
      reasons: isOfOther ? ["FILE_CONTENT", "ROW_DIFFERS"] : [],
    });
  }

  /** A sentence about a column by which the rows may be of several systems; undefined without one. */
  get doubt(): string | undefined {
    return this.#axis.doubt;
  }

  /** By what systems that a tool asked side by side differ, each of which has rows of its own. */
  get variants(): Axis | undefined {
    return this.#variants.find();
  }

  /** Says what all rows together show, and frees what only further ones would need. */
  end(chosen: Chosen = {}): void {
    const axis = this.#axis.find();
    const { fault } = this.#questions;
    if (axis) this.#faults.addAxis(axis, chosen);
    else if (fault) {
      this.#faults.add(fault.place, fault.message, { advice: QUESTIONS_ADVICE, reasons: ["QUESTIONS_DIFFER"] });
    }
    this.#ids.end();
    this.#questions.end();
  }

  placeOf(row: number): FilePlace {
    return this.#ids.placeOf(row);
  }
}

interface CaseRow {
  readonly source: SourceRow;
  readonly id: string;
  readonly key: string;
  readonly inputs: JsonObject;
  /** The inputs as JSON. */
  readonly written: string;
}
