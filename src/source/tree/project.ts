import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { GraphConfig } from "../../contract/graph-config.ts";
import { commonAncestor, outermost } from "../../files/inside.ts";
import { printable } from "../../text/quoted.ts";
import { SourceFolderError, type SourceFault } from "../entry/errors.ts";
import { slashed } from "../entry/place.ts";
import { type Dependency, findDependencies, readConfig, statsOf } from "./config-file.ts";
import { findRepository } from "./repository.ts";

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
  const configFile = resolve(directory, graphConfig);
  const name = slashed(directory, configFile);
  const config = readConfig({ path, directory, workspace, name });
  const { dependencies, faults } = findDependencies(config, dirname(configFile), bound);
  const folders = outermost([directory, ...dependencies.map(({ folder }) => folder)]);
  return { directory, workspace, configFile, config, root: commonAncestor(folders), folders, dependencies, faults };
}

function realFolder(path: string): string {
  const stats = statsOf(path);
  if (stats?.isDirectory() === true) return realpathSync(path);
  throw new SourceFolderError(`${printable(path)} ${stats ? "is not a directory" : "does not exist"}.`);
}
