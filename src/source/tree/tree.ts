import { readFileSync, statSync, existsSync, lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { GraphEntry } from "../../contract/graph-config.ts";
import { Dockerignore } from "../ignore/dockerignore.ts";
import type { SourceEntry } from "../entry/entry.ts";
import { SourceTreeError, type SourceFault } from "../entry/errors.ts";
import { describeReadError } from "../../files/file-error.ts";
import { IgnoreRules, scopeBelow, scopeInside } from "../ignore/ignore-rules.ts";
import { takeInventory } from "./inventory.ts";
import type { LeftOut } from "../ignore/left-out.ts";
import { checkLinks, checkProject } from "./project-check.ts";
import { unreadable } from "../entry/open-entry.ts";
import { PackedPaths } from "../entry/packed-paths.ts";
import { slashed, folderOf, placeIn, type PlaceKind } from "../entry/place.ts";
import { findProject, type Project } from "./project.ts";
import type { WalkSightings } from "./sightings.ts";
import { startsOf, type Visit } from "./walk.ts";
import type { TreeMemory } from "./tree-memory.ts";
import { Warnings } from "./warnings.ts";
import type { Rule } from "../ignore/rule.ts";
import { enterScope } from "../ignore/scope.ts";

/** What to pack. */
export interface SourceRequest {
  /** Absolute path of the agent project: the input `path`. */
  readonly directory: string;
  /** Absolute path that nothing may be packed from outside of; without it, the repository that holds the project. */
  readonly workspace?: string | undefined;
  /** The configuration file, relative to `directory`. */
  readonly graphConfig: string;
  /** Lines in gitignore syntax, relative to `directory`; they win over every other rule except .git. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Absolute path of a file that the deploy itself writes, and that is never part of the source. */
  readonly ownFile?: string | undefined;
  /** Of this project: `entries` of an unchanged tree are those of before, and `leftOut` is as it was then. */
  readonly memory?: TreeMemory | undefined;
  readonly signal: AbortSignal;
}

/** What will be packed, and what will not. */
export interface SourceTree {
  /** Absolute path of the directory that becomes the archive's root. */
  readonly root: string;
  /** The configuration file from the root, with forward slashes. */
  readonly graphConfigPath: string;
  readonly graphs: readonly GraphEntry[];
  /** The env file that the configuration names, as it is written there: never read, and left out. */
  readonly envFile: string | undefined;
  /** In the order of the archive: byte-wise by path. */
  readonly entries: readonly SourceEntry[];
  /** How many files and links. */
  readonly files: number;
  /** The sum of the files' sizes. */
  readonly bytes: number;
  /** The ten largest files, the largest first. */
  readonly largest: readonly SourceEntry[];
  readonly leftOut: readonly LeftOut[];
  /** Sentences that a user should read, although the source can be packed. */
  readonly warnings: readonly string[];
}

/**
 * Looks at an agent project and decides what its archive holds; writes nothing. Throws SourceFolderError or
 * GraphConfigError when there is no project, SourceTreeError with all that keeps it from being packed, and the
 * reason of the signal.
 */
export async function readSourceTree(request: SourceRequest): Promise<SourceTree> {
  request.signal.throwIfAborted();
  try {
    return await readTree(request);
  } catch (cause) {
    const problem = describeReadError(cause);
    if (problem === undefined || !(cause instanceof Error) || !("path" in cause)) throw cause;
    throw unreadable(String(cause.path), problem, cause);
  }
}

async function readTree(request: SourceRequest): Promise<SourceTree> {
  const project = findProject(request);
  const warnings = new Warnings();
  const dockerignore = readDockerignore(project);
  const rules = new IgnoreRules({
    ...request,
    dockerignore,
    envFile: envFileOf(project),
    ownFile: ownFileOf(project, request),
  });
  const starts = startsOf(project, (path) => {
    warnings.add("linked-ignore-file", path);
  });
  const home = slashed(project.root, project.directory);
  const { memory, signal, include, exclude, ownFile } = request;
  const walk = (seen?: WalkSightings) => takeInventory(starts, { rules, project: home, seen, signal });
  const question = () => JSON.stringify([project, starts, dockerignore?.text, include, exclude, ownFile]);
  const found = await (memory === undefined
    ? walk()
    : memory.recall({ question: question(), root: project.root, signal }, walk));
  warnings.addAll(found.warnings);
  const { entries, bytes, largest, leftOut } = found;
  const packed = new PackedPaths(entries);
  const ruleFor = (path: string) => decidingRule(path, { starts, rules, project: home });
  const faults = [
    ...project.faults,
    ...faultsOfLines(dockerignore?.malformed ?? []),
    ...found.faults,
    ...checkLinks(project.root, entries, packed, warnings),
    ...checkProject({ project, packed, ruleFor }),
  ];
  if (faults.length > 0) throw new SourceTreeError(faults);
  return {
    root: project.root,
    graphConfigPath: slashed(project.root, project.configFile),
    graphs: project.config.graphs,
    envFile: project.config.envFile,
    entries,
    files: entries.length,
    bytes,
    largest,
    leftOut,
    warnings: warnings.sentences(),
  };
}

function readDockerignore({ root, directory }: Project): Dockerignore | undefined {
  const file = join(directory, ".dockerignore");
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return new Dockerignore(readFileSync(file, "utf8"), slashed(root, file));
}

function faultsOfLines(labels: readonly string[]): readonly SourceFault[] {
  return labels.map((label) => ({
    message: `${label}is not a valid pattern`,
    advice: "Correct the line: a build rejects it.",
  }));
}

function envFileOf({ root, configFile, config }: Project): string | undefined {
  return config.envFile === undefined ? undefined : slashed(root, resolve(dirname(configFile), config.envFile));
}

function ownFileOf({ root }: Project, { ownFile }: SourceRequest): string | undefined {
  return ownFile === undefined ? undefined : slashed(root, ownFile);
}

/** What the walk went by. */
interface DecidingRuleDeps {
  readonly starts: readonly Visit[];
  readonly rules: IgnoreRules;
  /** The agent project from the archive's root. */
  readonly project: string;
}

/** The rule that leaves out what lies at `path` from the archive's root; goes the walk's way again, for a message. */
function decidingRule(path: string, { starts, rules, project }: DecidingRuleDeps): Rule | undefined {
  const start = starts.find(({ folder }) => `${path}/`.startsWith(folder.prefix));
  if (start === undefined) return undefined;
  let { folder, scope } = start;
  const names = `${path}/`.slice(folder.prefix.length).split("/").slice(0, -1);
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    scope = enterScope(scope, folder, { mayHold: () => true, onLink: () => undefined });
    const place = placeIn(folder, name, isLast ? kindAt(join(folder.absolute, name)) : "folder");
    const verdict = rules.decide(scope, place);
    if (verdict.state === "left-out" && (isLast || verdict.below === undefined)) return verdict.rule;
    folder = folderOf(place, project);
    scope = scopeInside(scopeBelow(scope, verdict) ?? scope, folder, existsSync(join(folder.absolute, "pyvenv.cfg")));
  }
  return scope.inherited;
}

function kindAt(absolute: string): PlaceKind {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return "folder";
  return stats?.isSymbolicLink() === true ? "link" : "file";
}
