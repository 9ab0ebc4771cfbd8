import type { Folder } from "../entry/place.ts";
import type { Rule } from "./rule.ts";

/** Folders that a deployment never needs: what tools install, build or cache, and can make again. */
const FOLDERS: ReadonlySet<string> = new Set([
  ".graph-deploy",
  ".hg",
  ".ipynb_checkpoints",
  ".mypy_cache",
  ".nox",
  ".pytest_cache",
  ".ruff_cache",
  ".svn",
  ".tox",
  ".venv",
  "__pycache__",
  "node_modules",
  "venv",
]);

const FILES: ReadonlySet<string> = new Set([".DS_Store", "Thumbs.db"]);

/** What is left out although no file says so; `isLink` because a linked node_modules is as unwanted as a real one. */
export function builtInRule(name: string, isFolder: boolean, isLink: boolean): Rule | undefined {
  const hit = isFolder || isLink ? FOLDERS.has(name) : FILES.has(name);
  return hit ? { reason: "built-in", name, label: `the built-in rule ${name}` } : undefined;
}

/** A folder that holds `pyvenv.cfg` is a virtual environment, whatever its name: PEP 405. */
export function virtualEnvironmentRule(folder: Folder, holdsConfig: boolean): Rule | undefined {
  if (!holdsConfig) return undefined;
  const name = folder.prefix.split("/").at(-2) ?? "";
  return { reason: "built-in", name, label: "the built-in rule for virtual environments (pyvenv.cfg)" };
}
