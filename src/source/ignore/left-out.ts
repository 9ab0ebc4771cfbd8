import { join } from "node:path";
import { entriesIn } from "../entry/looks.ts";
import type { LeftOutReason, Rule } from "./rule.ts";

/** What one rule left out. */
export interface LeftOut {
  /** The path of a single secret, else what the rule is called: `.env`, `*.pem`, `node_modules`, `.gitignore`. */
  readonly what: string;
  /** The kind of rule. */
  readonly reason: LeftOutReason;
  /** How many files it left out. */
  readonly files: number;
  /** True when counting was given up: there are at least `files`. */
  readonly atLeast: boolean;
}

interface Tally {
  readonly rule: Rule;
  readonly path: string;
  files: number;
  atLeast: boolean;
}

// Enough for a large node_modules, and a few ms: the number is for people.
const COUNTED_ENTRIES = 20_000;

const REASONS: readonly LeftOutReason[] = ["secret", "built-in", "rule"];

/** Counts what each rule leaves out, without looking at it more than that takes. */
export class LeftOutTally {
  readonly #tallies = new Map<string, Tally>();
  #budget: number;

  /** Files and directories beyond so many are not counted. */
  constructor(mostEntries = COUNTED_ENTRIES) {
    this.#budget = mostEntries;
  }

  addFile(rule: Rule, path: string): void {
    this.#tallyOf(rule, path).files++;
  }

  /** Counts the files below a directory that is left out as a whole. */
  addFolder(rule: Rule, path: string, absolute: string): void {
    const tally = this.#tallyOf(rule, path);
    const folders = [absolute];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const entries = this.#budget > 0 ? entriesIn(folder) : undefined;
      tally.atLeast ||= !entries;
      for (const entry of entries ?? []) {
        this.#budget--;
        if (entry.isDirectory()) folders.push(join(folder, entry.name));
        else tally.files++;
      }
    }
  }

  /** Secrets first, each group by name. */
  list(): readonly LeftOut[] {
    return REASONS.flatMap((reason) =>
      [...this.#tallies.values()]
        .filter(({ rule }) => rule.reason === reason)
        .map(({ rule, path, files, atLeast }) => ({
          what: reason === "secret" && files === 1 ? path : rule.name,
          reason,
          files,
          atLeast,
        }))
        .sort((a, b) => (a.what < b.what ? -1 : 1)),
    );
  }

  #tallyOf(rule: Rule, path: string): Tally {
    const key = `${rule.reason} ${rule.name}`;
    const tally = this.#tallies.get(key) ?? { rule, path, files: 0, atLeast: false };
    this.#tallies.set(key, tally);
    return tally;
  }
}
