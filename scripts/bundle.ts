import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { projectRoot, runNode, toolPath } from "./command.ts";
import { VERSION } from "../src/version.ts";
import { licenceText } from "./licences.ts";

const SDK_RANGE = "^3.251.0";

/**
 * The actions that are shipped: each is `action/NAME/main.ts`, and becomes `action/dist/NAME/`. Its own post script, or
 * `action/step/post.ts`, becomes `action/dist/NAME/post/`.
 */
export const doors: readonly string[] = ["comment", "deploy", "judge", "remove", "upload-experiment", "upload-traces"];

/** Compiles src and action into `outDir`, with declarations unless they are not wanted. `npm run check` checks the types. */
export async function compile(outDir: string, { declarations = true } = {}): Promise<void> {
  const args = [
    ...["-p", "tsconfig.build.json", "--outDir", outDir, "--noCheck"],
    ...["--declaration", String(declarations)],
  ];
  const { exitCode, output } = await runNode(toolPath("typescript", "bin/tsc"), args);
  if (exitCode !== 0) throw new Error(`tsc failed:\n${output}`);
}

/**
 * Bundles each door from the compiled tree `stage` into `outDir/NAME`.
 *
 * webpack derives its module numbers from paths relative to the working directory. So the bundler runs inside the
 * stage, and each stage lies exactly one level below the project: the bytes are then the same in every checkout.
 */
export async function bundle(stage: string, outDir: string): Promise<void> {
  await stageActionsCore(stage);
  const scripts = doors.map((door) => ({ entry: `action/${door}/main.js`, target: join(outDir, door) }));
  const posts = new Map<string, string[]>();
  for (const door of doors) {
    const own = `action/${door}/post.js`;
    const entry = existsSync(join(stage, own)) ? own : "action/step/post.js";
    posts.set(entry, [...(posts.get(entry) ?? []), join(outDir, door, "post")]);
  }
  for (const { target } of scripts) await rm(target, { recursive: true, force: true });
  const firsts = Array.from(posts, ([entry, [target = ""]]) => ({ entry, target }));
  await bundleScripts(stage, [...scripts, ...firsts]);
  for (const [first = "", ...others] of posts.values()) {
    for (const target of others) await cp(first, target, { recursive: true });
  }
}

/**
 * Bundles the Pulumi plugin from the compiled tree `stage` into `target`, a directory that an engine takes as it is: with
 * the program that it starts, and with a manifest for those that start it through the language host of Node.
 */
export async function bundlePlugin(stage: string, target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  // The gRPC library loads it for its statistics, which no engine asks for.
  const without = ["@grpc/proto-loader"];
  await bundleScripts(stage, [{ entry: "pulumi-provider/plugin/main.js", target, without }]);
  // The definitions of those statistics.
  for (const name of ["proto", "protoc-gen-validate", "xds"]) await rm(join(target, name), { recursive: true });
  const program = join(target, "pulumi-resource-graph-deploy");
  await writeFile(program, '#!/usr/bin/env node\nimport "./index.js";\n', { mode: 0o755 });
  await writeFile(`${program}.cmd`, '@node "%~dp0index.js" %*\r\n');
  await writeFile(join(target, "PulumiPlugin.yaml"), "runtime: nodejs\n");
  const manifest = {
    name: "pulumi-resource-graph-deploy",
    version: VERSION,
    private: true,
    type: "module",
    main: "index.js",
    // The language host starts plugins with a script of its SDK.
    dependencies: { "@pulumi/pulumi": SDK_RANGE },
  };
  await writeFile(join(target, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/**
 * Gives the stage a copy of @actions/core whose manifest says that importing a file of it does nothing. That is so, and
 * the bundler then leaves out what no door uses: a client for OIDC tokens, which would load undici at every start.
 */
async function stageActionsCore(stage: string): Promise<void> {
  const name = join("node_modules", "@actions", "core");
  const copy = join(stage, name);
  await cp(join(projectRoot, name), copy, { recursive: true });
  const file = join(copy, "package.json");
  const manifest = z.looseObject({}).parse(JSON.parse(await readFile(file, "utf8")));
  await writeFile(file, JSON.stringify({ ...manifest, sideEffects: false }));
}

interface Script {
  /** Relative to the stage. */
  readonly entry: string;
  readonly target: string;
  /** Packages to leave out, which would be loaded when they are used and never are. */
  readonly without?: readonly string[] | undefined;
}

/** One process bundles all: what the first costs is mostly the start of the bundler. */
async function bundleScripts(stage: string, scripts: readonly Script[]): Promise<void> {
  const statsOf = (target: string) => join(stage, `${target.replaceAll(/\W/g, "-")}.stats.json`);
  const calls = scripts.map(({ entry, target, without = [] }) => {
    const left = without.flatMap((name) => ["-e", name]);
    return ["build", entry, "-m", ...left, "-o", target, "--stats-out", statsOf(target), "--no-cache", "-q"];
  });
  const runner = join(projectRoot, "scripts", "bundler-runs.ts");
  const { exitCode, output } = await runNode(runner, [JSON.stringify(calls)], stage);
  if (exitCode !== 0) throw new Error(`ncc failed:\n${output}`);
  for (const { target } of scripts) {
    const stats = statsOf(target);
    await refuseMissingModules(stats);
    await dropSourceMapLinks(target);
    const licences = await licenceText(stats);
    if (licences !== "") await writeFile(join(target, "licences.txt"), licences);
    await rm(stats);
  }
}

/** A package may be minified already, and name a map that is not shipped: debuggers would look for it. */
async function dropSourceMapLinks(target: string): Promise<void> {
  for (const name of (await readdir(target)).filter((file) => file.endsWith(".js"))) {
    const file = join(target, name);
    const code = await readFile(file, "utf8");
    await writeFile(file, code.replaceAll(/^\/\/# sourceMappingURL=.*\n/gm, ""));
  }
}

/** ncc turns an import that it cannot resolve into an error at run time; here it fails the build. */
async function refuseMissingModules(statsFile: string): Promise<void> {
  const stats = await readFile(statsFile, "utf8");
  const missing = new Set(Array.from(stats.matchAll(/@@notfound\.js\?([^"|!]+)/g), ([, name]) => name));
  if (missing.size > 0) throw new Error(`ncc found no module for ${[...missing].sort().join(", ")}`);
}

/** Gives `work` an empty directory one level below the project, and removes it afterwards. */
export async function withStage<T>(work: (stage: string) => Promise<T>): Promise<T> {
  const stage = await mkdtemp(join(projectRoot, ".stage-"));
  try {
    return await work(stage);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}
