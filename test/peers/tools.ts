import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";

/** A public tool that is installed, or why it cannot be had here. */
export type Tool = { readonly program: string } | { readonly missing: string };

/** How the peers spell what our contract calls by a neutral word. */
export const FIELD_NAMES = "graph_config_path=langgraph_config_path";

/** Inputs of the action for a project as the peers write it. */
export const PEER_INPUTS = { "graph-config": "langgraph.json", "field-names": FIELD_NAMES } as const;

/** What is to be installed, where, and from which files beside this one. */
interface Recipe {
  readonly name: string;
  readonly with: string;
  readonly size: string;
  readonly sources: readonly string[];
  readonly place: string;
  readonly program: string;
  readonly install: () => Promise<void>;
}

const HERE = import.meta.dirname;
const ROOT = join(HERE, "..", "..");
const VENV = join(ROOT, "build", "peers", "python");
const VENV_BIN = join(VENV, process.platform === "win32" ? "Scripts" : "bin");
const UV_VERSION = "0.13.9";
const UV = join(ROOT, "build", "peers", `uv-${UV_VERSION}`);
const INSTALL_MS = 300_000;
const NPM = [
  ...["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"],
  ...["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"],
];
const PIP_PATIENCE = ["--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"];

const JS: Recipe = {
  name: "JS agent server",
  with: "npm",
  size: "160 MB",
  sources: ["package.json", "package-lock.json"],
  place: join(HERE, "node_modules"),
  program: join(HERE, "node_modules", "@langchain", "langgraph-cli", "dist", "cli", "cli.mjs"),
  install: async () => {
    await run("npm", ["ci", ...NPM]);
  },
};

const RUNNERS: Recipe = {
  name: "runners pnpm and tsx",
  with: "npm",
  size: "35 MB",
  sources: ["runners/package.json", "runners/package-lock.json"],
  place: join(HERE, "runners", "node_modules"),
  program: join(HERE, "runners", "node_modules"),
  install: async () => {
    await run("npm", ["ci", ...NPM], join(HERE, "runners"));
  },
};

const PROMPTFOO_VERSION = "0.123.1";
const PROMPTFOO_PLACE = join(ROOT, "build", "peers", `promptfoo-${PROMPTFOO_VERSION}`);
const C_LIBRARIES: Partial<Record<string, string>> = { linux: "-gnu", win32: "-msvc" };

const PROMPTFOO: Recipe = {
  name: "evaluator promptfoo",
  with: "npm",
  size: "270 MB",
  // The version stands in the name of the place.
  sources: [],
  place: PROMPTFOO_PLACE,
  program: join(PROMPTFOO_PLACE, "node_modules", "promptfoo", "dist", "src", "entrypoint.js"),
  install: async () => {
    // All that is optional is 2.4 GB, of which it does not start without its database.
    const database = `@libsql/${process.platform}-${process.arch}${C_LIBRARIES[process.platform] ?? ""}@0.5.29`;
    await run("npm", [
      "install",
      "--prefix",
      PROMPTFOO_PLACE,
      "--omit=optional",
      ...NPM,
      `promptfoo@${PROMPTFOO_VERSION}`,
      database,
    ]);
  },
};

const PYTHON: Recipe = {
  name: "Python agent server",
  with: "pip",
  size: "200 MB",
  sources: ["requirements.txt"],
  place: VENV,
  program: join(VENV_BIN, "langgraph"),
  install: async () => {
    await run("python3", ["-c", "import sys; assert sys.version_info >= (3, 11), sys.version"]);
    // pip takes five times as long; but it knows the index and the proxy of its own settings, which uv does not read.
    await withUv().catch(withPip);
  },
};

async function withUv(): Promise<void> {
  const uv = join(UV, "bin", "uv");
  await run("python3", ["-m", "pip", "install", "--target", UV, "--upgrade", ...PIP_PATIENCE, `uv==${UV_VERSION}`]);
  await run(uv, ["venv", "--clear", "--no-python-downloads", "--python", "python3", VENV]);
  await run(uv, ["pip", "install", "--python", VENV, "-r", "requirements.txt"]);
}

async function withPip(): Promise<void> {
  await run("python3", ["-c", "import venv, ensurepip"]);
  await run("python3", ["-m", "venv", "--clear", VENV]);
  // Python compiles what is imported when it is: most of these files never are.
  const pip = ["-m", "pip", "install", "--no-compile", ...PIP_PATIENCE, "-r", "requirements.txt"];
  await run(join(VENV_BIN, "python"), pip);
}

/** The JS peer, whose command line is `program`, a script for Node. `say` hears one line about what is done. */
export function jsPeer(say: (line: string) => void = console.log): Promise<Tool> {
  return installOnce(JS, say);
}

/** Other ways to install and to run a program; `program` is the node_modules that they are in. */
export function runners(say: (line: string) => void = console.log): Promise<Tool> {
  return installOnce(RUNNERS, say);
}

/** promptfoo, whose command line is `program`, a script for Node. */
export function promptfoo(say: (line: string) => void = console.log): Promise<Tool> {
  return installOnce(PROMPTFOO, say);
}

/** The Python peer, in a virtual environment of its own. */
export function pythonPeer(say: (line: string) => void = console.log): Promise<Tool> {
  return installOnce(PYTHON, say);
}

/** The agent command of the JS server; the project's configuration has the name that it knows. */
export function jsCommand({ program }: { readonly program: string }): string {
  return `LANGGRAPH_CLI_NO_ANALYTICS=1 "${process.execPath}" "${program}" dev --no-browser --host 127.0.0.1 --port {port}`;
}

/** The agent command of the Python server. It reports in /info the revision that its environment names. */
export function pythonCommand({ program }: { readonly program: string }, config = "langgraph.json"): string {
  const environment = "LANGSMITH_HOST_REVISION_ID={revision} LANGGRAPH_CLI_NO_ANALYTICS=1";
  return `${environment} "${program}" dev --no-browser --no-reload --port {port} --config ${config}`;
}

// The stamp says which versions are there: an installation that was cut short has none.
async function installOnce(recipe: Recipe, say: (line: string) => void): Promise<Tool> {
  const { name, place, program } = recipe;
  const hash = createHash("sha256");
  for (const source of recipe.sources) hash.update(await readFile(join(HERE, source)));
  const stamp = join(place, ".installed");
  const wanted = hash.digest("hex");
  if ((await readFile(stamp, "utf8").catch(() => "")) === wanted) return { program };
  say(`Installs the ${name} with ${recipe.with} into ${relative(ROOT, place)}: about ${recipe.size}, once.`);
  try {
    await rm(place, { recursive: true, force: true });
    await mkdir(place, { recursive: true });
    await recipe.install();
    await writeFile(stamp, wanted);
    return { program };
  } catch (error) {
    const missing = `The ${name} cannot be had here: ${reasonOf(error)}`;
    say(missing);
    return { missing };
  }
}

async function run(program: string, args: readonly string[], cwd = HERE): Promise<void> {
  await promisify(execFile)(program, args, { cwd, timeout: INSTALL_MS, maxBuffer: 16 * 1024 * 1024 });
}

// The line that says most: pip and npm print a page.
function reasonOf(error: unknown): string {
  const text =
    error instanceof Error && "stderr" in error && error.stderr !== "" ? String(error.stderr) : String(error);
  const lines = text
    .split("\n")
    .map((line) => line.replace(/^(?:npm )?error:?\s*/i, "").trim())
    .filter((line) => line !== "" && !/^npm warn|complete log of this run/i.test(line));
  const telling = lines.find((line) => /reason:|no matching|ENOENT|AssertionError|in sync/i.test(line));
  return (telling ?? lines[0] ?? "no reason given").slice(0, 300);
}
