import { bytesText, rateText } from "../../src/text/bytes.ts";
import { durationText } from "../../src/text/duration.ts";
import { countOf, countText } from "../../src/text/number.ts";
import type { Printer } from "./printer.ts";

// What is over sooner needs no line about its progress, and no rate.
const LONG_MILLISECONDS = 5_000;
const HEARTBEAT_MILLISECONDS = 30_000;
const LEAST_SHARE = 0.1;

/** How far an upload is. */
export interface SentSoFar {
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Since the upload began. */
  readonly milliseconds: number;
}

/** Decides when an upload gets a line: after 5 s, then for each further tenth, at the latest after 30 s. */
export class UploadProgress {
  #at = 0;
  #sent = 0;

  /** True when a line is due; it counts as printed then. */
  isDue(sentBytes: number, totalBytes: number, milliseconds: number): boolean {
    // An attempt that begins anew, and another upload.
    if (sentBytes < this.#sent || milliseconds < this.#at) this.#sent = 0;
    if (milliseconds < this.#at) this.#at = 0;
    const waited = milliseconds - this.#at;
    const isFurther = sentBytes - this.#sent >= totalBytes * LEAST_SHARE;
    // The end has its own line.
    if (sentBytes >= totalBytes || waited < LONG_MILLISECONDS) return false;
    if (!isFurther && waited < HEARTBEAT_MILLISECONDS) return false;
    this.#at = milliseconds;
    this.#sent = sentBytes;
    return true;
  }
}

/** Prints the progress of uploads. `name` distinguishes several of them. */
export class UploadLines {
  readonly #print: Printer;
  #progress = new UploadProgress();
  #name: string | undefined;

  constructor(print: Printer) {
    this.#print = print;
  }

  /** `Upload        42 %, 0.8 MB of 1.9 MB, 1.2 MB/s`, when it is time for it. */
  soFar({ sentBytes: sent, totalBytes: total, milliseconds }: SentSoFar, name?: string): void {
    if (name !== this.#name) this.#progress = new UploadProgress();
    this.#name = name;
    const amounts = `${bytesText(sent)} of ${bytesText(total)}, ${rateText(sent, milliseconds)}`;
    this.#soFar(sent, total, milliseconds, (percent) => `${prefix(name)}${percent}, ${amounts}`);
  }

  /** `Upload        42 %, 100 of 240 runs, 20 runs/s`, when it is time for it. */
  runsSoFar(sent: number, total: number, milliseconds: number): void {
    const amounts = `${countText(sent)} of ${countOf(total, "run")}, ${countRate(sent, "run", milliseconds)}`;
    this.#soFar(sent, total, milliseconds, (percent) => `${percent}, ${amounts}`);
  }

  #soFar(sent: number, total: number, milliseconds: number, text: (percent: string) => string): void {
    if (!this.#progress.isDue(sent, total, milliseconds)) return;
    this.#print.line("Upload", text(`${String(Math.floor((100 * sent) / total))} %`));
  }

  /** `Uploaded      1.9 MB in 0.4 s` */
  done(bytes: number, milliseconds: number, name?: string): void {
    const rate = milliseconds < LONG_MILLISECONDS ? "" : `, ${rateText(bytes, milliseconds)}`;
    this.#print.line("Uploaded", `${prefix(name)}${bytesText(bytes)} in ${durationText(milliseconds)}${rate}`);
  }
}

/** Prints the progress of reading: first after 5 s, then every 30 s, over all files together. */
export class ReadingLines {
  readonly #print: Printer;
  #file: string | undefined;
  /** Of the files before this one, and of this one. */
  #before = 0;
  #now = 0;
  #next = LONG_MILLISECONDS;

  constructor(print: Printer) {
    this.#print = print;
  }

  /**
   * `Reading       eval/big.json: 54,500 rows, 5 s, 10,900 rows/s`, when it is time for it; the time is that of the file,
   * and `noun` is what is counted.
   */
  soFar(file: string, count: number, milliseconds: number, noun = "row"): void {
    if (file !== this.#file) this.#before += this.#now;
    this.#file = file;
    this.#now = milliseconds;
    const elapsed = this.#before + milliseconds;
    if (elapsed < this.#next) return;
    this.#next = elapsed + HEARTBEAT_MILLISECONDS;
    this.#print.line("Reading", `${file}: ${readingText(count, noun, milliseconds)}`);
  }
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
