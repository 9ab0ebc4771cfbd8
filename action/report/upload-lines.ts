import { bytesText, rateText } from "../../src/text/bytes.ts";
import { durationText } from "../../src/text/duration.ts";
import type { Printer } from "./printer.ts";
import { UploadProgress } from "./upload-progress.ts";

const LONG_MILLISECONDS = 5_000;

/** How far an upload is. */
export interface SentSoFar {
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Since the upload began. */
  readonly milliseconds: number;
}

/** The lines about uploads, of which a long one shows that it lives. `name` tells one of several uploads. */
export class UploadLines {
  readonly #print: Printer;
  #progress = new UploadProgress();
  #name: string | undefined;

  constructor(print: Printer) {
    this.#print = print;
  }

  /** `Upload        42 %, 0.8 MB of 1.9 MB, 1.2 MB/s`, when it is time for it. */
  soFar({ sentBytes, totalBytes, milliseconds }: SentSoFar, name?: string): void {
    if (name !== this.#name) this.#progress = new UploadProgress();
    this.#name = name;
    if (!this.#progress.isDue(sentBytes, totalBytes, milliseconds)) return;
    const percent = String(Math.floor((100 * sentBytes) / totalBytes));
    const sent = `${bytesText(sentBytes)} of ${bytesText(totalBytes)}`;
    this.#print.line("Upload", `${prefix(name)}${percent} %, ${sent}, ${rateText(sentBytes, milliseconds)}`);
  }

  /** `Uploaded      1.9 MB in 0.4 s` */
  done(bytes: number, milliseconds: number, name?: string): void {
    const rate = milliseconds < LONG_MILLISECONDS ? "" : `, ${rateText(bytes, milliseconds)}`;
    this.#print.line("Uploaded", `${prefix(name)}${bytesText(bytes)} in ${durationText(milliseconds)}${rate}`);
  }
}

function prefix(name: string | undefined): string {
  return name === undefined ? "" : `${name}: `;
}
