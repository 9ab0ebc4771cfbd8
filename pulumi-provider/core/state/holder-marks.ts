import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DRAFT } from "../../../src/files/whole-file.ts";
import { textIn } from "./state.ts";
import { isUsable, readWhole, writeWhole, type UserDirectory } from "./user-files.ts";

// A mark has about 300 bytes.
const LIMIT_BYTES = 16 * 1024;
/** How many marks a user's directory has at most; the oldest go first. */
export const MOST_MARKS = 2_000;
const LONGEST_RUN_MILLISECONDS = 24 * 60 * 60_000;

/** A resource that may hold a deployment, as far as its provider knows it. */
export interface Holder {
  /** What distinguishes it from the others. */
  readonly key: string;
  readonly name?: string;
  /** Only a plugin hears it. */
  readonly urn?: string | undefined;
}

/** What shows that a resource holds a deployment. */
export interface Mark {
  readonly file: string;
  /** True for what outlasts the run that left it. */
  readonly isLasting: boolean;
  /** True while the process runs that left it. */
  readonly isAlive: boolean;
  readonly urn: string | undefined;
  /** The directory of its program. */
  readonly program: string | undefined;
}

/** Where marks are, and which run this is. */
export interface MarksPlace extends UserDirectory {
  /** The address of the engine: all providers of a run have the same. */
  readonly engine: string | undefined;
  /** Absolute. */
  readonly programDirectory: string;
  /** This process, and what asks whether another one runs. */
  readonly process: { readonly pid: number; readonly kill: (pid: number, signal: 0) => unknown };
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Which resource holds which deployment, in files of this machine: a run has a process for each kind of provider, and each
 * knows only its own resources. What a run knows is beside the address of its engine; a resource that has adopted a
 * deployment leaves a mark that lasts until it is deleted, because a later run may call only the provider of the resource
 * that it was adopted from, and so do all resources that a run shows to hold the same one. Each mark is a file of its own, so that no process writes what another one does. A mark has no
 * secret.
 */
export class HolderMarks {
  readonly #place: MarksPlace;
  readonly #now: () => number;
  // What this process has written of its run.
  readonly #ofRun = new Set<string>();
  #isSwept = false;

  constructor(place: MarksPlace) {
    this.#place = place;
    this.#now = place.now ?? Date.now;
  }

  get directory(): string {
    return this.#place.directory;
  }

  /** Notes for this run that a resource holds a deployment. */
  note(id: string, holder: Holder): boolean {
    return this.#place.engine === undefined || this.#write(this.#fileOf("held", id, holder.key, this.#run), holder);
  }

  /** Notes for later runs, too, that a resource has adopted a deployment. */
  keep(id: string, holder: Holder): boolean {
    const file = this.#fileOf("held", id, holder.key, LASTING);
    if (!this.#write(file, holder)) return false;
    // A run that was killed after it had left its mark: the state does not know that resource, and this one is in its place.
    const others = holder.urn === undefined ? [] : this.others(id, holder.key);
    const former = others.filter((mark) => mark.isLasting && !mark.isAlive);
    const isSame = ({ urn, program }: Mark) => urn === holder.urn && program === this.#place.programDirectory;
    for (const mark of former.filter(isSame)) rmSync(mark.file, { force: true });
    return true;
  }

  /** Keeps for later runs, too, what this one has noted of other resources that hold a deployment. True where there is one. */
  keepOthers(id: string, key: string): boolean {
    const others = this.others(id, key);
    for (const { file, isLasting } of others) {
      const lasting = file.replace(/[\da-f]+\.json$/, `${LASTING}.json`);
      const noted = isLasting ? undefined : readWhole(file, LIMIT_BYTES);
      if (noted && !others.some((other) => other.file === lasting)) writeWhole(lasting, noted);
    }
    return others.length > 0;
  }

  /** Takes back what was noted of a resource. */
  release(id: string, key: string): void {
    for (const span of [this.#run, LASTING]) this.#remove(this.#fileOf("held", id, key, span));
  }

  /** What shows that other resources hold a deployment. A mark that cannot be read is one. */
  others(id: string, key: string): readonly Mark[] {
    const own = short(key);
    return this.#list("held", id)
      .filter(({ holder, span }) => holder !== own && (span === LASTING || span === this.#run))
      .filter(({ span, file }) => span === LASTING || this.#isRecent(file))
      .map(({ file, span }) => {
        const mark = readWhole(file, LIMIT_BYTES) ?? {};
        const [urn, program] = [textIn(mark, "urn") ?? undefined, textIn(mark, "program") ?? undefined];
        return { file, isLasting: span === LASTING, isAlive: this.#isAlive(mark["pid"]), urn, program };
      });
  }

  /** Notes for this run that the resource which made a deployment has left it to another one. */
  noteLeft(id: string, key: string): void {
    if (this.#place.engine !== undefined) this.#write(this.#fileOf("left", id, key, this.#run), { key });
  }

  /** Takes that back. */
  forgetLeft(id: string, key: string): void {
    this.#remove(this.#fileOf("left", id, key, this.#run));
  }

  /** True when the resource that made a deployment has left it in this run: its process then still runs. */
  isLeft(id: string): boolean {
    return this.#list("left", id).some(
      ({ span, file }) => span === this.#run && this.#isAlive(readWhole(file, LIMIT_BYTES)?.["pid"]),
    );
  }

  /** Removes what this process has noted of its run, which is over. */
  end(): void {
    for (const file of this.#ofRun) rmSync(file, { force: true });
    this.#ofRun.clear();
  }

  get #run(): string {
    return short(this.#place.engine ?? "");
  }

  #fileOf(kind: Kind, id: string, key: string, span: string): string {
    return join(this.#place.directory, `${kind}.${short(id.toLowerCase())}.${short(key)}.${span}.json`);
  }

  #write(file: string, { key: _, ...holder }: Holder): boolean {
    if (!isUsable(this.#place)) return false;
    this.#sweep();
    if (!file.endsWith(`.${LASTING}.json`)) this.#ofRun.add(file);
    const noted = new Date(this.#now()).toISOString();
    return writeWhole(file, { ...holder, program: this.#place.programDirectory, pid: this.#place.process.pid, noted });
  }

  #remove(file: string): void {
    this.#ofRun.delete(file);
    rmSync(file, { force: true });
  }

  #list(kind: Kind, id: string): readonly Named[] {
    return marksIn(this.#place, `${kind}.${short(id.toLowerCase())}.`);
  }

  /** True while a process runs. A process that may not be asked runs. */
  #isAlive(pid: unknown): boolean {
    if (typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0) return false;
    try {
      this.#place.process.kill(pid, 0);
      return true;
    } catch (error) {
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  }

  #isRecent(file: string): boolean {
    return this.#now() - timeOf(file) < LONGEST_RUN_MILLISECONDS;
  }

  /** Removes what killed processes have left of earlier runs, and the oldest of too many. */
  #sweep(): void {
    if (this.#isSwept) return;
    this.#isSwept = true;
    const drafts = namesIn(this.#place).filter((name) => name.endsWith(DRAFT));
    const marks = marksIn(this.#place);
    const lasting = marks.filter(({ span }) => span === LASTING).map(({ file }) => file);
    const ofRuns = marks.filter(({ span }) => span !== LASTING).map(({ file }) => file);
    const left = [...drafts.map((name) => join(this.#place.directory, name)), ...ofRuns];
    const surplus = [lasting, ofRuns].flatMap((files) => {
      const count = files.length - MOST_MARKS;
      if (count <= 0) return [];
      const byAge = files.map((file) => ({ file, time: timeOf(file) })).sort((one, other) => one.time - other.time);
      return byAge.slice(0, count).map(({ file }) => file);
    });
    for (const file of [...left.filter((one) => !this.#isRecent(one)), ...surplus]) rmSync(file, { force: true });
  }
}

type Kind = "held" | "left";

interface Named {
  readonly file: string;
  readonly holder: string;
  readonly span: string;
}

const LASTING = "lasting";
const MARK = /^(?:held|left)\.[\da-f]{24}\.([\da-f]{24})\.([\da-f]{24}|lasting)\.json$/;

/** All marks, or those whose names begin so: a directory of thousands is looked at for every deployment. */
function marksIn(place: UserDirectory, start = ""): readonly Named[] {
  const names = namesIn(place).filter((name) => name.startsWith(start));
  return names.flatMap((name) => {
    const [, holder = "", span = ""] = MARK.exec(name) ?? [];
    return span === "" ? [] : [{ file: join(place.directory, name), holder, span }];
  });
}

function namesIn(place: UserDirectory): readonly string[] {
  if (!isUsable(place)) return [];
  try {
    return readdirSync(place.directory);
  } catch {
    return [];
  }
}

function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function short(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 24);
}
