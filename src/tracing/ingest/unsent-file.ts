import { appendFile } from "node:fs/promises";
import { UnsentFileError } from "../client/errors.ts";

// It holds what the runs hold.
const OWNER_ONLY = 0o600;

/** Runs that could not be sent, a line of JSON each, to be sent again later. */
export class UnsentFile {
  readonly path: string;
  // One write at a time: lines must not be mixed.
  #written: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** Appends; throws UnsentFileError, and the lines are lost then. */
  async append(lines: readonly string[]): Promise<void> {
    const text = lines.map((line) => `${line}\n`).join("");
    const write = this.#written.then(() => appendFile(this.path, text, { mode: OWNER_ONLY }));
    this.#written = write.catch(() => undefined);
    try {
      await write;
    } catch (cause) {
      throw new UnsentFileError(`The runs that could not be sent cannot be written to ${this.path}.`, { cause });
    }
  }
}
