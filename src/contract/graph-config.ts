import { posix } from "node:path";
import * as z from "zod";
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

const GraphTarget = z.union([z.string(), z.looseObject({ path: z.string() })], {
  error: 'must be "./file:export" or an object with such a path',
});

/** The configuration file of an agent project: which graphs it serves, and what they need. */
const GraphConfigFile = z.looseObject(
  {
    graphs: z
      .record(z.string(), GraphTarget, {
        error: ({ input }) => (input === undefined ? "is missing" : "must be an object of graphs by their ids"),
      })
      .refine((graphs) => !Object.hasOwn(graphs, ""), "must give every graph a name")
      .refine((graphs) => Object.keys(graphs).length > 0, "must name at least one graph"),
    dependencies: z.array(z.string(), "must be a list of directories and packages").optional(),
    env: z.union([z.string(), z.record(z.string(), z.unknown())], "must be a path or an object").optional(),
  },
  "it is not a JSON object",
);

/** A graph of the configuration file. */
export interface GraphEntry {
  readonly id: string;
  /** The file as the configuration writes it, without the export: `./src/agent.ts`. */
  readonly file: string;
  /** What of the file is the graph, or makes it. */
  readonly exportName: string;
}

/** What the product needs to know of a configuration file. */
export interface GraphConfig {
  readonly graphs: readonly GraphEntry[];
  /** Local paths and package names, as written. */
  readonly dependencies: readonly string[];
  /** The env file that the configuration names; undefined when `env` is an object or absent. */
  readonly envFile: string | undefined;
}

/** A configuration file that was read, or all that is wrong with it. */
export type GraphConfigResult =
  { readonly ok: true; readonly config: GraphConfig } | { readonly ok: false; readonly faults: readonly string[] };

/** Reads the text of a configuration file; every fault is a line such as `graphs.agent: must be …`. */
export function parseGraphConfig(text: string): GraphConfigResult {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return { ok: false, faults: [text.trim() === "" ? "it is empty" : `it is not JSON${placeOf(text, error)}`] };
  }
  const parsed = GraphConfigFile.safeParse(json);
  if (!parsed.success) return { ok: false, faults: toValidationErrors(parsed.error).map(describeValidationError) };
  const graphs = Object.entries(parsed.data.graphs).map(([id, target]) => ({
    id,
    target: typeof target === "string" ? target : target.path,
  }));
  const faults = graphs
    .filter(({ target }) => splitTarget(target) === undefined)
    .map(({ id, target }) => `graphs.${id}: "${target}" does not have the form "./file:export"`);
  if (faults.length > 0) return { ok: false, faults };
  const { dependencies = [], env } = parsed.data;
  return {
    ok: true,
    config: {
      graphs: graphs.flatMap(({ id, target }) => {
        const parts = splitTarget(target);
        return parts === undefined ? [] : [{ id, ...parts }];
      }),
      dependencies,
      envFile: typeof env === "string" ? env : undefined,
    },
  };
}

// V8 quotes the text around the fault, which may be the value of a secret: only the place is said.
function placeOf(text: string, error: unknown): string {
  const place = /line \d+ column \d+/.exec(error instanceof Error ? error.message : "");
  if (place !== null) return ` (${place[0]})`;
  // No text of JSON has a line break within: a line that begins so is a comment.
  return /^\s*(?:\/[/*]|#)/m.test(text) ? ": comments are not allowed" : "";
}

// The last colon parts the file from the export; a path with a Windows drive letter is not in a project.
function splitTarget(target: string): Omit<GraphEntry, "id"> | undefined {
  const colon = target.lastIndexOf(":");
  if (colon <= 0 || colon === target.length - 1) return undefined;
  return { file: target.slice(0, colon), exportName: target.slice(colon + 1) };
}
