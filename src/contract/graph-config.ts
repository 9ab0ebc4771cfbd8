import { posix } from "node:path";
import { printable, quoted } from "../text/quoted.ts";
import { GraphConfigFile, SCRIPT } from "./graph-config-shape.ts";
import { toValidationErrors, describeValidationError } from "./validation-error.ts";

/** The name that the configuration file has by default. */
export const DEFAULT_GRAPH_CONFIG = "graph.json";

/** The path of a configuration file as the service resolves it, or what is wrong with it, to be read after its name. */
export type GraphConfigPath = { readonly path: string; readonly fault?: undefined } | { readonly fault: string };

/** Reads such a path: with forward slashes on every machine, and inside of the project. */
export function readGraphConfigPath(text: string): GraphConfigPath {
  const path = posix.normalize(text);
  if (path.includes("\\")) return { fault: "must be written with forward slashes" };
  if (posix.isAbsolute(path) || /^[a-z]:/i.test(path)) return { fault: "must be a relative path" };
  if (path === ".." || path.startsWith("../")) return { fault: "is outside the project" };
  if (path === "." || path.endsWith("/")) return { fault: "is a directory; name the file in it" };
  return { path };
}

/** A graph of the configuration file. */
export interface GraphEntry {
  /** The name of the graph. */
  readonly id: string;
  /** The file as the configuration writes it, without the export: `./src/agent.ts`. Or a module: `agent.graph`. */
  readonly file: string;
  /** What of it is the graph, or makes it. */
  readonly exportName: string;
}

/** A piece of the project's code that the configuration names. */
export interface Target {
  /** What names it, for a sentence: `graph "agent"`, `auth.path`. */
  readonly part: string;
  /** The file or the module as the configuration writes it, without the export. */
  readonly place: string;
  /** Undefined where the whole file is meant. */
  readonly exportName: string | undefined;
  /** True where agent servers also take the path of a file in their image. */
  readonly mayBeInImage: boolean;
}

/** A directory of the project that the configuration names, and that must be in the archive. */
export interface NamedDirectory {
  /** What names it, for a sentence: `the dependency ./lib`. */
  readonly part: string;
  readonly path: string;
}

/** What the product needs to know of a configuration file. */
export interface GraphConfig {
  readonly graphs: readonly GraphEntry[];
  /** The graphs, and what else the configuration names of the project's code. */
  readonly targets: readonly Target[];
  /** Local paths and package names, as written. */
  readonly dependencies: readonly string[];
  /** Those of the dependencies that are directories, and the root of a uv project. */
  readonly directories: readonly NamedDirectory[];
  /** The root of the uv project that the agent is installed from; undefined where `dependencies` are. */
  readonly uvRoot: string | undefined;
  /** The env file that the configuration names; undefined when `env` is a list, an object or absent. */
  readonly envFile: string | undefined;
  /** True for a file that begins with one. It is read nevertheless. */
  readonly hasByteOrderMark: boolean;
  /** The whole file, of which nothing but the fields above has been checked. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A configuration file that was read, or all that is wrong with it. */
export type GraphConfigResult =
  { readonly ok: true; readonly config: GraphConfig } | { readonly ok: false; readonly faults: readonly string[] };

/** Reads the text of a configuration file; every fault is a line such as `graphs.agent: must be …`. */
export function parseGraphConfig(text: string): GraphConfigResult {
  let json: unknown;
  const plain = text.replace(/^\uFEFF/, "");
  try {
    json = JSON.parse(plain);
  } catch (error) {
    const isEmpty = plain.trim() === "";
    return { ok: false, faults: [isEmpty ? "it is empty" : `it is not JSON${describeJsonMistake(plain, error)}`] };
  }
  const parsed = GraphConfigFile.safeParse(json);
  if (!parsed.success) return { ok: false, faults: toValidationErrors(parsed.error).map(describeValidationError) };
  const settings = parsed.data;
  const named = [
    ...Object.entries(settings.graphs).map(([id, graph]) => ({
      key: `graphs.${id}`,
      part: `graph ${quoted(id)}`,
      text: typeof graph === "string" ? graph : graph.path,
      id,
    })),
    ...OTHER_TARGETS.flatMap(({ key, isTarget }) => {
      const value = valueAt(settings, key);
      // Empty is how some turn such a setting off; agent servers then have none.
      const isNamed = typeof value === "string" && value.trim() !== "" && isTarget(value);
      return isNamed ? [{ key, part: key, text: value, id: undefined }] : [];
    }),
  ];
  const read = named.map((each) => ({ ...each, split: splitTarget(each.text) }));
  const faults = read
    .filter(({ split }) => !split)
    .map(({ key, text: target }) => `${key}: ${quoted(target)} does not have the form "./file:export"`);
  if (faults.length > 0) return { ok: false, faults };
  const targets = read.flatMap(({ part, key, id, split }) =>
    split ? [{ part, id, ...split, mayBeInImage: IN_IMAGE.has(key) }] : [],
  );
  const dependencies = settings.dependencies ?? [];
  const root = valueAt(settings, "source.root");
  const namedRoot = typeof root === "string" && root.trim() !== "" ? root : ".";
  const uvRoot = valueAt(settings, "source.kind") === "uv" ? namedRoot : undefined;
  const ui: unknown = settings.ui;
  // The components of a user interface are whole files.
  const uiFiles = Object.entries(typeof ui === "object" && ui !== null && !Array.isArray(ui) ? ui : {}).flatMap(
    ([name, place]: readonly [string, unknown]) =>
      typeof place === "string" && place.trim() !== ""
        ? [{ part: `ui.${printable(name)}`, place, exportName: undefined, mayBeInImage: false }]
        : [],
  );
  // Only what begins with a dot is a path; the rest are names of packages.
  const paths = dependencies.filter((dependency) => dependency.startsWith("."));
  return {
    ok: true,
    config: {
      graphs: targets.flatMap(({ id, place, exportName }) =>
        id === undefined ? [] : [{ id, file: place, exportName }],
      ),
      targets: [
        ...targets.map(({ part, place, exportName, mayBeInImage }) => ({ part, place, exportName, mayBeInImage })),
        ...uiFiles,
      ],
      dependencies,
      directories: [
        ...paths.map((path) => ({ part: `the dependency ${printable(path)}`, path })),
        ...(uvRoot === undefined ? [] : [{ part: `source.root ${printable(uvRoot)}`, path: uvRoot }]),
      ],
      uvRoot,
      envFile: typeof settings.env === "string" ? settings.env : undefined,
      hasByteOrderMark: plain !== text,
      settings,
    },
  };
}

const ANY_TARGET = () => true;
// An index names its embeddings as PROVIDER:MODEL, or by a function of the project.
const isOwnEmbedding = (text: string) => text.startsWith(".") || SOURCE_FILE.test(text.slice(0, text.lastIndexOf(":")));
/** What the configuration may name of the code besides graphs. */
export const OTHER_TARGETS: readonly { readonly key: string; readonly isTarget: (text: string) => boolean }[] = [
  { key: "http.app", isTarget: ANY_TARGET },
  { key: "auth.path", isTarget: ANY_TARGET },
  { key: "encryption.path", isTarget: ANY_TARGET },
  { key: "checkpointer.path", isTarget: ANY_TARGET },
  { key: "store.path", isTarget: ANY_TARGET },
  { key: "store.index.embed", isTarget: isOwnEmbedding },
];
const IN_IMAGE: ReadonlySet<string> = new Set(["auth.path", "encryption.path", "checkpointer.path", "store.path"]);

/** The value at keys that dots part; undefined where there is none. */
export function valueAt(settings: Readonly<Record<string, unknown>>, key: string): unknown {
  let at: unknown = settings;
  for (const name of key.split(".")) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, name)?.value;
  }
  return at;
}

const SOURCE_FILE = /\.(?:py|[cm]?[jt]s|[jt]sx)$/;

/** True for what can be nothing but a file: a path, or a name with the ending of code. */
export function isFilePlace(place: string): boolean {
  return /[/\\]/.test(place) || SOURCE_FILE.test(place);
}

// The last colon parts the file from the export. A module of JavaScript has a default export.
function splitTarget(target: string): { readonly place: string; readonly exportName: string } | undefined {
  if (SCRIPT.test(target)) return { place: target, exportName: "default" };
  const colon = target.lastIndexOf(":");
  if (colon <= 0 || colon === target.length - 1) return undefined;
  return { place: target.slice(0, colon), exportName: target.slice(colon + 1) };
}

/** What is wrong with a text that is not JSON, to be read after "it is not JSON". */
export function describeJsonMistake(text: string, error: unknown): string {
  const found = findMistake(text);
  if (found) return `: ${found.what} (${placeAt(text, found.index)})`;
  // V8 quotes the text around the error, which may be the value of a secret: only the place is said.
  const message = error instanceof Error ? error.message : "";
  const place = /line \d+ column \d+/.exec(message)?.[0];
  if (place !== undefined) return ` (${place})`;
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? "" : ` (${placeAt(text, Number(position))})`;
}

const SPACE = /[\t\n\r ]*/y;
const TOKEN = /"(?:[^"\\]|\\[^])*"|[\w.+-]+|[{}[\]:,]/y;

/** What people write because other languages take it: the first such place, or undefined where there is none. */
function findMistake(text: string) {
  let comma: number | undefined;
  for (let index = skip(text, 0); index < text.length;) {
    if (/^(?:\/[/*]|#)/.test(text.slice(index, index + 2))) return { what: "remove the comment", index };
    if (text[index] === "'") return { what: "write strings in double quotes", index };
    TOKEN.lastIndex = index;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return undefined;
    if (comma !== undefined && (token === "}" || token === "]")) {
      return { what: "remove the trailing comma", index: comma };
    }
    comma = token === "," ? index : undefined;
    index = skip(text, index + token.length);
  }
  return undefined;
}

function skip(text: string, index: number): number {
  SPACE.lastIndex = index;
  return index + (SPACE.exec(text)?.[0].length ?? 0);
}

function placeAt(text: string, index: number): string {
  const before = text.slice(0, index).split(/\r\n|[\n\r]/);
  return `line ${String(before.length)} column ${String((before.at(-1)?.length ?? 0) + 1)}`;
}
