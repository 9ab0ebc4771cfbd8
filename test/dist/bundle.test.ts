import { readdir, readFile, stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { loadedModules } from "../../bench/loaded.ts";
import { doors } from "../../scripts/bundle.ts";
import { projectRoot } from "../../scripts/command.ts";
import { LockedPackages } from "./locked-packages.ts";

/** The door that sends a request with the inputs below; the others end before theirs, and load no client. */
const sending: readonly string[] = ["remove"];

// A line of each, and of no other part.
const LOCAL_SERVICE = "function startLocalService(";
const GITHUB_CLIENT = "octokit-core.js/";
const HTTP_CLIENT = "class ProxyAgent";
const YAML_PARSER = "class LineCounter";
const ALL = [LOCAL_SERVICE, GITHUB_CLIENT, HTTP_CLIENT, YAML_PARSER];

const dist = join(projectRoot, "action", "dist");
const text = async (name: string) => readFile(join(dist, name), "utf8");
/** What the doors share, without the lines that start them. */
const scripts = async () => (await readdir(dist)).filter((name) => name.endsWith(".js"));

async function holdersOf(code: string): Promise<readonly string[]> {
  const texts = await Promise.all((await scripts()).map(async (name) => ({ name, code: await text(name) })));
  return texts.filter((script) => script.code.includes(code)).map(({ name }) => name);
}

describe("the bundle of the actions", () => {
  test("is ESM for Node, wherever it lies", async () => {
    expect(JSON.parse(await text("package.json"))).toEqual({ type: "module" });
  });

  test("names no path of the machine that built it, and no source map", async () => {
    for (const path of [projectRoot, `${homedir()}/`, "sourceMappingURL"]) expect(await holdersOf(path)).toEqual([]);
    expect((await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".map"))).toEqual([]);
  });

  test("is small", async () => {
    const sizes = await Promise.all((await scripts()).map(async (name) => (await stat(join(dist, name))).size));
    // A second copy of undici alone would be 0.8 MB.
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(3_500_000);
  });

  test.each([
    ["the local service", LOCAL_SERVICE, "src.local.index"],
    ["GitHub's client", GITHUB_CLIENT, "actions.github"],
    ["the HTTP client", HTTP_CLIENT, "undici"],
    ["the parser of YAML", YAML_PARSER, "yaml"],
  ])("holds %s once, in a chunk of its name", async (_, code, name) => {
    expect(await holdersOf(code)).toEqual([`${name}.index.js`]);
  });

  test("holds no native code", async () => {
    const files = await readdir(dist, { recursive: true, withFileTypes: true });
    const names = files.filter((entry) => entry.isFile()).map((entry) => entry.name);
    expect(names.filter((name) => !/\.(js|json|txt)$/.test(name))).toEqual([]);
  });

  test("leaves node:sqlite to Node", async () => {
    expect(await holdersOf("import.meta.url)(`node:sqlite`)")).toEqual(["index.js"]);
  });

  test("brings the licences of the packages in it", async () => {
    const licences = await text("licences.txt");
    for (const name of ["@actions/core", "undici", "zod"]) expect(licences).toMatch(new RegExp(`^${name} \\d`, "m"));
    expect(licences).not.toContain("no licence named");
  });

  // In a file that a package was built into beforehand, as tar is, the bundler sees none of them.
  test("brings the licences of what those packages need in turn", async () => {
    const licences = await text("licences.txt");
    const listed = Array.from(
      licences.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d+\.\d+\.\S* \(.+\)$/gm),
      ([, name]) => name,
    );
    // Versions of a package have a path each, and one name.
    const needed = Object.keys((await LockedPackages.read()).closureOf(listed.map(String)));
    const names = needed.map((path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
    expect(new Set(listed)).toEqual(new Set(names));
    expect(listed).toEqual(
      expect.arrayContaining(["tar", "minipass", "minizlib", "chownr", "yallist", "@isaacs/fs-minipass"]),
    );
  });
});

describe("a step loads little if it ends at its inputs, and no client or parser that it does not need", () => {
  // The deploy plans, and finds no project; the judgement and the uploads read a file of the workspace that holds no results and no runs.
  const inputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    deploy: { "INPUT_CONTROL-PLANE-URL": "http://127.0.0.1:9", INPUT_NAME: "a", "INPUT_DRY-RUN": "true" },
    // Only its inputs can make it red.
    comment: { "INPUT_BODY-PATH": "nowhere.md", INPUT_KEY: "a" },
    evaluate: { "INPUT_AGENT-URL": "http://127.0.0.1:9", INPUT_DATASET: "bundle.ts" },
    judge: { INPUT_RESULTS: "bundle.ts" },
    remove: {
      "INPUT_CONTROL-PLANE-URL": "http://127.0.0.1:9",
      "INPUT_GITHUB-TOKEN": "ghs_0123456789",
      GITHUB_REPOSITORY: "octo-org/octo-repo",
      GITHUB_REPOSITORY_ID: "1296269",
      INPUT_NAME: "a",
      INPUT_ALL: "true",
    },
    "upload-experiment": {
      "INPUT_BASE-URL": "http://127.0.0.1:9",
      INPUT_RESULTS: "bundle.ts",
      "INPUT_DATASET-NAME": "a",
    },
    "upload-traces": { "INPUT_BASE-URL": "http://127.0.0.1:9", INPUT_TRACES: "bundle.ts" },
  };
  const bare = { PATH: process.env["PATH"], RUNNER_TEMP: tmpdir(), GITHUB_WORKSPACE: join(projectRoot, "scripts") };

  test.each(doors)("action/%s", async (door) => {
    const entry = join(dist, door, "index.js");
    const refused = await loadedModules(entry, { env: bare, exitCode: 1 });
    expect(refused).toContain("node:crypto");
    expect(refused).not.toContain("node:http");
    const start = await codeIn(refused);
    expect(start.length).toBeLessThan(450_000);
    for (const code of ALL) expect(start).not.toContain(code);
    const env = { ...bare, "INPUT_API-KEY": "key-0123456789", ...inputs[door] };
    const worked = await loadedModules(entry, { env, exitCode: 1 });
    expect(worked.has("node:http")).toBe(sending.includes(door));
    const work = await codeIn(worked);
    expect(work.includes(HTTP_CLIENT)).toBe(sending.includes(door));
    for (const code of [LOCAL_SERVICE, GITHUB_CLIENT, YAML_PARSER]) expect(work).not.toContain(code);
  });

  async function codeIn(loaded: ReadonlySet<string>): Promise<string> {
    const own = [...loaded].filter((url) => url.startsWith(pathToFileURL(dist).href));
    return (await Promise.all(own.map((url) => readFile(fileURLToPath(url), "utf8")))).join("\n");
  }
});
