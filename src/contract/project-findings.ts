import { setFields } from "./set-fields.ts";
import { posix } from "node:path";
import { listed, printable, quoted } from "../text/quoted.ts";
import { oddSettings } from "./config-settings.ts";
import type { Reason } from "./error-reasons.ts";
import { findExport } from "./exported-names.ts";
import { isFilePlace, type GraphConfig, type Target } from "./graph-config.ts";
import type { PathProblem, ProjectFiles } from "./project-files.ts";

/** Something in a project that keeps it from being built, or that looks as if it would. */
export interface ProjectFinding {
  /** `error`: the files show that it cannot be built. `warning`: it looks so, and the service decides. */
  readonly level: "error" | "warning";
  /** What is wrong with which part of the configuration, without a full stop. */
  readonly message: string;
  readonly advice: string;
  readonly reason?: Reason;
}

/** All that the files of a project show, without being run, about whether it can be built. */
export function judgeProject(config: GraphConfig, files: ProjectFiles): readonly ProjectFinding[] {
  const findModule = moduleFinder(config, files);
  return [
    ...config.targets.flatMap((target) => {
      const { place, exportName } = target;
      return exportName === undefined || isFilePlace(place) || files.kindOf(place) === "file"
        ? fileFindings(target, config, files)
        : moduleFindings(target, findModule, config, files);
    }),
    ...config.directories.flatMap(({ part, path }) => {
      const problem = files.problemOfDirectory(path);
      return problem ? [pathError(part, problem)] : [];
    }),
    ...dependencyFindings(config, files),
    ...oddSettings(config, files).map((message) => warning(message)),
  ];
}

const PATHS = "Correct the paths in the configuration file; they are relative to its directory.";

/** The error of a path that cannot be used; `what` names it. */
export function pathError(what: string, { text, advice = PATHS, reason }: PathProblem): ProjectFinding {
  return { level: "error", message: `${what} ${text}`, advice, ...setFields({ reason }) };
}

function warning(message: string): ProjectFinding {
  return { level: "warning", message, advice: "" };
}

function fileFindings(target: Target, config: GraphConfig, files: ProjectFiles): readonly ProjectFinding[] {
  const { part, place, mayBeInImage } = target;
  const what = `${part}: ${printable(place)}`;
  if (mayBeInImage && posix.isAbsolute(place)) {
    return [warning(`${what} is an absolute path, which must exist in the image of the agent`)];
  }
  if (files.kindOf(place) !== "file") {
    const isWindows = place.includes("\\") && files.kindOf(place.replaceAll("\\", "/")) === "file";
    return [pathError(what, isWindows ? { text: "must be written with forward slashes" } : files.problemOf(place))];
  }
  return [...exportFindings(target, place, files), ...coverFindings(what, place, config)];
}

function moduleFindings(
  target: Target,
  findModule: (module: string) => ModulePlace,
  config: GraphConfig,
  files: ProjectFiles,
): readonly ProjectFinding[] {
  const { part, place } = target;
  const what = `${part}: the module ${printable(place)}`;
  const found = findModule(place);
  switch (found.state) {
    case "found":
      return exportFindings(target, found.file, files);
    case "installed":
      return [];
    case "unusable":
      return [warning(`${what} is not in the source: ${printable(found.file)} ${found.problem.text}`)];
    case "missing": {
      const where = config.directories.map(({ path }) => printable(path));
      const looked = where.length === 0 ? "no directory is among the dependencies" : `looked in ${listed(where, AND)}`;
      return [warning(`${what} was not found (${looked}), so an installed package must have it`)];
    }
  }
}

const AND = { conjunction: "and", most: 3 } as const;

function exportFindings({ part, place, exportName }: Target, file: string, files: ProjectFiles) {
  const text = exportName === undefined ? undefined : files.read(file);
  if (exportName === undefined || text === undefined || findExport(file, text, exportName) !== "missing") return [];
  const named = file === place ? printable(place) : `${printable(place)} (${printable(file)})`;
  return [warning(`${part}: ${named} does not seem to define ${quoted(exportName)}`)];
}

/** A file of Python that nothing installs can be read, and what it imports from beside it cannot. */
function coverFindings(what: string, place: string, { directories }: GraphConfig): readonly ProjectFinding[] {
  if (!place.endsWith(".py") || directories.length === 0) return [];
  const path = posix.normalize(place);
  const isCovered = directories.some((directory) => {
    const root = posix.normalize(`${directory.path}/`);
    return root === "./" ? !path.startsWith("../") : path.startsWith(root) || /^(?:\.\.\/)+$/.test(root);
  });
  return isCovered ? [] : [warning(`${what} lies in none of the dependencies, so the build may not find it`)];
}

/** What says which packages a directory needs. */
const MANIFESTS = [
  ...["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "package.json"],
  ...["Pipfile", "environment.yml", "poetry.lock", "uv.lock", "deno.json"],
];

function dependencyFindings(config: GraphConfig, files: ProjectFiles): readonly ProjectFinding[] {
  const { dependencies, targets, uvRoot } = config;
  const has = (path: string) => files.kindOf(path) !== undefined;
  if (uvRoot !== undefined) {
    const lacking = ["pyproject.toml", "uv.lock"].filter((name) => !has(posix.join(uvRoot, name)));
    return lacking.length === 0 ? [] : [warning(`source.root ${printable(uvRoot)} has no ${listed(lacking)}`)];
  }
  if (dependencies.length === 0) {
    const python = config.graphs.find(({ file }) => file.endsWith(".py"));
    if (python) {
      const message = `graph ${quoted(python.id)} is a file of Python, and the configuration file lists no dependencies`;
      return [{ level: "error", message, advice: 'Add "dependencies": ["."], which is the project itself.' }];
    }
    // A module is reported where it is not found, and scripts have their packages in a package.json.
    const isScript = targets.some(({ place }) => isFilePlace(place));
    return has("package.json") || !isScript ? [] : [warning("there is no package.json, so no packages are installed")];
  }
  const unmarked = dependencies
    .filter((text) => !text.startsWith(".") && files.kindOf(text) === "directory")
    .map((text) => warning(`the dependency ${printable(text)} is a directory; write ${printable(`./${text}`)}`));
  const isHome = (dependency: string) => dependency.startsWith(".") && posix.normalize(`${dependency}/`) === "./";
  // Packages that are listed by their names may be all that there is to install.
  if (!dependencies.every(isHome) || MANIFESTS.some(has)) return unmarked;
  const expected = listed(["pyproject.toml", "requirements.txt", "package.json"]);
  return [...unmarked, warning(`the dependency "." has no ${expected}, so no packages are installed`)];
}

/** Where a module of Python is, as far as the files of a project show it. */
export type ModulePlace =
  | { readonly state: "found"; readonly file: string }
  /** A file of its name is there, and is not built. */
  | { readonly state: "unusable"; readonly file: string; readonly problem: PathProblem }
  /** A package that is installed by its name may have it. */
  | { readonly state: "installed" }
  | { readonly state: "missing" };

/**
 * Looks for modules where an installed project has them: in each directory of the configuration, in `src` below it, and
 * in the directories that its packaging names.
 */
export function moduleFinder(config: GraphConfig, files: ProjectFiles): (module: string) => ModulePlace {
  const directories = config.directories.slice(0, MOST_DIRECTORIES).map(({ path }) => importPathsOf(path, files));
  const packages = config.dependencies.filter((text) => !text.startsWith(".")).map(folded);
  return (module) => {
    const names = module.split(".");
    const plain = directories.flatMap(({ roots }) => roots.flatMap((root) => filesOf(root, names)));
    const file = [
      ...plain,
      ...directories.flatMap(({ packaged }) => packaged.flatMap((root) => filesOf(root, names))),
      // A directory that is a package, or stands for one of another name.
      ...directories.flatMap(({ packages: dirs }) => dirs.flatMap((root) => filesOf(root, names.slice(1)))),
    ].find((path) => files.kindOf(path) === "file");
    if (file !== undefined) return { state: "found", file };
    for (const path of plain.slice(0, MOST_EXPLAINED)) {
      const problem = files.problemOf(path);
      if (problem.reason !== undefined) return { state: "unusable", file: path, problem };
    }
    return { state: packages.some((text) => text.includes(folded(names[0] ?? ""))) ? "installed" : "missing" };
  };
}

const PACKAGING = ["pyproject.toml", "setup.cfg", "setup.py"];
// More would be the work of hours for a warning: a project has a handful of each.
const MOST_DIRECTORIES = 32;
const MOST_NAMED = 32;
const MOST_EXPLAINED = 16;

function importPathsOf(directory: string, files: ProjectFiles) {
  const isPackage = files.kindOf(posix.join(directory, "__init__.py")) === "file";
  const named = PACKAGING.flatMap((name) => {
    const texts = (files.read(posix.join(directory, name)) ?? "").matchAll(PATH);
    const paths = new Set([...texts].map(([, inQuotes, alone = ""]) => inQuotes ?? alone));
    return [...paths].filter((path) => path !== "" && !path.startsWith("..")).slice(0, MOST_NAMED);
  })
    .map((path) => posix.join(directory, path))
    .filter((path, index, all) => all.indexOf(path) === index && files.kindOf(path) === "directory");
  // The first name of a module is looked up in `roots`, and in what packaging names; the second one in `packages`.
  return {
    roots: [directory, posix.join(directory, "src")],
    packaged: named.flatMap((path) => [path, posix.dirname(path)]),
    packages: isPackage ? [directory, ...named] : named,
  };
}

/** The files that a module can be, below a directory. */
function filesOf(root: string, names: readonly string[]): readonly string[] {
  const path = posix.join(root, ...names);
  return names.length === 0 ? [posix.join(path, "__init__.py")] : [`${path}.py`, posix.join(path, "__init__.py")];
}

// What of a packaging file may be the path of a directory.
const PATH = /["']([\w.-]+(?:\/[\w.-]+)*)\/?["']|(?:^|=)[ \t]*([\w-]+(?:\/[\w-]+)*)[ \t]*$/gm;

// Packages are listed as `my-agent`, and imported as `my_agent`.
function folded(text: string): string {
  return text.toLowerCase().replaceAll(/[-_.]+/g, "_");
}
