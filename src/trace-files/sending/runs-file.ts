import { appendFile } from "node:fs/promises";
import type { SentRun } from "../reading/trace-set.ts";

/** The prefix of the directories that keep unsent runs; the action recognizes them by it. */
export const UNSENT_PREFIX = "graph-deploy-unsent-";

const BLOCK_CHARACTERS = 512 * 1024;
// It contains what the runs contain.
const OWNER_ONLY = 0o600;

/** A file of runs in the format `jsonl`, one a line, which an upload can read. */
export class RunsFile {
  readonly path: string;
  bytes = 0;
  #lines: string[] = [];
  #characters = 0;

  /** Appends to an existing file. */
  constructor(path: string) {
    this.path = path;
  }

  async add({ event, run }: SentRun): Promise<void> {
    const line = `${JSON.stringify(event === "patch" ? { event, ...run } : run)}\n`;
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= BLOCK_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    const text = this.#lines.join("");
    this.#lines = [];
    this.#characters = 0;
    this.bytes += Buffer.byteLength(text);
    await appendFile(this.path, text, { mode: OWNER_ONLY });
  }
}
