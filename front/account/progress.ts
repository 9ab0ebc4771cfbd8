import { bytesText, rateText } from "../../src/text/bytes.ts";
import { durationText } from "../../src/text/duration.ts";
import { countOf, countText } from "../../src/text/number.ts";
import type { Block } from "./part.ts";

// What is over sooner needs no line about its progress, and no rate.
const LONG_MILLISECONDS = 5_000;
const HEARTBEAT_MILLISECONDS = 30_000;
const LEAST_SHARE = 0.1;

export interface SentSoFar {
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Since the upload began. */
  readonly milliseconds: number;
}

/**
 * Says how far uploads are: after 5 s, then for each further tenth, at the latest after 30 s. `name` distinguishes several of
 * them.
 */
export class UploadLines {
  /** The last line: when it was due, and what was sent by then. */
  #at = 0;
  #sent = 0;
  #name: string | undefined;

  /** `Upload        42 %, 0.8 MB of 1.9 MB, 1.2 MB/s`, when it is time for it. */
  soFar({ sentBytes: sent, totalBytes: total, milliseconds }: SentSoFar, name?: string): Block | undefined {
    if (name !== this.#name) [this.#at, this.#sent] = [0, 0];
    this.#name = name;
    const amounts = `${bytesText(sent)} of ${bytesText(total)}, ${rateText(sent, milliseconds)}`;
    return this.#soFar(sent, total, milliseconds, prefix(name), amounts);
  }

  /** `Upload        42 %, 100 of 240 runs, 20 runs/s`, when it is time for it. */
  runsSoFar(sent: number, total: number, milliseconds: number): Block | undefined {
    const amounts = `${countText(sent)} of ${countOf(total, "run")}, ${countRate(sent, "run", milliseconds)}`;
    return this.#soFar(sent, total, milliseconds, "", amounts);
  }

  #soFar(sent: number, total: number, milliseconds: number, before: string, amounts: string): Block | undefined {
    // An attempt that begins anew, and another upload.
    if (sent < this.#sent || milliseconds < this.#at) this.#sent = 0;
    if (milliseconds < this.#at) this.#at = 0;
    const waited = milliseconds - this.#at;
    const isFurther = sent - this.#sent >= total * LEAST_SHARE;
    // The end has its own line.
    if (sent >= total || waited < LONG_MILLISECONDS) return undefined;
    if (!isFurther && waited < HEARTBEAT_MILLISECONDS) return undefined;
    this.#at = milliseconds;
    this.#sent = sent;
    return { label: "Upload", text: `${before}${String(Math.floor((100 * sent) / total))} %, ${amounts}` };
  }

  /** `Uploaded      1.9 MB in 0.4 s` */
  done(bytes: number, milliseconds: number, name?: string): Block {
    const rate = milliseconds < LONG_MILLISECONDS ? "" : `, ${rateText(bytes, milliseconds)}`;
    return { label: "Uploaded", text: `${prefix(name)}${bytesText(bytes)} in ${durationText(milliseconds)}${rate}` };
  }
}

/** Says how far the reading is: first after 5 s, then every 30 s, over all files together. */
export class ReadingLines {
  #files = 0;
  #file?: string;
  /** Of the files before this one, and of this one. */
  #before = 0;
  #now = 0;
  #next = LONG_MILLISECONDS;

  /**
   * `Reading       eval/big.json: 54,500 rows, 5 s, 10,900 rows/s`, when it is time for it; the time is that of the file,
   * and `noun` is what is counted.
   */
  soFar({ file, rows, milliseconds }: ReadSoFar, noun = "row"): Block | undefined {
    if (file !== this.#file) this.#before += this.#now;
    this.#file = file;
    this.#now = milliseconds;
    const elapsed = this.#before + milliseconds;
    if (elapsed < this.#next) return undefined;
    this.#next = elapsed + HEARTBEAT_MILLISECONDS;
    return { label: "Reading", text: `${file}: ${readingText(rows, noun, milliseconds)}` };
  }

  /** Counts a file that was read, from 1. */
  fileRead(): number {
    this.#files += 1;
    return this.#files;
  }
}

export interface ReadSoFar {
  readonly file: string;
  readonly rows: number;
  /** Since the file was begun. */
  readonly milliseconds: number;
}

/** The line about reading that took long: `read: 1,199 rows, 12 s, 99.9 rows/s`; none where it did not. */
export function longReading(count: number, noun: string, milliseconds: number): readonly string[] {
  return milliseconds < LONG_MILLISECONDS ? [] : [`read: ${readingText(count, noun, milliseconds)}`];
}

/** `10,900 rows/s`; empty when there is nothing to divide by. */
export function countRate(count: number, noun: string, milliseconds: number): string {
  const rate = (count / milliseconds) * 1_000;
  // More than three digits of a rate are noise.
  return Number.isFinite(rate) ? `${countText(Number(rate.toPrecision(3)))} ${noun}s/s` : "";
}

function readingText(count: number, noun: string, milliseconds: number): string {
  const parts = [countOf(count, noun), durationText(milliseconds), countRate(count, noun, milliseconds)];
  return parts.filter((part) => part !== "").join(", ");
}

function prefix(name: string | undefined): string {
  return name === undefined ? "" : `${name}: `;
}
