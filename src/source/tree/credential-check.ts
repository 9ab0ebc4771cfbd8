import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { DEFAULT_GRAPH_CONFIG } from "../../contract/graph-config.ts";
import { holdsToken, isPlaceholder, loginsIn } from "../../text/credential-forms.ts";
import { jsonOrUndefined } from "../../text/json-text.ts";
import { listed, printable, quotedName } from "../../text/quoted.ts";
import type { SourceEntry } from "../entry/entry.ts";
import type { SourceFault } from "../entry/errors.ts";
import type { Warnings } from "./warnings.ts";

/** Which files are searched. */
export interface SearchedFiles {
  readonly root: string;
  readonly entries: readonly SourceEntry[];
  /** The configuration file from the root. */
  readonly graphConfigPath: string;
}

// The lock files of large monorepos have some MB. What is beyond is named, and not searched.
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_BYTES_IN_ALL = 128 * 1024 * 1024;
// A sentence that names more of them is not read.
const MOST_NAMED = 3;

/**
 * Credentials in files that name where packages come from, and in the configuration; never with their values. `allowed`:
 * paths from the root, as messages name them, of files that may contain some.
 */
export function checkCredentials(
  files: SearchedFiles,
  allowed: readonly string[],
  warnings: Warnings,
): readonly SourceFault[] {
  const search = SEARCHES.get(files.entries) ?? searchFiles(files);
  SEARCHES.set(files.entries, search);
  const { found, unsearched } = search;
  for (const path of unsearched) warnings.add("unsearched", path);
  const accepted = new Set(allowed.map((path) => posix.normalize(path)));
  return found.flatMap(({ path, sentence }) => {
    if (!accepted.has(path)) {
      return { message: `${printable(path)} ${sentence}`, advice: ADVICE, reason: "CREDENTIALS_FOUND" };
    }
    warnings.add("allowed-secret", path);
    return [];
  });
}

interface Search {
  /** What follows the path of a file that contains credentials. */
  readonly found: readonly { readonly path: string; readonly sentence: string }[];
  readonly unsearched: readonly string[];
}

// The entries of an unchanged tree are those of before (TreeMemory), and their files are not read again.
const SEARCHES = new WeakMap<readonly SourceEntry[], Search>();

function searchFiles({ root, entries, graphConfigPath }: SearchedFiles): Search {
  const found: Search["found"][number][] = [];
  const unsearched: string[] = [];
  let budget = MOST_BYTES_IN_ALL;
  for (const { path } of entries) {
    // The name of posix.basename, in a fifth of its time: no path ends with a slash.
    const name = path.slice(path.lastIndexOf("/") + 1);
    const isConfig = path === graphConfigPath || CONFIGS.has(name);
    // A file that says where packages come from, or which.
    const namesPackages =
      isConfig || PACKAGE_FILES.has(name.toLowerCase()) || (LIST.test(name) && REQUIREMENTS.test(path.toLowerCase()));
    if (!namesPackages) continue;
    const text = readText(`${root}/${path}`, Math.min(budget, MOST_BYTES));
    if (text === TOO_LONG) unsearched.push(path);
    if (typeof text !== "string") continue;
    budget -= text.length;
    const credentials = [...addressesIn(text), ...(isConfig ? valuesIn(text) : [])];
    if (credentials.length > 0) {
      const lines = [...new Set(credentials.map(({ line }) => line))].sort((a, b) => a - b);
      const what = [...new Set(credentials.map((each) => each.what))];
      const and = (words: readonly string[]) => listed(words, { conjunction: "and", most: MOST_NAMED });
      found.push({
        path,
        sentence: `contains ${and(what)} (${lines.length === 1 ? "line" : "lines"} ${and(lines.map(String))})`,
      });
    }
  }
  return { found, unsearched };
}

const ADVICE =
  "Take them out, and revoke those that were deployed: the service keeps each archive. " +
  "A file can refer to a variable instead, as ${NAME}.";

const CONFIGS: ReadonlySet<string> = new Set([DEFAULT_GRAPH_CONFIG, "langgraph.json"]);

/** Files that say where packages come from, in lower case. */
const PACKAGE_FILES: ReadonlySet<string> = new Set([
  // pip, conda, poetry, uv, pdm, pipenv, setuptools
  "pip.conf",
  "pip.ini",
  ".condarc",
  "conda-lock.yml",
  "environment.yaml",
  "environment.yml",
  "pipfile",
  "pipfile.lock",
  "pdm.lock",
  "pdm.toml",
  ".pdm.toml",
  "poetry.lock",
  "poetry.toml",
  "pylock.toml",
  "pyproject.toml",
  "setup.cfg",
  "setup.py",
  "uv.lock",
  "uv.toml",
  // npm, yarn, pnpm, bun, deno
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  "bun.lock",
  "bunfig.toml",
  "deno.json",
  "deno.lock",
  "npm-shrinkwrap.json",
  "package-lock.json",
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "yarn.lock",
  // git
  ".gitmodules",
  ".lfsconfig",
]);

const REQUIREMENTS = /(?:^|\/|[-_.])(?:requirements|constraints)(?:[-_.][^/]*)?(?:\/[^/]+)?\.(?:in|lock|txt)$/;

const LIST = /\.(?:in|lock|txt)$/iu;

/** A credential, by the line that it stands in. */
interface Found {
  readonly line: number;
  readonly what: string;
}

function* addressesIn(text: string): Generator<Found, void, undefined> {
  let line = 1;
  let counted = 0;
  for (const at of loginsIn(text)) {
    for (let next = text.indexOf("\n", counted); next >= 0 && next < at; next = text.indexOf("\n", counted)) {
      line += 1;
      counted = next + 1;
    }
    yield { line, what: "an address with a password or a token" };
  }
}

// What no variable that is no secret is called; a shorter value is hardly a key.
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;
const LEAST_SECRET = 16;
// A sentence counts the lines; a file that is wrong throughout needs no exact count.
const MOST_VALUES = 100;

/** The values in `env` of a configuration that are secrets. */
function* valuesIn(text: string): Generator<Found, void, undefined> {
  const config = jsonOrUndefined(text.replace(/^\uFEFF/, ""));
  const lines = text.split("\n");
  const secrets = variablesOf(config).filter(
    ([name, value]) =>
      (SECRET_NAME.test(name) && value.length >= LEAST_SECRET && !isPlaceholder(value)) || holdsToken(value),
  );
  for (const [name, value] of secrets.slice(0, MOST_VALUES)) {
    yield { line: lineOf(lines, name, value), what: `the value of ${quotedName(name)}` };
  }
}

function variablesOf(config: unknown): readonly (readonly [name: string, value: string])[] {
  const env: unknown = typeof config === "object" && config !== null && "env" in config ? config.env : undefined;
  if (typeof env !== "object" || env === null) return [];
  if (!Array.isArray(env)) {
    return Object.entries(env).flatMap(([name, value]: [string, unknown]) =>
      typeof value === "string" || typeof value === "number" ? [[name, String(value)] as const] : [],
    );
  }
  return env.flatMap((entry: unknown) => {
    const [, name, value] = typeof entry === "string" ? (/^([^=]+)=(.*)$/s.exec(entry) ?? []) : [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
}

// A name may stand in several places, and its value in another line.
function lineOf(lines: readonly string[], name: string, value: string): number {
  const quotedValue = JSON.stringify(value).slice(1, -1);
  const at = [
    (line: string) => line.includes(name) && line.includes(quotedValue),
    (line: string) => line.includes(quotedValue),
    (line: string) => line.includes(JSON.stringify(name)),
  ].map((holds) => lines.findIndex(holds));
  return (at.find((index) => index >= 0) ?? 0) + 1;
}

const TOO_LONG = Symbol("too long");

/**
 * The text of a file, or of what a link leads to; undefined where none can be read, which packing it reports. A FIFO is
 * not waited for.
 */
function readText(file: string, most: number): string | typeof TOO_LONG | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    if (stats.size > most) return TOO_LONG;
    const bytes = readFileSync(descriptor);
    // PowerShell writes what `pip freeze` prints in UTF-16.
    return bytes.toString(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf16le" : "utf8");
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
