import { hash, randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { fileErrorCode } from "../files/file-error.ts";
import { jsonValueOf } from "../files/json/parsed-value.ts";
import type { JsonObject, JsonValue } from "../files/json/value.ts";
import { isJsonObject } from "../files/json-object.ts";
import type { Trial } from "./evaluation.ts";

const BLOCK_BYTES = 1024 * 1024;

/** What an evaluation needs to go on after its process was killed cannot be kept. */
export class JournalError extends GraphDeployError {
  readonly code = "EVALUATION_JOURNAL";
  readonly path: string;

  constructor(path: string, cause: unknown) {
    const code = fileErrorCode(cause) ?? "";
    const why = code === "ENOSPC" ? "the disk is full" : "reading or writing it failed";
    super(`The journal ${path} cannot be kept: ${why} (${code}).`, { cause });
    this.path = path;
  }
}

/** How a trial ended last. */
export interface EndedTrial {
  readonly attempt: number;
  readonly outcome: string;
  /** No later evaluation has a reason to ask it again. */
  readonly isSettled: boolean;
  /** An earlier evaluation left it for this one to ask it again. */
  readonly isOpen: boolean;
  /** Its line in the journal. */
  readonly offset: number;
  readonly bytes: number;
}

export interface JournalRequest {
  readonly resultsPath: string;
  /** Of all that decides what is asked, and how it is scored. */
  readonly digest: string;
  /** A new one is made where none is given; a journal that is taken up keeps its own. */
  readonly nonce: string | undefined;
  readonly resume: boolean;
}

/**
 * What was begun and what has ended, line by line in a file beside the results: a process that is killed leaves what it
 * wrote. A journal with the same digest is taken up, one that is finished only by its own nonce; any other is put aside.
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
  readonly #descriptor: number;
  #bytes: number;

  constructor({ resultsPath, digest, nonce, resume }: JournalRequest) {
    this.path = `${resultsPath}.journal.jsonl`;
    let descriptor = this.#guard(() => {
      mkdirSync(dirname(this.path), { recursive: true });
      return openSync(this.path, "a+");
    });
    const found = this.#guard(() => readJournal(descriptor));
    const isOurs = resume && found.digest === digest && (!found.isFinished || found.nonce === nonce);
    this.aside = isOurs || found.size === 0 ? "" : `${this.path}.aside`;
    this.#descriptor = this.#guard(() => {
      if (this.aside !== "") {
        closeSync(descriptor);
        renameSync(this.path, this.aside);
        descriptor = openSync(this.path, "a+");
      }
      // A process that is killed may leave half a line.
      ftruncateSync(descriptor, isOurs ? found.bytes : 0);
      return descriptor;
    });
    const ownNonce = isOurs ? found.nonce : (nonce ?? randomUUID());
    this.evaluation = hash("sha256", `${digest} ${ownNonce}`).slice(0, 32);
    this.isResumed = isOurs && found.isBegun;
    this.#ended = isOurs ? found.ended : new Map<string, EndedTrial>();
    this.#bytes = isOurs ? found.bytes : 0;
    if (!isOurs) this.#append({ digest, nonce: ownNonce });
  }

  /** How a trial ended last; undefined for one that has not. */
  ended(caseId: string, repetition: number): EndedTrial | undefined {
    return this.#ended.get(keyOf(caseId, repetition));
  }

  /** Before it is asked. */
  begin({ case: { id }, repetition, attempt }: Trial): void {
    this.#append({ begun: id, repetition, attempt });
  }

  /** Before its thread is removed. One that is not settled is asked again by the evaluation that takes this one up. */
  end({ case: { id }, repetition, attempt }: Trial, outcome: string, row: JsonObject, isSettled: boolean): void {
    const place = this.#append({ ended: id, repetition, attempt, outcome, settled: isSettled, row });
    this.#ended.set(keyOf(id, repetition), { attempt, outcome, isSettled, isOpen: false, ...place });
  }

  /** The row of a trial that ended. */
  row({ offset, bytes }: EndedTrial): JsonObject {
    const line = Buffer.allocUnsafe(bytes);
    this.#guard(() => readSync(this.#descriptor, line, 0, bytes, offset));
    return objectIn(objectIn(jsonValueOf(line.toString()))["row"]);
  }

  /** The evaluation is over. */
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
    closeSync(this.#descriptor);
  }

  #append(line: JsonObject): Pick<EndedTrial, "bytes" | "offset"> {
    const text = Buffer.from(`${JSON.stringify(line)}\n`);
    const offset = this.#bytes;
    this.#guard(() => {
      for (let at = 0; at < text.length;) at += writeSync(this.#descriptor, text, at);
    });
    this.#bytes += text.length;
    return { offset, bytes: text.length - 1 };
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
function readJournal(descriptor: number) {
  const ended = new Map<string, EndedTrial>();
  const journal = { digest: "", nonce: "", isBegun: false, isFinished: false, bytes: 0, ended };
  for (const line of wholeLines(descriptor)) {
    const fields = objectIn(jsonValueOf(line.toString()));
    const { digest, nonce, begun, ended: id, repetition, attempt, outcome, settled, over, finished } = fields;
    if (Object.keys(fields).length === 0) break;
    if (typeof digest === "string" && typeof nonce === "string") Object.assign(journal, { digest, nonce });
    journal.isBegun ||= begun !== undefined;
    journal.isFinished = finished === true;
    if (typeof id === "string" && typeof repetition === "number" && typeof attempt === "number") {
      const place = { offset: journal.bytes, bytes: line.length };
      // A process that is cancelled may be killed before it writes that it is over.
      const how = { outcome: String(outcome), isSettled: settled === true, isOpen: outcome === "cancelled" };
      ended.set(keyOf(id, repetition), { attempt, ...how, ...place });
    }
    if (over !== undefined) {
      for (const [key, trial] of ended) ended.set(key, { ...trial, isOpen: !trial.isSettled });
    }
    journal.bytes += line.length + 1;
  }
  return { ...journal, size: fstatSync(descriptor).size };
}

// As bytes: a character may be cut, too.
function* wholeLines(descriptor: number): Generator<Buffer> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let rest = Buffer.alloc(0);
  for (let at = 0, count = -1; count !== 0; at += count) {
    count = readSync(descriptor, block, 0, block.length, at);
    rest = Buffer.concat([rest, block.subarray(0, count)]);
    let from = 0;
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n", from)) {
      yield rest.subarray(from, end);
      from = end + 1;
    }
    rest = rest.subarray(from);
  }
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function keyOf(caseId: string, repetition: number): string {
  return `${String(repetition)} ${caseId}`;
}
