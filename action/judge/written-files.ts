import { randomUUID } from "node:crypto";
import { mkdtemp, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { RunnerFileError } from "../step/runner-file-error.ts";
import type { JudgeEvent } from "./events.ts";
import type { JudgeInputs, Written } from "./inputs.ts";

const PREFIX = "graph-deploy-judgement-";

/** Writes the files of a judgement: where the inputs say, and else into one new directory of the job. */
export class WrittenFiles {
  readonly #given: JudgeInputs["paths"];
  readonly #temp: string;
  readonly #emit: (event: JudgeEvent) => void;
  #directory: string | undefined;

  constructor(given: JudgeInputs["paths"], temp: string, emit: (event: JudgeEvent) => void) {
    this.#given = given;
    this.#temp = temp;
    this.#emit = emit;
  }

  /** A reader of the file sees the one that was there before, or all of the new one. */
  async write(what: Written, defaultName: string, text: string): Promise<void> {
    await this.make(what, defaultName, async (path) => {
      const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(draft, text, { flag: "wx" });
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined);
        throw new RunnerFileError(`\`${what}\``, path, error);
      }
    });
  }

  /** `make` makes the file at a path; `name` is what the user calls it. */
  async make(
    what: Written,
    defaultName: string,
    make: (path: string, name: string) => Promise<void> | void,
  ): Promise<void> {
    const path = this.#given[what] ?? join(await this.#defaultDirectory(), defaultName);
    await make(path, path);
    this.#emit({ type: "written", what, path, bytes: (await stat(path)).size });
  }

  async #defaultDirectory(): Promise<string> {
    try {
      this.#directory ??= await mkdtemp(join(this.#temp, PREFIX));
      return this.#directory;
    } catch (error) {
      throw new RunnerFileError("RUNNER_TEMP", this.#temp, error);
    }
  }
}
