import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type GraphConfig, parseGraphConfig } from "../../contract/graph-config.ts";
import { commonAncestor, isInside, outermost } from "../../files/inside.ts";
import { listed, printable } from "../../text/quoted.ts";
import { GraphConfigError, SourceFolderError, type SourceFault } from "../entry/errors.ts";
import { statsAt } from "../entry/looks.ts";
import { slashed } from "../entry/place.ts";
import { CONFIG_LIMIT_BYTES, type ConfigCandidate, findConfigCandidates, isEmptyFolder } from "./config-candidates.ts";
import { SUBMODULE_ADVICE, submodulesOf } from "./repository.ts";

/** Where an agent project lies, and what of the file system goes with it. All paths are absolute, without links. */
export interface Project {
  readonly directory: string;
  readonly workspace: string | undefined;
  /** The configuration file, as a path with the links that its name has. */
  readonly configFile: string;
  readonly config: GraphConfig;
  /** The directory that becomes the archive's root. */
  readonly root: string;
  /** The directories that are packed: the project, and dependencies outside of it; none lies in another. */
  readonly folders: readonly string[];
  /** The directories that dependencies name, with the text that names them. */
  readonly dependencies: readonly Dependency[];
  readonly faults: readonly SourceFault[];
}

/** The parts of a source request that say where the project is. */
export interface ProjectRequest {
  readonly directory: string;
  readonly workspace?: string | undefined;
  readonly graphConfig: string;
}

/** Finds the project; throws when there is no directory or no configuration file that can be understood. */
export function findProject({ directory: path, workspace: bounds, graphConfig }: ProjectRequest): Project {
  const directory = realFolder(path);
  const workspace = bounds === undefined ? undefined : realFolder(bounds);
  const bound =
    workspace === undefined
      ? { name: "repository", folder: findRepository(directory) }
      : { name: "workspace", folder: workspace };
  if (workspace !== undefined && !isInside(workspace, directory)) {
    throw new SourceFolderError(`${printable(path)} is outside the workspace ${workspace}.`, {
      reasons: ["OUTSIDE_WORKSPACE"],
    });
  }
  const configFile = resolve(directory, graphConfig);
  const config = readConfig({ directory, workspace, name: slashed(directory, configFile) });
  const { dependencies, faults } = findDependencies(config, dirname(configFile), bound);
  const folders = outermost([directory, ...dependencies.map(({ folder }) => folder)]);
  return { directory, workspace, configFile, config, root: commonAncestor(folders), folders, dependencies, faults };
}

function realFolder(path: string): string {
  const stats = statsAt(path, statSync);
  if (stats?.isDirectory() === true) return realpathSync(path);
  throw new SourceFolderError(`${printable(path)} ${stats ? "is not a directory" : "does not exist"}.`);
}

/** The nearest directory at or above `folder` that holds a `.git`: the edge of git's rules. */
export function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
}

/** Which configuration file is meant. */
interface SoughtConfig {
  readonly directory: string;
  /** Where other projects may lie; undefined where only the directory itself is known. */
  readonly workspace: string | undefined;
  /** The configuration file from `directory`. */
  readonly name: string;
}

// A sentence that names more of them is not read.
const MOST_NAMED = 3;
const EXAMPLE = '{"graphs": {"agent": "./agent.py:graph"}, "dependencies": ["."]}';
const ADVICE = `The configuration file is JSON such as ${EXAMPLE}.`;

/** Reads a configuration file, which lies in its directory; throws GraphConfigError. */
function readConfig(sought: SoughtConfig): GraphConfig {
  const { directory } = sought;
  const file = join(directory, sought.name);
  const name = printable(sought.name);
  const reasons = ["CONFIG_UNUSABLE"] as const;
  if (!isInside(directory, file)) throw new GraphConfigError(`${name} is outside ${directory}.`, { reasons });
  const stats = statsAt(file, statSync);
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

/** The error of a configuration file that does not exist: it names those that do. */
function missingConfig(sought: SoughtConfig): GraphConfigError {
  const { directory, workspace, name } = sought;
  if (workspace !== undefined && isEmptyFolder(workspace)) {
    return new GraphConfigError("The workspace is empty: was the repository checked out?", {
      reasons: ["WORKSPACE_EMPTY"],
    });
  }
  const repository = findRepository(directory);
  const isSubmodule = repository !== undefined && submodulesOf(repository).some((path) => isInside(path, directory));
  if (isSubmodule && isEmptyFolder(directory)) {
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

/** A local dependency that was found. */
export interface Dependency {
  readonly text: string;
  /** The directory as the text leads to it, maybe over links. */
  readonly path: string;
  readonly folder: string;
}

/**
 * The directories that the configuration names, and what is wrong with those that cannot be packed: nothing is packed from
 * outside of the bound, unless the project is in no repository and no workspace.
 */
function findDependencies(
  { directories }: GraphConfig,
  base: string,
  bound: { readonly folder: string | undefined; readonly name: string },
) {
  const found: Dependency[] = [];
  const faults: SourceFault[] = [];
  for (const { part, path: text } of directories) {
    const path = resolve(base, text);
    const stats = statsAt(path, statSync);
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
