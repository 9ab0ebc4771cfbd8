import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { ArgumentsError, checkCall, somePath, texts } from "../contract/call-arguments.ts";
import { describeReadError } from "./file-error.ts";
import { isInside } from "./inside.ts";
import { closestInDirectory } from "../text/closest.ts";
import { countText } from "../text/number.ts";
import { printable, shortened } from "../text/quoted.ts";
import { commaParts, filesOf, leadsTo, leadsToFile, parseGlob, type Glob } from "./glob.ts";

/** A file that was found. */
export interface FoundFile {
  /** Absolute, without links. */
  readonly path: string;
  /** From the workspace, with forward slashes; absolute for a file elsewhere. */
  readonly name: string;
}

/** What the patterns lead to. */
export interface FoundFiles {
  /** Each once, in the order of the patterns, and by name within one. */
  readonly files: readonly FoundFile[];
  /** What is wrong with a pattern, as the end of a sentence that begins with it. */
  readonly faults: readonly string[];
  /** Those of the faults that say only that a pattern matches no file. */
  readonly missing: readonly string[];
  /** Those of `missing` about a path: a pattern without a wildcard, which names one file. */
  readonly absent: readonly string[];
}

// PATH_MAX of Linux: no path is longer.
const LONGEST_PATTERN = 4_096;
// No evaluation has as many result files: the directory is most likely one far above them.
const MOST_FILES = 10_000;
// Of those that one pattern leads to, before others take some out.
const MOST_WALKED = 10 * MOST_FILES;

/**
 * The files that paths, directories and globs lead to, all in the workspace; every pattern must lead to one. A
 * directory leads to every file below it. A pattern may be several ones with commas between them, unless a file has it
 * as its name. `!pattern` takes out what the patterns before it led to, and one after it may lead to the same file
 * again. `within`, a directory above the workspace, is where the files must be; the workspace when not given.
 * @throws ArgumentsError, also for a workspace that does not exist. Patterns that lead nowhere, or out of the workspace,
 *   are `faults` of what it returns.
 * @idempotence Sends nothing; it only reads.
 */
export async function findFiles(patterns: readonly string[], workspace: string, within?: string): Promise<FoundFiles> {
  const places = { workspace: [somePath, workspace], within: [somePath.optional(), within] } as const;
  checkCall("findFiles", { patterns: [texts, patterns], ...places });
  const root = await pathOf("workspace", workspace);
  const place: Place = { root, within: within === undefined ? root : await pathOf("within", within) };
  // By the name that leads to a file, since it may have several, of which a pattern takes out one.
  const named = new Map<string, NamedFile>();
  const faults: string[] = [];
  const missing: string[] = [];
  const absent: string[] = [];
  let [isFirst, emptiedBy] = [true, ""];
  const lists = patterns.map((pattern) => separated(pattern, place));
  for (const pattern of (await Promise.all(lists)).flat()) {
    const {
      found = [],
      lost = [],
      fault,
      isMissing,
      isPath,
    } = isExclusion(pattern)
      ? await exclusionOf(pattern, place, isFirst ? undefined : named)
      : await matchesOf(pattern, place);
    isFirst = false;
    for (const file of found) if (!named.has(file.name)) named.set(file.name, { ...file, pattern });
    for (const name of lost) named.delete(name);
    if (lost.length > 0 && named.size === 0) emptiedBy = pattern;
    if (fault === undefined) continue;
    const sentence = `${shortened(pattern)} ${fault}`;
    faults.push(sentence);
    if (isMissing === true) missing.push(sentence);
    if (isPath === true) absent.push(sentence);
  }
  const ofPatterns = [...Map.groupBy(named.values(), ({ pattern }) => pattern)];
  const outside = ofPatterns.filter(([, left]) => left.some(({ isOutside }) => isOutside === true));
  const many = ofPatterns.filter(([, left]) => left.length > MOST_FILES);
  faults.push(...outside.map(([pattern]) => `${shortened(pattern)} ${OUTSIDE}`));
  faults.push(...many.map(([pattern]) => `${shortened(pattern)} ${TOO_MANY}`));
  if (named.size === 0 && faults.length === 0 && emptiedBy !== "") {
    const sentence = `${shortened(emptiedBy)} leaves no file`;
    faults.push(sentence);
    missing.push(sentence);
  }
  const inside = [...named.values()].filter(({ isOutside }) => isOutside !== true);
  const files = inside.map(({ path, name }): FoundFile => ({ path, name }));
  const firsts = new Map(files.toReversed().map((file) => [file.path, file]));
  return { files: files.filter((file) => firsts.get(file.path) === file), faults, missing, absent };
}

/** The path of a directory that an argument names, without links. */
async function pathOf(argument: string, directory: string): Promise<string> {
  try {
    return await realpath(directory);
  } catch (error) {
    const failure = describeReadError(error);
    if (failure === undefined) throw error;
    throw new ArgumentsError("findFiles", [`\`${argument}\` ${failure}`]);
  }
}

/** Where relative patterns lead from, and the directory that files must be in. */
interface Place {
  readonly root: string;
  readonly within: string;
}

/** A file that a pattern leads to, as long as no other takes it out. */
interface NamedFile extends FoundFile {
  readonly pattern: string;
  readonly isOutside?: true;
}

/** True where patterns would lead to a file at this path, which need not be there: absolute and without links. */
export async function wouldFind(patterns: readonly string[], workspace: string, path: string): Promise<boolean> {
  const root = await realpath(workspace);
  const place: Place = { root, within: root };
  const name = relative(root, path).split(sep).join("/");
  let isFound = false;
  for (const pattern of (await Promise.all(patterns.map((each) => separated(each, place)))).flat()) {
    if (isExclusion(pattern)) {
      const named = new Map(isFound ? [[name, { path, name }]] : []);
      if ((await exclusionOf(pattern, place, named)).lost?.includes(name) === true) isFound = false;
      continue;
    }
    const { glob } = globOf(pattern);
    const base = resolve(root, glob?.base ?? "");
    // A directory leads to all below it, and may not be there yet.
    const isBelow = isInside(resolve(root, pattern), path);
    const isMatch = () => glob !== undefined && leadsToFile(glob.names, relative(base, path).split(sep));
    isFound ||= isBelow || (isInside(base, path) && isMatch());
  }
  return isFound;
}

interface Matches {
  readonly found?: readonly Omit<NamedFile, "pattern">[];
  /** The names that a pattern takes out. */
  readonly lost?: readonly string[];
  readonly fault?: string | undefined;
  /** True where the pattern matches no file, and nothing else is wrong with it. */
  readonly isMissing?: boolean;
  /** True where it also has no wildcard. */
  readonly isPath?: boolean;
}

/** A pattern, or the ones between its commas where it leads to no file as a whole. */
async function separated(pattern: string, place: Place): Promise<readonly string[]> {
  const parts = commaParts(pattern);
  if (parts.length === 1 && parts[0] === pattern.trim()) return [pattern];
  // Only commas: a mistake, which is told as a pattern without a file.
  if (parts.length === 0) return [pattern];
  // No path is as long, and each of the parts may be one.
  if (pattern.length > LONGEST_PATTERN) return parts;
  const whole = await matchesOf(pattern.replace(/^!+/, ""), place);
  return whole.isMissing === true ? parts : [pattern];
}

/** As the toolkit of GitHub's own actions reads it: a second `!` takes the first one back. `!(a)` is an alternative. */
function isExclusion(pattern: string): boolean {
  const [marks = ""] = /^!*/.exec(pattern) ?? [];
  return marks.length % 2 === 1 && !pattern.startsWith("!(");
}

/** The files of `named` that a pattern takes out: those that it matches, and all below a directory that it matches. */
async function exclusionOf(
  exclusion: string,
  { root, within }: Place,
  named: ReadonlyMap<string, FoundFile> | undefined,
): Promise<Matches> {
  if (!named) return { fault: "takes out files of the patterns above it, and there is none" };
  const pattern = exclusion.replace(/^!+/, "").trim();
  const { glob, fault } = globOf(pattern);
  if (!glob) return { fault };
  const [path, base] = [resolve(root, pattern), resolve(root, glob.base)];
  if (!isInside(within, base)) return { fault: OUTSIDE };
  const isPath = (await factsOf(path)) !== undefined;
  const isLost = (name: string) => {
    const file = resolve(root, name);
    if (isPath) return isInside(path, file);
    return isInside(base, file) && leadsTo(glob.names, relative(base, file).split(sep));
  };
  return { lost: [...named.keys()].filter(isLost) };
}

async function matchesOf(written: string, place: Place): Promise<Matches> {
  const pattern = written.startsWith("!(") ? written : written.replace(/^!+/, "");
  const { paths = [], fault } = await pathsOf(pattern, place);
  const { root, within } = place;
  const found: Omit<NamedFile, "pattern">[] = [];
  for await (const path of paths) {
    const real = await realpath(path).catch(() => undefined);
    // A link to nothing is not a file, and neither is one to a directory.
    if (real === undefined) continue;
    // From the workspace, also where a link leads out of it; a file elsewhere has the name of its place.
    const name = (isInside(root, path) || within === root ? relative(root, path) : path).split(sep).join("/");
    if (!isInside(within, real)) {
      found.push({ path: real, name, isOutside: true });
      continue;
    }
    if ((await factsOf(real))?.isDirectory() === true) continue;
    if (found.length === MOST_WALKED) return { fault: TOO_MANY };
    found.push({ path: real, name });
  }
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  return fault === undefined && found.length === 0 ? { found, ...(await whyNone(pattern, root)) } : { found, fault };
}

const OUTSIDE = "is outside the workspace";
const TOO_MANY = `leads to more than ${countText(MOST_FILES)} files`;

/** The paths that a pattern leads to, or why there are none. */
async function pathsOf(
  pattern: string,
  { root, within }: Place,
): Promise<{ readonly paths?: AsyncIterable<string> | readonly string[]; readonly fault?: string | undefined }> {
  // The path of a file is one also where it has brackets: `results[gpt-4].json`.
  const path = resolve(root, pattern);
  const facts = pattern.length > LONGEST_PATTERN ? undefined : await factsOf(path);
  if (facts?.isFile() === true) return { paths: [path] };
  const { glob, fault } = globOf(pattern);
  if (!glob) return { fault };
  const isDirectory = facts?.isDirectory() === true;
  const base = isDirectory ? path : resolve(root, glob.base);
  const real = await realpath(base).catch(() => undefined);
  if (real === undefined) return {};
  // Refused before anything is read there: a walk over all of the disk takes minutes.
  return isInside(within, real) ? { paths: filesOf(base, isDirectory ? ALL_BELOW : glob.names) } : { fault: OUTSIDE };
}

function globOf(pattern: string): { readonly glob?: Glob; readonly fault?: string } {
  if (pattern.length > LONGEST_PATTERN) {
    return { fault: `is not a valid pattern: at most ${countText(LONGEST_PATTERN)} characters are allowed` };
  }
  const glob = parseGlob(withSlashes(pattern));
  return glob ? { glob } : { fault: "is not a valid pattern: its braces expand to more than 1,000 patterns" };
}

const ALL_BELOW = parseGlob("**/*")?.names ?? [];

async function whyNone(pattern: string, root: string): Promise<Matches> {
  if ((await factsOf(resolve(root, pattern)))?.isDirectory() === true) {
    return { fault: "contains no file", isMissing: true };
  }
  if (/[?*+@!]\(/.test(pattern)) return { fault: "matches no file; for alternatives, write `{a,b}`" };
  if (/[*?[{\\]/.test(withSlashes(pattern))) return { fault: "matches no file", isMissing: true };
  // The file of the same directory whose name is close, written as the path is. A link to nothing is near itself.
  const names: string[] = [];
  for await (const neighbour of filesOf(dirname(resolve(root, pattern)), ANY_NAME)) names.push(basename(neighbour));
  const near = closestInDirectory(basename(pattern), names);
  const path = near === undefined ? undefined : join(dirname(pattern), near);
  const isFile = path !== undefined && (await factsOf(resolve(root, path)))?.isFile() === true;
  const hint = isFile ? `; did you mean ${printable(withSlashes(path))}?` : "";
  return { fault: `matches no file${hint}`, isMissing: true, isPath: true };
}

function withSlashes(pattern: string): string {
  return sep === "/" ? pattern : pattern.replaceAll(sep, "/");
}

const ANY_NAME = parseGlob("*")?.names ?? [];

async function factsOf(path: string) {
  return stat(path).catch(() => undefined);
}
