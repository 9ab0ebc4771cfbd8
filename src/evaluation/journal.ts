import { hash, randomUUID } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import type { TrialOutcome } from "../contract/trial-outcome.ts";
import { fileErrorCode } from "../files/file-error.ts";
import { isJsonObject, type JsonObject, objectIn } from "../files/json/value.ts";
import { jsonValueOf } from "../files/json/parsed-value.ts";
import { LineLog, type LinePlace } from "../files/line-log.ts";
import { JournalError } from "./errors.ts";
import { outcomeIn } from "../scoring/tally.ts";
import { keyOf, type Trial } from "../scoring/trial.ts";

export interface EndedTrial {
  readonly attempt: number;
  readonly outcome: TrialOutcome;
  /** No later evaluation has a reason to ask or score it again. */
  readonly isSettled: boolean;
  /** What an earlier evaluation left to this one: to ask it again, or to score its answer; empty for nothing. */
  readonly left: "ask" | "score" | "";
  readonly place: LinePlace;
}

export interface JournalRequest {
  readonly resultsPath: string;
  /** Of all that decides what is asked, and how it is scored. */
  readonly digest: string;
  /** A new one is made where none is given; a journal that is taken up keeps its own. */
  readonly nonce: string | undefined;
  readonly resume: boolean;
  /** What an evaluation that ended, but is not finished, has asked is kept. */
  readonly keepsEnded: boolean;
}

/**
 * What was begun and what has ended, line by line in a file beside the results: a process that is killed leaves what it
 * wrote. A journal with the same digest is taken up, one that is finished only by its own nonce, and one that is over and not
 * finished where that is kept; any other is put aside.
 * Every method throws JournalError where the file cannot be read or written.
 */
export class Journal implements Disposable {
  readonly path: string;
  /** What the threads of this evaluation are found by. */
  readonly evaluation: string;
  /** Where the journal is now that was put aside; empty if there was none. */
  readonly aside: string;
  /** An earlier process has begun trials. */
  readonly isResumed: boolean;
  readonly #ended: Map<string, EndedTrial>;
  readonly #log: LineLog;

  constructor({ resultsPath, digest, nonce, resume, keepsEnded }: JournalRequest) {
    // A pattern such as `results/*.jsonl` means results, and no journal.
    this.path = `${resultsPath}.journal`;
    const log = this.#guard(() => new LineLog(this.path));
    const found = this.#guard(() => readJournal(log));
    const isKept = found.isFinished ? found.nonce === nonce : !found.isOver || keepsEnded;
    const isOurs = resume && found.digest === digest && isKept;
    this.aside = isOurs || log.bytes === 0 ? "" : `${this.path}.aside`;
    this.#log = this.#guard(() => {
      // A process that is killed may leave half a line.
      if (isOurs) log.cut(found.bytes);
      if (this.aside === "") return log;
      log[Symbol.dispose]();
      renameSync(this.path, this.aside);
      return new LineLog(this.path);
    });
    const ownNonce = isOurs ? found.nonce : (nonce ?? randomUUID());
    this.evaluation = hash("sha256", `${digest} ${ownNonce}`).slice(0, 32);
    this.isResumed = isOurs && found.isBegun;
    this.#ended = isOurs ? found.ended : new Map<string, EndedTrial>();
    if (!isOurs) this.#append({ digest, nonce: ownNonce });
  }

  /** How a trial ended last; undefined for one that has not. */
  ended(id: string, repetition: number): EndedTrial | undefined {
    return this.#ended.get(keyOf({ case: { id }, repetition }));
  }

  begin({ case: { id }, repetition, attempt }: Trial): void {
    this.#append({ begun: id, repetition, attempt });
  }

  /**
   * Before its thread is removed. One that is not settled is asked again by the evaluation that takes this one up; an answer
   * is scored again, so its row has to hold what scorers look at.
   */
  end({ case: { id }, repetition, attempt }: Trial, outcome: TrialOutcome, row: JsonObject, isSettled: boolean): void {
    const place = this.#append({ ended: id, repetition, attempt, outcome, settled: isSettled, row });
    this.#ended.set(keyOf({ case: { id }, repetition }), { attempt, outcome, isSettled, left: "", place });
  }

  /** The row of a trial that ended. */
  row({ place }: EndedTrial): JsonObject {
    const { row } = objectIn(jsonValueOf(this.#guard(() => this.#log.read(place))));
    if (!isJsonObject(row)) throw new JournalError(this.path, undefined);
    return row;
  }

  close(isFinished: boolean): void {
    this.#append({ over: true, finished: isFinished });
  }

  /** The results stand, and nobody goes on. */
  remove(): void {
    this.#guard(() => {
      rmSync(this.path, { force: true });
    });
  }

  [Symbol.dispose](): void {
    this.#log[Symbol.dispose]();
  }

  #append(line: JsonObject): LinePlace {
    return this.#guard(() => this.#log.append(JSON.stringify(line)));
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      if (fileErrorCode(cause) === undefined) throw cause;
      throw new JournalError(this.path, cause);
    }
  }
}

/** A journal, as far as its lines are whole. */
function readJournal(log: LineLog) {
  const ended = new Map<string, EndedTrial>();
  const journal = { digest: "", nonce: "", isBegun: false, isOver: false, isFinished: false, bytes: 0, ended };
  for (const { text, ...place } of log.lines()) {
    const line = objectIn(jsonValueOf(text));
    const { digest, nonce, begun, ended: id, repetition, attempt, settled, over, finished, row } = line;
    if (Object.keys(line).length === 0) break;
    if (typeof digest === "string" && typeof nonce === "string") Object.assign(journal, { digest, nonce });
    journal.isBegun ||= begun !== undefined;
    journal.isOver = over !== undefined;
    journal.isFinished = finished === true;
    if (typeof id === "string" && typeof repetition === "number" && typeof attempt === "number") {
      const isSettled = settled === true;
      // A process that is cancelled may be killed before it writes that it is over.
      const outcome = outcomeIn(line) ?? "unverified";
      const isAnswer = outcome === "answered" && !isSettled;
      // Earlier versions kept no state, and without it scorers would find nothing to look at.
      const isScored = isAnswer && objectIn(objectIn(row)["actual_outputs"])["state"] !== undefined;
      const open = isScored ? "score" : isAnswer || outcome === "cancelled" ? "ask" : "";
      ended.set(keyOf({ case: { id }, repetition }), { attempt, outcome, isSettled, left: open, place });
    }
    if (journal.isOver) {
      for (const [key, trial] of ended) {
        if (trial.left === "" && !trial.isSettled) ended.set(key, { ...trial, left: "ask" });
      }
    }
    journal.bytes = place.offset + place.bytes + 1;
  }
  return journal;
}
