import { basename, join } from "node:path";
import { DEFAULT_GRAPH_CONFIG, parseGraphConfig } from "../../contract/graph-config.ts";
import { readShort } from "../../files/read-short.ts";
import { entriesIn } from "../entry/looks.ts";

// It has a few kB, and a larger one is a mistake.
export const CONFIG_LIMIT_BYTES = 1024 * 1024;

// What agent projects call it, besides the name that was asked for.
const NAMES = [DEFAULT_GRAPH_CONFIG, "langgraph.json"];
// Packages and build results bring configuration files that are not meant.
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "site-packages", "dist", "build", "venv", "__pycache__"]);
// A monorepo keeps its agents near the top; a wide one must not be read as a whole for the sake of an error.
const MOST_FOLDERS = 500;
const MOST_ENTRIES = 20_000;
const MOST_FOUND = 10;

/** A configuration file that the user may have meant. */
export interface ConfigCandidate {
  /** The directory that it lies in, absolute. */
  readonly folder: string;
  readonly name: string;
}

/** The configuration files in a directory and below, those near the top first; bounded in all that it reads. */
export function findConfigCandidates(folder: string, wanted: string): readonly ConfigCandidate[] {
  const names = new Set([basename(wanted), ...NAMES]);
  const found: ConfigCandidate[] = [];
  const folders = [folder];
  let entries = 0;
  for (let index = 0; index < Math.min(folders.length, MOST_FOLDERS); index += 1) {
    const at = folders[index] ?? "";
    const inside = (entriesIn(at) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    entries += inside.length;
    for (const entry of inside) {
      if (entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name)) {
        folders.push(join(at, entry.name));
      } else if (names.has(entry.name) && isConfig(join(at, entry.name))) found.push({ folder: at, name: entry.name });
    }
    if (entries > MOST_ENTRIES || found.length >= MOST_FOUND) break;
  }
  return found;
}

/** True for a directory that has nothing in it but what git keeps of a repository. */
export function isEmptyFolder(folder: string): boolean {
  return entriesIn(folder)?.every(({ name }) => name === ".git") === true;
}

// Other tools have files of these names, too.
function isConfig(file: string): boolean {
  const text = readShort(file, CONFIG_LIMIT_BYTES);
  return text !== undefined && parseGraphConfig(text).ok;
}
