import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { PROVIDER_TEXTS } from "../../pulumi-provider/provider-text.ts";
import { projectRoot } from "../../scripts/command.ts";
import { startLocalService } from "../../src/local/index.ts";
import { InstalledPackage } from "../dist/installed-package.ts";
import { SmallStack } from "../engine/small-stack.ts";
import { API_KEY } from "./rig.ts";

const tool = inject("runners");
let installed: InstalledPackage;
beforeAll(async () => {
  installed = await InstalledPackage.create(["@pulumi/pulumi"]);
});
afterAll(async () => installed.remove());

const PROGRAM = `
  const args = { source: "external_docker", imageUri: "registry/agent:1" } as const;
  export const url = new Deployment("agent", args).url;
`;
const TYPESCRIPT = `import { Deployment } from "graph-deploy/pulumi";\n${PROGRAM}`;
const ESM = TYPESCRIPT.replace("as const", "");

/** An empty project with these files; its node_modules are still to come. */
async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pulumi-form-")));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text);
  return directory;
}

/**
 * A project with these files and the installed packages, and these of our own beside them. The packages move into it and
 * back: copying them, and compiling them in another place, would take longer than the runs.
 */
async function projectOf(files: Readonly<Record<string, string>>, others: readonly string[] = []): Promise<string> {
  const directory = join(dirname(installed.directory), "form");
  const [packages, home] = [join(directory, "node_modules"), join(installed.directory, "node_modules")];
  await mkdir(directory);
  for (const [file, text] of Object.entries({ "package.json": '{ "name": "form" }', ...files }))
    await writeFile(join(directory, file), text);
  await rename(home, packages);
  for (const name of others) await symlink(join(projectRoot, "node_modules", name), join(packages, name), "junction");
  onTestFinished(async () => {
    for (const name of others) await rm(join(packages, name));
    await rename(packages, home);
    await rm(directory, { recursive: true });
  });
  return directory;
}

/** Deploys, looks again, and deletes; what the state holds of the provider is the text of every other form. */
async function deploys(directory: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  await using service = await startLocalService({ apiKey: API_KEY, walkMilliseconds: 0 });
  await using stack = new SmallStack({
    directory,
    project: "form",
    stack: "dev",
    config: { "graph-deploy:controlPlaneUrl": service.url, "graph-deploy:apiKey": { secret: API_KEY } },
    env,
  });
  const up = await stack.up();
  expect(up.diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(up).toMatchObject({ ok: true, changes: { create: 1 }, outputs: { url: expect.any(String) } });
  const [resource] = (await stack.exported()).resources;
  expect(resource?.inputs["__provider"]).toBe(PROVIDER_TEXTS.deployment);
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ ok: true });
  expect(await stack.refresh()).toMatchObject({ ok: true });
  expect(await stack.destroy()).toMatchObject({ ok: true });
  expect(service.deployments()).toEqual([]);
}

describe("a program that npm installed", () => {
  // The other forms that Pulumi runs by itself are cases of the table in test/pulumi.
  test("deploys: JavaScript", async () => {
    await deploys(await projectOf({ "index.mjs": ESM }));
  });

  test("deploys: TypeScript, by the compiler of the program", async () => {
    await deploys(await projectOf({ "index.ts": TYPESCRIPT }, ["typescript"]));
  });

  test.for(["commonjs", "module"])("deploys: TypeScript, by tsx, as %s", async (type, { skip }) => {
    if ("missing" in tool) return skip(tool.missing);
    const manifest = JSON.stringify({ name: "form", type, main: "index.ts" });
    const tsx = pathToFileURL(join(tool.program, "tsx", "dist", "loader.mjs")).href;
    const directory = await projectOf({ "package.json": manifest, "index.ts": TYPESCRIPT });
    await deploys(directory, { NODE_OPTIONS: `--import ${tsx}` });
  });
});

test("a program deploys with a package that is a link to a folder with an SDK of its own", async () => {
  const directory = await projectOf({ "index.mjs": ESM });
  const place = join(directory, "node_modules", "graph-deploy");
  const linked = join(dirname(directory), "linked");
  await rename(place, linked);
  await symlink(join(projectRoot, "node_modules"), join(linked, "node_modules"), "junction");
  await symlink(linked, place, "junction");
  onTestFinished(async () => {
    await rm(place);
    await rm(join(linked, "node_modules"));
    await rename(linked, place);
  });
  await deploys(directory);
});

test("a program deploys with packages that pnpm installed", async ({ skip }) => {
  if ("missing" in tool) return skip(tool.missing);
  const directory = await project({ "index.mjs": ESM });
  for (const file of ["package.json", "graph-deploy.tgz"])
    await cp(join(installed.directory, file), join(directory, file));
  const store = join(directory, "store");
  await mkdir(store);
  const pnpm = join(tool.program, "pnpm", "bin", "pnpm.cjs");
  const args = [pnpm, "install", "--ignore-scripts", "--prefer-offline", "--store-dir", store];
  await promisify(execFile)(process.execPath, args, { cwd: directory, timeout: 120_000 });
  await deploys(directory);
});
