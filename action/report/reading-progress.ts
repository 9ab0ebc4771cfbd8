const LEAST_MILLISECONDS = 5_000;
const HEARTBEAT_MILLISECONDS = 30_000;

/** Decides which news of the reading is worth a line: first after 5 s, then every 30 s, over all files together. */
export class ReadingProgress {
  #file: string | undefined;
  /** Of the files before this one, and of this one. */
  #before = 0;
  #now = 0;
  #next = LEAST_MILLISECONDS;

  /** True when a line is due; it counts as printed then. `milliseconds` are those of this file. */
  isDue(file: string, milliseconds: number): boolean {
    if (file !== this.#file) this.#before += this.#now;
    this.#file = file;
    this.#now = milliseconds;
    const elapsed = this.#before + milliseconds;
    if (elapsed < this.#next) return false;
    this.#next = elapsed + HEARTBEAT_MILLISECONDS;
    return true;
  }
}
