import { posix } from "node:path";
import type { GraphConfig } from "./graph-config.ts";
import type { PathProblem, ProjectFiles } from "./project-files.ts";

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
  const named = PACKAGING.flatMap((name) => pathsIn(files.read(posix.join(directory, name)) ?? ""))
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

const PATH = /["']([\w.-]+(?:\/[\w.-]+)*)\/?["']|(?:^|=)[ \t]*([\w-]+(?:\/[\w-]+)*)[ \t]*$/gm;

/** The texts of a packaging file that may be paths of directories. */
function pathsIn(text: string): readonly string[] {
  const paths = [...text.matchAll(PATH)].flatMap(([, inQuotes, alone]) => inQuotes ?? alone ?? []);
  return [...new Set(paths)].filter((path) => !path.startsWith("..")).slice(0, MOST_NAMED);
}

// Packages are listed as `my-agent`, and imported as `my_agent`.
function folded(text: string): string {
  return text.toLowerCase().replaceAll(/[-_.]+/g, "_");
}
