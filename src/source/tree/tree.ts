import { dirname, resolve } from "node:path";
import type { GraphEntry } from "../../contract/graph-config.ts";
import { readDockerignore } from "../ignore/dockerignore.ts";
import { SourceTreeError } from "../entry/errors.ts";
import { describeReadError } from "../../files/file-error.ts";
import { IgnoreRules } from "../ignore/ignore-rules.ts";
import type { SourceEntry } from "../entry/entry.ts";
import { startsOf, takeInventory } from "./inventory.ts";
import type { LeftOut } from "../ignore/left-out.ts";
import { checkCheckout, type SourceNotice } from "./checkout-check.ts";
import { checkCredentials } from "./credential-check.ts";
import { checkLinks, checkProject } from "./project-check.ts";
import { unreadable } from "../entry/open-entry.ts";
import { PackedPaths } from "../entry/packed-paths.ts";
import { slashed } from "../entry/place.ts";
import { findProject } from "./project.ts";
import type { WalkSightings } from "./sightings.ts";
import type { TreeMemory } from "./tree-memory.ts";
import { withoutFullStop } from "../../text/reasons.ts";
import { SUBMODULE_ADVICE } from "./repository.ts";
import { Warnings } from "./warnings.ts";

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
  /** Lines in gitignore syntax, of files that are left out. */
  readonly exclude: readonly string[];
  /** Files that are packed although they contain credentials, as paths from the root. */
  readonly allowSecretsInSource?: readonly string[] | undefined;
  /** Absolute path of a file that the deploy itself writes, and that is never part of the source. */
  readonly ownFile?: string | undefined;
  /**
   * Of this project: `entries` of an unchanged tree are those of before, and `leftOut` is as it was then.
   * @internal
   */
  readonly memory?: TreeMemory;
  /** Called while directories are read, with how many bytes of files have been found. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Cancels the walk. */
  readonly signal: AbortSignal;
}

/** What will be packed, and what will not. */
export interface SourceTree {
  /** Absolute path of the directory that becomes the archive's root. */
  readonly root: string;
  /** The configuration file from the root, with forward slashes. */
  readonly graphConfigPath: string;
  /** The graphs of the configuration file. */
  readonly graphs: readonly GraphEntry[];
  /** The env file that the configuration names, as it is written there: never read, and left out. */
  readonly envFile: string | undefined;
  /** In the order of the archive: byte-wise by path. */
  readonly entries: readonly SourceEntry[];
  /** How many files and links. */
  readonly files: number;
  /** The sum of the files' sizes in bytes. */
  readonly bytes: number;
  /** The ten largest files, the largest first. */
  readonly largest: readonly SourceEntry[];
  /** What rules left out, a line for each rule. */
  readonly leftOut: readonly LeftOut[];
  /** Sentences that a user should read, although the source can be packed. */
  readonly warnings: readonly string[];
  /** Warnings to which a door adds what to do. */
  readonly notices: readonly SourceNotice[];
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
    throw unreadable([String(cause.path)], problem, cause);
  }
}

async function readTree(request: SourceRequest): Promise<SourceTree> {
  const project = findProject(request);
  const warnings = new Warnings();
  const dockerignore = readDockerignore(project.directory, project.root);
  const { root, configFile, config } = project;
  const rules = new IgnoreRules({
    ...request,
    dockerignore,
    envFile: config.envFile === undefined ? undefined : slashed(root, resolve(dirname(configFile), config.envFile)),
    ownFile: request.ownFile === undefined ? undefined : slashed(root, request.ownFile),
  });
  const starts = startsOf(project, (path) => {
    warnings.add("linked-ignore-file", path);
  });
  const home = slashed(project.root, project.directory);
  const { memory, onBytes, signal, include, exclude, allowSecretsInSource = [], ownFile } = request;
  const walk = (seen?: WalkSightings) => takeInventory(starts, { rules, project: home, seen, onBytes, signal });
  const question = () => JSON.stringify([project, starts, dockerignore?.text, include, exclude, ownFile]);
  const found = await (memory ? memory.recall(question(), signal, walk) : walk());
  warnings.addAll(found.warnings);
  const { entries, bytes, largest, leftOut } = found;
  const packed = new PackedPaths(entries);
  const graphConfigPath = slashed(project.root, project.configFile);
  const verdict = checkProject({ project, packed, starts, rules });
  const faults = [
    ...project.faults,
    ...(dockerignore?.faults ?? []),
    ...found.faults,
    ...checkLinks(project.root, entries, packed, warnings),
    ...verdict.faults,
    ...checkCredentials({ root: project.root, entries, graphConfigPath }, allowSecretsInSource, warnings),
  ];
  const notices = checkCheckout(project, entries, found.ignored);
  if (faults.length > 0) {
    // Where the source cannot be packed anyway, an empty submodule is the likely reason.
    const reason = "SUBMODULES_EMPTY";
    const likely = notices
      .filter(({ code }) => code === reason)
      .map(({ message }) => ({ message: withoutFullStop(message), advice: SUBMODULE_ADVICE, reason }) as const);
    throw new SourceTreeError([...faults, ...likely]);
  }
  return {
    root: project.root,
    graphConfigPath,
    graphs: project.config.graphs,
    envFile: project.config.envFile,
    entries,
    files: entries.length,
    bytes,
    largest,
    leftOut,
    warnings: [...verdict.warnings, ...warnings.sentences()],
    notices,
  };
}
