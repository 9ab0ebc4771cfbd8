import { readdir, readFile, stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { loadedModules } from "../../bench/loaded.ts";
import { doors } from "../../scripts/bundle.ts";
import { projectRoot } from "../../scripts/command.ts";
import { staleFiles } from "../../scripts/dist-fresh.ts";
import { LockedPackages } from "./locked-packages.ts";
import { PackedPackage } from "./packed-package.ts";

/** The doors that speak with a service; the others send nothing. */
const calling = doors.filter((door) => door !== "judge");
/** Those that can rehearse on the local service. */
const rehearsing = calling.filter((door) => door !== "comment");

test("action/dist is what its sources build, byte for byte", async () => {
  const { compiled } = await PackedPackage.make();
  expect(await staleFiles(compiled), "run `npm run build` and commit action/dist").toEqual([]);
});

describe.each(doors)("the bundle of action/%s", (door) => {
  const folder = join(projectRoot, "action", "dist", door);
  const text = async (name: string) => readFile(join(folder, name), "utf8");
  const scripts = async () => (await readdir(folder)).filter((name) => name.endsWith(".js"));

  test("is ESM for Node, wherever it lies", async () => {
    expect(JSON.parse(await text("package.json"))).toEqual({ type: "module" });
  });

  test("names no path of the machine that built it, and no source map", async () => {
    const scriptsText = await Promise.all((await scripts()).map(text));
    const found = [projectRoot, `${homedir()}/`, "sourceMappingURL"].filter((path) => {
      return scriptsText.some((code) => code.includes(path));
    });
    expect(found).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.endsWith(".map"))).toEqual([]);
  });

  test("is small, and keeps the local service in a chunk that other runs do not load", async () => {
    // A second copy of undici alone would be 1 MB.
    expect((await stat(join(folder, "index.js"))).size).toBeLessThan(1_800_000);
    const holders: string[] = [];
    for (const name of await scripts())
      if ((await text(name)).includes("function startLocalService(")) holders.push(name);
    expect(holders).toEqual(rehearsing.includes(door) ? [expect.stringMatching(/^\d+\.index\.js$/)] : []);
  });

  test("keeps GitHub's client in a chunk that other runs do not load", async () => {
    const holders: string[] = [];
    for (const name of await scripts()) if ((await text(name)).includes("octokit-core.js/")) holders.push(name);
    for (const name of holders) expect(name).toMatch(/^\d+\.index\.js$/);
    if (door === "deploy") expect(holders).toHaveLength(1);
  });

  test("holds no native code", async () => {
    const names = await readdir(folder, { recursive: true });
    expect(names.filter((name) => !/(^|[\\/])(post|[\w.]+\.(js|json|txt))$/.test(name))).toEqual([]);
  });

  test("has an HTTP client only where it calls a service", async () => {
    const all = (await Promise.all((await scripts()).map(text))).join("\n");
    expect(all.includes("undici")).toBe(calling.includes(door));
    expect(/["'](?:node:)?(?:https?|net|tls)["']/.test(all)).toBe(calling.includes(door));
  });

  test("leaves node:sqlite to Node", async () => {
    const all = (await Promise.all((await scripts()).map(text))).join("\n");
    expect(all.includes('import.meta.url)("node:sqlite")')).toBe(calling.includes(door));
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
    if (!rehearsing.includes(door)) return;
    expect(listed).toEqual(
      expect.arrayContaining(["tar", "minipass", "minizlib", "chownr", "yallist", "@isaacs/fs-minipass"]),
    );
  });
});

describe("a step loads no HTTP client if it ends at its inputs, and no file but its entry", () => {
  // The deploy plans, and finds no project; the judgement and the uploads read a file of the workspace that holds no results and no runs.
  const inputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    deploy: { "INPUT_CONTROL-PLANE-URL": "http://127.0.0.1:9", INPUT_NAME: "a", "INPUT_DRY-RUN": "true" },
    // Only its inputs can make it red.
    comment: { "INPUT_BODY-PATH": "nowhere.md", INPUT_KEY: "a" },
    judge: { INPUT_RESULTS: "bundle.ts" },
    remove: {
      "INPUT_CONTROL-PLANE-URL": "http://127.0.0.1:9",
      "INPUT_GITHUB-TOKEN": "ghs_0123456789",
      GITHUB_REPOSITORY: "octo-org/octo-repo",
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
    const entry = pathToFileURL(join(projectRoot, "action", "dist", door, "index.js"));
    const own = (loaded: ReadonlySet<string>) => {
      return [...loaded].filter((url) => url.startsWith(new URL(".", entry).href));
    };
    const refused = await loadedModules(fileURLToPath(entry), { env: bare, exitCode: 1 });
    expect(refused).toContain("node:crypto");
    expect(refused).not.toContain("node:http");
    expect(own(refused)).toEqual([entry.href]);
    const env = { ...bare, "INPUT_API-KEY": "key-0123456789", ...inputs[door] };
    const worked = await loadedModules(fileURLToPath(entry), { env, exitCode: 1 });
    expect(worked.has("node:http")).toBe(rehearsing.includes(door));
    expect(own(worked)).toEqual([entry.href]);
  });
});
