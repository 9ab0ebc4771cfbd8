import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { GraphConfig } from "../../contract/graph-config.ts";
import { readConfig } from "./config-file.ts";
import { GraphConfigError, SourceFolderError, type SourceFault } from "../entry/errors.ts";
import { commonAncestor, isInside, outermost } from "../../files/inside.ts";
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
export function findProject({ directory: path, workspace: bounds, graphConfig }: ProjectRequest): Project {
  const directory = realFolder(path);
  const workspace = bounds === undefined ? undefined : realFolder(bounds);
  const bound =
    workspace === undefined
      ? { name: "repository", folder: findRepository(directory) }
      : { name: "workspace", folder: workspace };
  if (workspace !== undefined && !isInside(workspace, directory)) {
    throw new SourceFolderError(`${printable(path)} is outside of the workspace ${workspace}.`, {
      reasons: ["OUTSIDE_WORKSPACE"],
    });
  }
  const configFile = resolve(directory, graphConfig);
  const name = slashed(directory, configFile);
  if (!isInside(directory, configFile)) {
    throw new GraphConfigError(`${printable(name)} is outside of ${directory}.`, { reasons: ["CONFIG_UNUSABLE"] });
  }
  const config = readConfig({ directory, workspace, name });
  const { dependencies, faults } = findDependencies(config, dirname(configFile), bound);
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
