import { existsSync, readlinkSync } from "node:fs";
import { dirname, resolve, isAbsolute, join, posix, sep } from "node:path";
import { LONGEST_GRAPH_FILE } from "../../contract/exported-names.ts";
import type { PathProblem, ProjectFiles } from "../../contract/project-files.ts";
import { judgeProject, pathError } from "../../contract/project-findings.ts";
import type { SourceFault } from "../entry/errors.ts";
import { printable } from "../../text/quoted.ts";
import { statsAt } from "../entry/looks.ts";
import type { PackedPaths } from "../entry/packed-paths.ts";
import { folderOf, placeIn, slashed } from "../entry/place.ts";
import { isInside } from "../../files/inside.ts";
import { readShort } from "../../files/read-short.ts";
import type { Dependency, Project } from "./project.ts";
import { type IgnoreRules, scopeInside } from "../ignore/ignore-rules.ts";
import type { Rule } from "../ignore/rule.ts";
import { enterScope } from "../ignore/scope.ts";
import type { Visit } from "./walk.ts";
import type { SourceEntry } from "../entry/entry.ts";
import type { Warnings } from "./warnings.ts";

interface ProjectCheckDeps {
  readonly project: Project;
  readonly packed: PackedPaths;
  /** What the walk went by. */
  readonly starts: readonly Visit[];
  readonly rules: IgnoreRules;
}

/**
 * Checks what the configuration needs and the archive lacks, the file itself before all, and what only looks wrong in it,
 * in one sentence at most: a run has ten annotations.
 */
export function checkProject(deps: ProjectCheckDeps) {
  const { root, configFile, config, dependencies } = deps.project;
  const at = (path: string) => resolve(dirname(configFile), path);
  const files: ProjectFiles = {
    kindOf: (path) => kindOf(at(path), deps),
    read: (path) => (kindOf(at(path), deps) === "file" ? readShort(at(path), LONGEST_GRAPH_FILE) : undefined),
    problemOf: (path) => problemOfFile(at(path), deps) ?? { text: "cannot be used" },
    problemOfDirectory: (text) => {
      // One that does not exist has been reported, because the walk would have begun there.
      const dependency = dependencies.find((each) => each.text === text);
      return dependency && problemOfDependency(dependency, deps);
    },
  };
  const problem = problemOfFile(configFile, deps);
  const found = judgeProject(config, files);
  const odd = found.filter(({ level }) => level === "warning").map(({ message }) => message);
  const more = odd.length > WARNINGS_SHOWN ? [`and ${String(odd.length - WARNINGS_SHOWN)} more`] : [];
  const faults: SourceFault[] = found.filter(({ level }) => level === "error");
  if (problem) faults.unshift(pathError(printable(slashed(root, configFile)), problem));
  const warning = `The project may not build or run: ${[...odd.slice(0, WARNINGS_SHOWN), ...more].join("; ")}.`;
  return { faults, warnings: odd.length === 0 ? [] : [warning] };
}

// An annotation holds 4096 characters.
const WARNINGS_SHOWN = 20;

/** What is packed at a path, over links that are packed too. */
function kindOf(file: string, { project, packed }: ProjectCheckDeps): "file" | "directory" | undefined {
  const { root } = project;
  if (!isInside(root, file)) return undefined;
  const path = slashed(root, file);
  if (!packed.has(path) && !isPacked(path, packed)) return undefined;
  const end = followLink(root, "", path);
  if (end.state !== "inside") return undefined;
  return packed.hasMember(end.path) ? "file" : packed.has(end.path) ? "directory" : undefined;
}

function problemOfFile(file: string, deps: ProjectCheckDeps): PathProblem | undefined {
  const { root } = deps.project;
  if (!isInside(root, file)) return { text: "is outside the packed directories" };
  const path = slashed(root, file);
  const end = followLink(root, "", path);
  if (isPacked(path, deps.packed)) {
    if (end.state === "inside" && deps.packed.hasMember(end.path)) return undefined;
    // Something of a file's name, below that file.
    if (end.state === "nowhere" && !end.isLinked) return { text: "does not exist" };
    if (end.state !== "inside") return { text: "is a link to what is not in the source" };
    const problem = leftOut(end.path, deps);
    const why = problem ? `which ${problem.text}` : "which is not packed";
    return { ...problem, text: `is a link to ${printable(end.path)}, ${why}` };
  }
  const twin = deps.packed.twinOf(path);
  const otherName =
    twin === undefined ? undefined : { text: `is written ${printable(twin)} on disk; case and Unicode form matter` };
  const stats = statsAt(file);
  if (!stats) return otherName ?? { text: "does not exist" };
  if (stats.isDirectory()) return { text: "is a directory, not a file" };
  return leftOut(path, deps) ?? otherName ?? { text: "is outside the packed directories" };
}

// Both ends of the way count: the link that stands for the directory, and the directory.
function problemOfDependency({ path, folder }: Dependency, deps: ProjectCheckDeps): PathProblem | undefined {
  const { packed, project } = deps;
  const way = slashed(project.root, path);
  const isReached = !isInside(project.root, path) || packed.has(way) || isPacked(way, packed);
  if (!isReached) return leftOut(way, deps) ?? { text: "contains no packed file" };
  const end = slashed(project.root, folder);
  return packed.has(end) ? undefined : (leftOut(end, deps) ?? { text: "contains no packed file" });
}

/** The rule that leaves out what lies at `path` from the archive's root, as a problem. */
function leftOut(path: string, deps: ProjectCheckDeps): PathProblem | undefined {
  const rule = decidingRule(path, deps);
  if (!rule) return undefined;
  const advice =
    rule.reason === "rule"
      ? "Change that rule, override it in a .graphdeployignore (`!name`), or include the file."
      : "Include the file if it belongs in the archive.";
  return { text: `is left out by ${rule.label}`, advice, reason: "FILE_LEFT_OUT" };
}

// Goes the walk's way again, for a message.
function decidingRule(path: string, { starts, rules, project }: ProjectCheckDeps): Rule | undefined {
  const home = slashed(project.root, project.directory);
  const start = starts.find(({ folder }) => `${path}/`.startsWith(folder.prefix));
  if (!start) return undefined;
  let { folder, scope } = start;
  const names = `${path}/`.slice(folder.prefix.length).split("/").slice(0, -1);
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    scope = enterScope(scope, folder, { mayHold: () => true, onLink: () => undefined });
    const stats = isLast ? statsAt(join(folder.absolute, name)) : undefined;
    const kind = stats?.isSymbolicLink() === true ? "link" : "file";
    const place = placeIn(folder, name, !isLast || stats?.isDirectory() === true ? "folder" : kind);
    const { leftOutBy, below } = rules.decide(scope, place);
    if (leftOutBy && (isLast || !below)) return leftOutBy;
    folder = folderOf(place, home);
    scope = scopeInside(below ?? scope, folder, existsSync(join(folder.absolute, "pyvenv.cfg")));
  }
  return scope.inherited;
}

// A member above a path is a link to a directory.
function isPacked(path: string, packed: PackedPaths): boolean {
  const names = path.split("/");
  return names.some((_, index) => packed.hasMember(names.slice(0, index + 1).join("/")));
}

const ADVICE =
  "Replace the link by what it points to, or exclude it; " +
  "a directory beside the project is packed if the `dependencies` of the configuration file name it.";

/** Links that leave the source, as faults; those that lead to nothing in the archive only deserve a warning. */
export function checkLinks(
  root: string,
  entries: readonly SourceEntry[],
  packed: PackedPaths,
  warnings: Warnings,
): readonly SourceFault[] {
  const faults: SourceFault[] = [];
  for (const { path, target } of entries) {
    if (target === undefined) continue;
    const end = followLink(root, path, target);
    const arrow = `${printable(path)} → ${printable(target)}`;
    if (end.state === "outside") {
      faults.push({ message: `the link ${arrow} leaves the source`, advice: ADVICE, reason: "LINK_OUTSIDE" });
    } else if (end.state === "nowhere" || !packed.has(end.path)) warnings.add("dangling-link", arrow);
  }
  return faults;
}

/** Where a link ends: outside of the root, at a path from the root, or nowhere. */
type LinkTarget =
  | { readonly state: "outside" }
  | { readonly state: "inside"; readonly path: string }
  /** `isLinked`: over another link. */
  | { readonly state: "nowhere"; readonly isLinked: boolean };

// As many as Linux follows: path_resolution(7).
const MAX_LINKS = 40;

/**
 * Follows the link at `path`, from the root, name by name as the system does, so that a way out over another link is
 * seen too. A target whose text alone leads out, over a directory that does not exist, is outside as well.
 */
function followLink(root: string, path: string, target: string): LinkTarget {
  const end = posix.join(posix.dirname(path), target);
  if (isAbsoluteTarget(target) || end === ".." || end.startsWith("../")) return { state: "outside" };
  const way = path.split("/").slice(0, -1);
  const ahead = target.split("/");
  let links = 1;
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (way.pop() === undefined) return { state: "outside" };
      continue;
    }
    way.push(name);
    const file = join(root, ...way);
    const stats = statsAt(file);
    if (stats?.isSymbolicLink() === false) continue;
    if (!stats || ++links > MAX_LINKS) return { state: "nowhere", isLinked: links > 1 };
    const next = readlinkSync(file).split(sep).join("/");
    if (isAbsoluteTarget(next)) return { state: "outside" };
    way.pop();
    ahead.unshift(...next.split("/"));
  }
  return { state: "inside", path: way.join("/") };
}

// A path of this machine means nothing where the archive is unpacked, which is Linux.
function isAbsoluteTarget(target: string): boolean {
  return isAbsolute(target) || target.startsWith("/");
}
