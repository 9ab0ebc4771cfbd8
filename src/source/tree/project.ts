import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseGraphConfig, type GraphConfig } from "../../contract/graph-config.ts";
import { CONFIG_LIMIT_BYTES, missingConfig } from "./missing-config.ts";
import { GraphConfigError, SourceFolderError, type SourceFault } from "../entry/errors.ts";
import { isInside } from "../../files/inside.ts";
import { printable } from "../../text/quoted.ts";
import { slashed } from "../entry/place.ts";

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

/** A local dependency that was found. */
export interface Dependency {
  readonly text: string;
  /** The directory as the text leads to it, maybe over links. */
  readonly path: string;
  readonly folder: string;
}

/** The parts of a source request that say where the project is. */
export interface ProjectRequest {
  readonly directory: string;
  readonly workspace?: string | undefined;
  readonly graphConfig: string;
}

/** Finds the project; throws when there is no directory or no configuration file that can be understood. */
export function findProject({ directory: path, workspace: bound, graphConfig }: ProjectRequest): Project {
  const directory = realFolder(path);
  const workspace = bound === undefined ? undefined : realFolder(bound);
  if (workspace !== undefined && !isInside(workspace, directory)) {
    throw new SourceFolderError(`${printable(path)} is outside of the workspace ${workspace}.`, {
      reasons: ["OUTSIDE_WORKSPACE"],
    });
  }
  const configFile = resolve(directory, graphConfig);
  const config = readConfig(directory, workspace, configFile);
  const { dependencies, faults } = findDependencies(config, dirname(configFile), {
    folder: workspace ?? findRepository(directory),
    name: workspace === undefined ? "repository" : "workspace",
  });
  const folders = outermost([directory, ...dependencies.map(({ folder }) => folder)]);
  return { directory, workspace, configFile, config, root: commonAncestor(folders), folders, dependencies, faults };
}

/** The nearest directory at or above `folder` that holds a `.git`: the edge of git's rules. */
export function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
}

function realFolder(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return realpathSync(path);
  throw new SourceFolderError(`${printable(path)} ${stats === undefined ? "does not exist" : "is not a directory"}.`);
}

function readConfig(directory: string, workspace: string | undefined, file: string): GraphConfig {
  const path = slashed(directory, file);
  const name = printable(path);
  const reasons = ["CONFIG_UNUSABLE"] as const;
  if (!isInside(directory, file)) throw new GraphConfigError(`${name} is outside of ${directory}.`, { reasons });
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw missingConfig({ directory, workspace, name: path });
  if (!stats.isFile()) throw new GraphConfigError(`${name} is not a file.`, { reasons });
  if (stats.size > CONFIG_LIMIT_BYTES) throw new GraphConfigError(`${name} is larger than 1 MiB.`, { reasons });
  const result = parseGraphConfig(readText(file, name));
  if (result.ok) return result.config;
  throw new GraphConfigError(`${name} cannot be used: ${result.faults.join("; ")}.`, {
    advice: 'It is JSON such as {"graphs": {"agent": "./agent.py:graph"}, "dependencies": ["."]}.',
  });
}

function readText(file: string, name: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new GraphConfigError(`${name} cannot be read.`, { cause, advice: "Make it readable for this user." });
  }
}

interface Bound {
  /** What nothing may be packed from outside of; undefined for a project in no repository and no workspace. */
  readonly folder: string | undefined;
  readonly name: string;
}

// Only what begins with a dot is a path; the rest are names of packages.
function findDependencies({ dependencies }: GraphConfig, base: string, bound: Bound) {
  const found: Dependency[] = [];
  const faults: SourceFault[] = [];
  for (const text of dependencies.filter((dependency) => dependency.startsWith("."))) {
    const path = resolve(base, text);
    const stats = statSync(path, { throwIfNoEntry: false });
    const fault =
      stats === undefined
        ? "does not exist"
        : stats.isDirectory()
          ? faultOfFolder(realpathSync(path), bound)
          : "is not a directory";
    if (fault === undefined) found.push({ text, path, folder: realpathSync(path) });
    else faults.push({ message: `the dependency ${printable(text)} ${fault}`, advice: DEPENDENCY_ADVICE });
  }
  return { dependencies: found, faults };
}

const DEPENDENCY_ADVICE =
  "A dependency that begins with a dot is a directory, relative to the configuration file, in the same workspace.";

function faultOfFolder(folder: string, bound: Bound): string | undefined {
  if (bound.folder === undefined || isInside(bound.folder, folder)) return undefined;
  return `leaves the ${bound.name} ${bound.folder}`;
}

function outermost(folders: readonly string[]): readonly string[] {
  return [...new Set(folders)].filter(
    (folder, _, all) => !all.some((other) => other !== folder && isInside(other, folder)),
  );
}

function commonAncestor([first = "", ...rest]: readonly string[]): string {
  let ancestor = first;
  while (!rest.every((folder) => isInside(ancestor, folder)) && dirname(ancestor) !== ancestor) {
    ancestor = dirname(ancestor);
  }
  return ancestor;
}
