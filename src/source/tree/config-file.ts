import { type Dirent, readdirSync, readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, join, resolve } from "node:path";
import { DEFAULT_GRAPH_CONFIG, type GraphConfig, parseGraphConfig } from "../../contract/graph-config.ts";
import { fileErrorCode } from "../../files/file-error.ts";
import { isInside } from "../../files/inside.ts";
import { listed, printable } from "../../text/quoted.ts";
import { isInSubmodule, SUBMODULE_ADVICE } from "./repository.ts";
import { GraphConfigError, SourceFolderError, type SourceFault } from "../entry/errors.ts";
import { slashed } from "../entry/place.ts";

/** Which configuration file is meant. */
export interface SoughtConfig {
  /** The directory of the project, as the user names it. */
  readonly path: string;
  /** The same directory, absolute. */
  readonly directory: string;
  /** Where other projects may lie; undefined where only the directory itself is known. */
  readonly workspace: string | undefined;
  /** The configuration file from `directory`. */
  readonly name: string;
}

// It has a few kB, and a larger one is a mistake.
const CONFIG_LIMIT_BYTES = 1024 * 1024;
// A sentence that names more of them is not read.
const MOST_NAMED = 3;
const EXAMPLE = '{"graphs": {"agent": "./agent.py:graph"}, "dependencies": ["."]}';
const ADVICE = `The configuration file is JSON such as ${EXAMPLE}.`;

/**
 * Reads a configuration file, which lies in its directory, as that lies in the workspace; throws SourceFolderError or
 * GraphConfigError.
 */
export function readConfig(sought: SoughtConfig): GraphConfig {
  const { path, directory, workspace } = sought;
  const file = join(directory, sought.name);
  const name = printable(sought.name);
  if (workspace !== undefined && !isInside(workspace, directory)) {
    throw new SourceFolderError(`${printable(path)} is outside the workspace ${workspace}.`, {
      reasons: ["OUTSIDE_WORKSPACE"],
    });
  }
  const reasons = ["CONFIG_UNUSABLE"] as const;
  if (!isInside(directory, file)) throw new GraphConfigError(`${name} is outside ${directory}.`, { reasons });
  const stats = statsOf(file);
  if (!stats) throw missingConfig(sought);
  if (!stats.isFile()) throw new GraphConfigError(`${name} is not a file.`, { reasons });
  if (stats.size > CONFIG_LIMIT_BYTES) throw new GraphConfigError(`${name} is larger than 1 MiB.`, { reasons });
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new GraphConfigError(`${name} cannot be read.`, { cause, advice: "Make it readable for this user." });
  }
  const result = parseGraphConfig(text);
  if (result.ok) return result.config;
  throw new GraphConfigError(`${name} cannot be used: ${result.faults.join("; ")}.`, {
    advice: `It is JSON such as ${EXAMPLE}.`,
  });
}

/** Of what a path leads to; undefined where there is nothing, and below a file. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (fileErrorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** The error of a configuration file that does not exist: it names those that do. */
function missingConfig(sought: SoughtConfig): GraphConfigError {
  const { directory, workspace, name } = sought;
  if (workspace !== undefined && isEmptyFolder(workspace)) {
    return new GraphConfigError("The workspace is empty: was the repository checked out?", {
      reasons: ["WORKSPACE_EMPTY"],
    });
  }
  if (isEmptyFolder(directory) && isInSubmodule(directory)) {
    throw new GraphConfigError(`${printable(name)} does not exist in ${directory}, which is an empty submodule.`, {
      advice: SUBMODULE_ADVICE,
      reasons: ["SUBMODULES_EMPTY"],
    });
  }
  const reasons = ["CONFIG_MISSING"] as const;
  const missing = `${printable(name)} does not exist in ${directory}`;
  const base = workspace ?? directory;
  // One in the directory itself is the most likely.
  const isElsewhere = ({ folder }: ConfigCandidate) => Number(folder !== directory);
  const candidates = findConfigCandidates(base, name).toSorted((a, b) => isElsewhere(a) - isElsewhere(b));
  if (candidates.length === 0) {
    return new GraphConfigError(`${missing}${isEmptyFolder(directory) ? ", which is empty" : ""}.`, {
      advice: ADVICE,
      reasons,
    });
  }
  const paths = candidates.map(({ folder, name: file }) => printable(slashed(base, join(folder, file))));
  const which = listed(paths, { conjunction: "and", most: MOST_NAMED });
  // In a workspace the directory of the file becomes the project, so that nothing else is packed.
  const found = candidates.slice(0, MOST_NAMED).map((candidate, index) => ({
    name: paths[index] ?? "",
    ...(candidate.folder === directory || workspace === undefined
      ? { directory: undefined, file: slashed(directory, join(candidate.folder, candidate.name)) }
      : {
          directory: slashed(workspace, candidate.folder) || ".",
          file: candidate.name === name ? undefined : candidate.name,
        }),
  }));
  return new GraphConfigError(`${missing}, but ${which} ${paths.length === 1 ? "does" : "do"}.`, { reasons, found });
}

// What agent projects call it, besides the name that was asked for.
const NAMES = [DEFAULT_GRAPH_CONFIG, "langgraph.json"];
// Packages and build results bring configuration files that are not meant.
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "site-packages", "dist", "build", "venv", "__pycache__"]);
// A monorepo keeps its agents near the top; a wide one must not be read as a whole for the sake of an error.
const MOST_FOLDERS = 500;
const MOST_ENTRIES = 20_000;
const MOST_FOUND = 10;

/** A configuration file that the user may have meant. */
interface ConfigCandidate {
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
    const inside = entriesOf(at);
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
  try {
    return readdirSync(folder).every((name) => name === ".git");
  } catch {
    return false;
  }
}

// Other tools have files of these names, too.
function isConfig(file: string): boolean {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > CONFIG_LIMIT_BYTES) return false;
    return parseGraphConfig(readFileSync(file, "utf8")).ok;
  } catch {
    return false;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** A local dependency that was found. */
export interface Dependency {
  readonly text: string;
  /** The directory as the text leads to it, maybe over links. */
  readonly path: string;
  readonly folder: string;
}

/** What nothing may be packed from outside of. */
interface Bound {
  /** Undefined for a project in no repository and no workspace. */
  readonly folder: string | undefined;
  readonly name: string;
}

/** The directories that the configuration names, and what is wrong with those that cannot be packed. */
export function findDependencies({ directories }: GraphConfig, base: string, bound: Bound) {
  const found: Dependency[] = [];
  const faults: SourceFault[] = [];
  for (const { part, path: text } of directories) {
    const path = resolve(base, text);
    const stats = statsOf(path);
    let fault: string | undefined;
    if (!stats) fault = "does not exist";
    else if (!stats.isDirectory()) fault = "is not a directory";
    else if (bound.folder !== undefined && !isInside(bound.folder, realpathSync(path))) {
      fault = `leaves the ${bound.name} ${bound.folder}`;
    }
    if (fault === undefined) found.push({ text, path, folder: realpathSync(path) });
    else faults.push({ message: `${part} ${fault}`, advice: DEPENDENCY_ADVICE });
  }
  return { dependencies: found, faults };
}

const DEPENDENCY_ADVICE =
  "A dependency that begins with a dot is a directory of the same workspace, relative to the configuration file; " +
  "so is the root of a uv project.";
