import { lstatSync, readdirSync, readlinkSync, type Dirent } from "node:fs";
import { sep } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SourceEntry } from "../entry/entry.ts";
import type { SourceFault } from "../entry/errors.ts";
import { describeReadError, fileErrorCode } from "../../files/file-error.ts";
import { hasSay, scopeInside, type IgnoreRules } from "../ignore/ignore-rules.ts";
import { LeftOutTally } from "../ignore/left-out.ts";
import { printable } from "../../text/quoted.ts";
import {
  absoluteOf,
  folded,
  folderOf,
  pathOf,
  placeIn,
  type Folder,
  type Place,
  type PlaceKind,
} from "../entry/place.ts";
import type { Rule } from "../ignore/rule.ts";
import type { IgnoredPlace } from "./checkout-check.ts";
import { enterScope, isOfGitignore, type Scope } from "../ignore/scope.ts";
import type { WalkSightings } from "./sightings.ts";
import { Warnings } from "./warnings.ts";

export interface Visit {
  readonly folder: Folder;
  readonly scope: Scope;
}

export interface WalkDeps {
  readonly rules: IgnoreRules;
  /** The agent project from the archive's root. */
  readonly project: string;
  /** Notes everything that decides what the walk finds. */
  readonly seen?: WalkSightings | undefined;
  /** Called on the way with how many bytes have been found. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  readonly signal: AbortSignal;
}

const FOLDERS_PER_TURN = 64;
// Each costs some memory, for a warning that names five.
const MOST_IGNORED = 10_000;
const FOLDABLE = /[A-Z]|\P{ASCII}/u;

/** Reads directories and parts what is in them into packed and left out. Synchronous: a promise per file costs more. */
export class Walk {
  readonly entries: SourceEntry[] = [];
  readonly faults: SourceFault[] = [];
  readonly warnings = new Warnings();
  readonly leftOut = new LeftOutTally();
  /** What ignore files of git leave out: git may track it all the same. */
  readonly ignored: IgnoredPlace[] = [];
  /** The sum of the sizes of the entries. */
  bytes = 0;
  readonly #deps: WalkDeps;
  readonly #visits: Visit[] = [];

  constructor(deps: WalkDeps) {
    this.#deps = deps;
  }

  async run(starts: readonly Visit[]): Promise<void> {
    for (const { folder, scope } of starts) this.#visit(folder, scope, this.#read(folder));
    let count = 0;
    // In the order in which they were found, so that what is found in them is nearly in the order of the archive.
    for (const visit of this.#visits) {
      if (count++ % FOLDERS_PER_TURN === 0) {
        this.#deps.onBytes?.(this.bytes);
        // A signal arrives between two turns of the event loop only.
        await nextTurn();
      }
      this.#deps.signal.throwIfAborted();
      const dirents = this.#read(visit.folder);
      const isEnvironment = dirents.some(({ name }) => name === "pyvenv.cfg");
      this.#visit(visit.folder, scopeInside(visit.scope, visit.folder, isEnvironment), dirents);
    }
  }

  #read(folder: Folder): readonly Dirent[] {
    const read = () => {
      this.#deps.seen?.others.add(folder.absolute, lstatSync(folder.absolute));
      return readdirSync(folder.absolute, { withFileTypes: true });
    };
    return this.#look(folder.prefix.slice(0, -1), read) ?? [];
  }

  #visit(folder: Folder, outer: Scope, dirents: readonly Dirent[]): void {
    if (outer.inherited && !this.#deps.rules.mayIncludeBelow(folder.fromProject, outer.inherited)) {
      this.leftOut.addFolder(outer.inherited, folder.prefix, folder.absolute);
      this.#noteIgnored({ absolute: folder.absolute, isFolder: true, rule: outer.inherited });
      return;
    }
    const mayHold = (name: string) => dirents.some((dirent) => dirent.name === name);
    const onLink = (path: string) => {
      this.warnings.add("linked-ignore-file", path);
    };
    const scope = this.#look(`an ignore file in ${folder.prefix === "" ? "." : folder.prefix}`, () =>
      enterScope(outer, folder, { mayHold, onLink }),
    );
    if (!scope) return;
    const taken = dirents.filter((dirent) => this.#take(scope, placeIn(folder, dirent.name, kindOf(dirent))));
    this.#warnOfTwins(folder, taken);
  }

  /** True when the place is packed, or is a directory of which something may be. */
  #take(scope: Scope, place: Place): boolean {
    const { leftOutBy, secret, below } = this.#deps.rules.decide(scope, place);
    if (leftOutBy && !below) return this.#leaveOut(place, leftOutBy);
    const path = pathOf(place);
    if (secret) this.warnings.add("included-secret", path);
    if (below && place.kind === "folder") {
      this.#visits.push({ folder: folderOf(place, this.#deps.project), scope: below });
      return true;
    }
    const entry = this.#look(path, () => this.#entryOf(place, path));
    if (entry) this.entries.push(entry);
    return entry !== undefined;
  }

  #leaveOut(place: Place, rule: Rule): false {
    const absolute = absoluteOf(place);
    const { seen } = this.#deps;
    if (seen && place.kind === "file" && hasSay(place.name)) {
      const stats = this.#look(pathOf(place), () => lstatSync(absolute, { throwIfNoEntry: false }));
      // One that went away is seen by its directory.
      if (stats) seen.others.add(absolute, stats);
    }
    // It is never needed, and the count of its objects means nothing.
    if (place.name === ".git") return false;
    this.#noteIgnored({ absolute, isFolder: place.kind === "folder", rule });
    if (place.kind === "folder") this.leftOut.addFolder(rule, pathOf(place), absolute);
    else this.leftOut.addFile(rule, pathOf(place));
    return false;
  }

  #noteIgnored(place: IgnoredPlace): void {
    if (isOfGitignore(place.rule) && this.ignored.length < MOST_IGNORED) this.ignored.push(place);
  }

  #entryOf(place: Place, path: string): SourceEntry | undefined {
    const absolute = absoluteOf(place);
    if (place.kind === "link") {
      this.#deps.seen?.members.add(absolute, lstatSync(absolute));
      const target = readlinkSync(absolute).split(sep).join("/");
      return { path, type: "symlink", size: 0, mode: 0o755, target };
    }
    const stats = lstatSync(absolute);
    if (place.kind === "file") {
      this.#deps.seen?.members.add(absolute, stats);
      this.bytes += stats.size;
      return { path, type: "file", size: stats.size, mode: (stats.mode & 0o100) === 0 ? 0o644 : 0o755 };
    }
    const what = stats.isSocket() ? "a socket" : stats.isFIFO() ? "a FIFO" : "a device";
    this.warnings.add("special-file", `${printable(path)} (${what})`);
    return undefined;
  }

  // On Linux both stay, and the archive is for Linux; elsewhere a checkout of the same tree differs from this one.
  #warnOfTwins(folder: Folder, dirents: readonly Dirent[]): void {
    // Two names that are their own folded form, as most are, are twins only when they are equal.
    if (!dirents.some(({ name }) => FOLDABLE.test(name))) return;
    const seen = new Map<string, string>();
    for (const { name } of dirents) {
      const twin = seen.get(folded(name));
      if (twin === undefined) {
        seen.set(folded(name), name);
        continue;
      }
      const pair = [twin, name].sort().map((each) => folder.prefix + each);
      this.warnings.add("name-twin", pair.join(" and "));
    }
  }

  /** What `look` returns, or undefined and a fault that names the path when the file system refuses. */
  #look<Result>(path: string, look: () => Result): Result | undefined {
    try {
      return look();
    } catch (error) {
      const problem = describeReadError(error);
      if (problem === undefined) throw error;
      const name = printable(path === "" ? "." : path);
      if (fileErrorCode(error) !== "ENOENT") {
        const advice = `Make ${name} readable, or exclude it.`;
        this.faults.push({ message: `${name} ${problem}`, advice, reason: "FILE_UNREADABLE" });
      } else if (name.includes("\uFFFD")) {
        // Node decodes names as UTF-8, and a name with a replacement in it names nothing.
        this.faults.push({ message: `${name} has a name that is not UTF-8`, advice: "Rename it." });
      } else {
        const message = `${name} was removed while the source was read`;
        const advice = `Let the program that removes ${name} finish before the deploy, or exclude it.`;
        this.faults.push({ message, advice, reason: "FILE_GONE" });
      }
      return undefined;
    }
  }
}

function kindOf(dirent: Dirent): PlaceKind {
  if (dirent.isFile()) return "file";
  if (dirent.isDirectory()) return "folder";
  return dirent.isSymbolicLink() ? "link" : "other";
}
