import { appendFile } from "node:fs/promises";
import type { SentRun } from "../reading/trace-set.ts";

const BLOCK_CHARACTERS = 512 * 1024;
// It holds what the runs hold.
const OWNER_ONLY = 0o600;

/** A file of runs in the own form, one a line, which this workflow reads again. */
export class RunsFile {
  readonly path: string;
  bytes = 0;
  #lines: string[] = [];
  #characters = 0;

  /** Adds to the file when there is one. */
  constructor(path: string) {
    this.path = path;
  }

  async add({ event, run }: SentRun): Promise<void> {
    const line = `${JSON.stringify(event === "patch" ? { event, ...run } : run)}\n`;
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= BLOCK_CHARACTERS) await this.flush();
  }

  /** Writes what was added. */
  async flush(): Promise<void> {
    const text = this.#lines.join("");
    this.#lines = [];
    this.#characters = 0;
    this.bytes += Buffer.byteLength(text);
    await appendFile(this.path, text, { mode: OWNER_ONLY });
  }
}
