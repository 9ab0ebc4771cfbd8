import { execFile } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { readFile, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { VERSION } from "../../src/version.ts";
import { Consumer } from "./consumer.ts";
import { LocalRegistry } from "./local-registry.ts";
import { LockedPackages } from "./locked-packages.ts";
import { copySources } from "./packed-package.ts";
import { projectRoot } from "../../scripts/command.ts";

const TAG = `v${VERSION}`;
const Failed = z.object({ stdout: z.string(), stderr: z.string() });
const run = promisify(execFile);
const windows = process.platform === "win32";

let folder: string;
let project: string;
let consumer: Consumer;
let registry: LocalRegistry;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "dry-release-")));
  project = join(folder, "project");
  copySources(project);
  await git("init", "--quiet");
  await git("add", "--all");
  copyModules(project);
  consumer = new Consumer(join(folder, "consumer"));
  await mkdir(consumer.directory);
  registry = await LocalRegistry.start(await LockedPackages.read());
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

// The steps of docs/releasing.md, in their order: each works on what the one before has left.
test("the owner is filled in by one command", async () => {
  expect(await script("release-owner.ts", "acme")).toMatch(/^acme\/graph-deploy: \d+ files name it now\.\n$/);
  expect(await readFile(join(project, "README.md"), "utf8")).toContain("      - uses: acme/graph-deploy@v1\n");
  await git("-c", "user.name=Acme", "-c", "user.email=acme@example.com", "commit", "--quiet", "--all", "-m", "Release");
});

// That of `dist` is the one test that action/dist is what the sources build, byte for byte: run `npm run build`, and commit it.
test("every fact that a release depends on is right", async () => {
  // Where something is wrong it says so, and ends with 1.
  const printed = await script("release-check.ts", TAG).catch((error: unknown) => {
    const { stdout, stderr } = Failed.parse(error);
    return stdout + stderr;
  });
  const lines = printed.trimEnd().split("\n");
  expect(lines.filter((line) => line.startsWith("WRONG"))).toEqual([]);
  expect(lines.at(-1)).toBe(`A release of ${TAG}: all is well.`);
  const facts = lines.slice(0, -1).map((line) => line.split(/ +/).slice(0, 2));
  const names = ["owner", "version", "tag", "changelog", "inputs", "schemas", "archive", "package", "dist"];
  expect(facts).toEqual(names.map((name) => ["ok", name]));
});

test("the package is published, and an empty project installs it by its name", async () => {
  const address = `--registry=${registry.url}/`;
  const token = `--${registry.url.replace("http:", "")}/:_authToken=nobody`;
  await npm(project, "pack", "--ignore-scripts", "--pack-destination", folder);
  await npm(project, "publish", join(folder, `graph-deploy-${VERSION}.tgz`), address, token, "--access", "public");
  await npm(consumer.directory, "init", "--yes");
  await npm(consumer.directory, "install", "graph-deploy", address, "--no-audit", "--no-fund");
  const code = `import manifest from "graph-deploy/package.json" with { type: "json" }; console.log(manifest.version, manifest.repository.url);`;
  expect(await consumer.node("manifest.mjs", code)).toBe(`${VERSION} git+https://github.com/acme/graph-deploy.git`);
});

test("its library, its command and its plugin start", async () => {
  const code = `import { deploy } from "graph-deploy"; import { judge } from "graph-deploy/judgement"; console.log(typeof deploy, typeof judge);`;
  expect(await consumer.node("library.mjs", code)).toBe("function function");
  await consumer.npx(["graph-deploy", "local", "--port", "0"], async (url) => {
    expect((await fetch(`${url}/v2/deployments`)).status).toBe(200);
  });
  await consumer.npx(["pulumi-resource-graph-deploy"], async (port) => {
    expect(Number(port)).toBeGreaterThan(0);
    await Promise.resolve();
  });
});

/** As `npm ci` leaves them, in half a minute less. A link to them would be seen in the built actions, which have paths in them. */
function copyModules(to: string): void {
  const [installed, copy] = [join(projectRoot, "node_modules"), join(to, "node_modules")];
  for (const name of readdirSync(installed).filter((one) => one !== ".cache")) {
    cpSync(join(installed, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
}

async function script(name: string, argument: string): Promise<string> {
  return (await run(process.execPath, [join("scripts", name), argument], { cwd: project })).stdout;
}

async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  await run("npm", ["--prefer-offline", "--loglevel", "error", ...args], { cwd, shell: windows });
}

async function git(...args: readonly string[]): Promise<void> {
  // No settings of the user who runs the tests: a hook or a signing key would be theirs.
  const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  await run("git", args, { cwd: project, env });
}
