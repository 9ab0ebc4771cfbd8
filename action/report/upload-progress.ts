const LEAST_MILLISECONDS = 5_000;
const LEAST_SHARE = 0.1;
// A slow upload lives even when it has not come a tenth further.
const HEARTBEAT_MILLISECONDS = 30_000;

/** Decides which news of an upload is worth a line: a tenth more, not before 5 s; at the latest after 30 s. */
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
    // The end has a line of its own.
    if (sentBytes >= totalBytes || waited < LEAST_MILLISECONDS) return false;
    if (!isFurther && waited < HEARTBEAT_MILLISECONDS) return false;
    this.#at = milliseconds;
    this.#sent = sentBytes;
    return true;
  }
}
