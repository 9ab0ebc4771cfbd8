import { posix } from "node:path";
import { listed, quoted } from "../text/quoted.ts";
import type { GraphConfig } from "./graph-config.ts";
import { findPythonName, type NameVerdict } from "./python-names.ts";
import { findScriptExport } from "./script-exports.ts";

/** The longest file that is looked into, characters: what defines a graph is short. */
export const LONGEST_GRAPH_FILE = 256 * 1024;

/** The files of a project, by paths relative to the directory of its configuration file. */
export interface ProjectFiles {
  readonly has: (path: string) => boolean;
  /** Undefined for one that cannot be read, or is longer than LONGEST_GRAPH_FILE. */
  readonly read: (path: string) => string | undefined;
}

/** What says which packages a directory needs. */
const MANIFESTS = [
  ...["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "package.json"],
  ...["Pipfile", "environment.yml", "poetry.lock", "uv.lock", "deno.json"],
];

/**
 * What seems to be missing in a project, as far as it shows without running it: sentences for the user. Where the
 * syntax does not show it, nothing is said.
 */
export function projectHints(config: GraphConfig, files: ProjectFiles): readonly string[] {
  const graphs = config.graphs.flatMap(({ id, file, exportName }) => {
    const text = files.read(file);
    if (text === undefined || text.length > LONGEST_GRAPH_FILE) return [];
    if (findExport(file, text, exportName) !== "missing") return [];
    return [`Graph ${quoted(id)}: ${file} does not seem to define ${quoted(exportName)}.`];
  });
  return [...graphs, ...dependencyHints(config, files)];
}

/** Whether a source file exports a name, as far as its syntax shows. */
export function findExport(file: string, text: string, name: string): NameVerdict {
  if (!/^[A-Za-z_$][\w$]*$/.test(name) || text.includes("\uFFFD")) return "unknown";
  if (file.endsWith(".py")) return findPythonName(text, name);
  return /\.m?[jt]s$/.test(file) ? findScriptExport(text, name) : "unknown";
}

function dependencyHints({ dependencies }: GraphConfig, { has }: ProjectFiles): readonly string[] {
  const isHome = (dependency: string) => dependency.startsWith(".") && posix.normalize(`${dependency}/`) === "./";
  if (dependencies.length === 0) {
    if (has("package.json")) return [];
    return ['The configuration file lists no dependencies: add "dependencies": ["."] if the agent needs packages.'];
  }
  // Packages that are listed by their names may be all that there is to install.
  const isOnlyHome = dependencies.every((dependency) => isHome(dependency));
  if (!isOnlyHome || MANIFESTS.some(has)) return [];
  const expected = listed(["pyproject.toml", "requirements.txt", "package.json"]);
  return [`The dependency "." has no ${expected}: no packages are installed for the agent.`];
}
