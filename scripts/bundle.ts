import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { minify } from "vite";
import * as z from "zod";
import { nameChunks } from "./chunk-names.ts";
import { projectRoot, runNode, toolPath } from "./command.ts";
import { SCRIPT } from "../src/judgement/report/page-script.ts";
import { VERSION } from "../src/version.ts";
import { licenceText } from "./licences.ts";

const SDK_RANGE = "^3.251.0";

/**
 * The actions that are shipped: each is `action/NAME/main.ts`, and starts as `action/dist/NAME/index.js`. Its own post
 * script, or `action/post.ts`, starts as `action/dist/NAME/post/index.js`.
 */
export const doors: readonly string[] = [
  "comment",
  "deploy",
  "evaluate",
  "judge",
  "remove",
  "upload-experiment",
  "upload-traces",
];

/** Compiles src and action into `outDir`, with declarations in its `types` unless they are not wanted. `npm run check` checks the types. */
export async function compile(outDir: string, { declarations = true } = {}): Promise<void> {
  const args = [
    ...["-p", "tsconfig.build.json", "--outDir", outDir, "--noCheck"],
    ...(declarations ? ["--declaration", "--declarationDir", join(outDir, "types")] : ["--declaration", "false"]),
  ];
  const { exitCode, output } = await runNode(toolPath("typescript", "bin/tsc"), args);
  if (exitCode !== 0) throw new Error(`tsc failed:\n${output}`);
  // The script of a page stands beside its module among the sources; what is compiled holds its text, without what only people read.
  const { code, errors } = await minify("cases.js", SCRIPT, { mangle: { toplevel: true } });
  if (errors.length > 0) throw new Error(`The script of the page cannot be minified: ${errors[0]?.message ?? ""}`);
  const script = `export const SCRIPT = ${JSON.stringify(code)};\n`;
  await writeFile(join(outDir, "src/judgement/report/page-script.js"), script);
}

/**
 * Bundles all doors from the compiled tree `stage` into `outDir`: what they run is in scripts beside `outDir/index.js`,
 * and `outDir/NAME/index.js` asks for its part. What several doors need is there once.
 *
 * webpack derives its module numbers from paths relative to the working directory. So the bundler runs inside the
 * stage, and each stage lies exactly one level below the project: the bytes are then the same in every checkout.
 */
export async function bundle(stage: string, outDir: string): Promise<void> {
  await stageActionsCore(stage);
  const starts = doors.flatMap((door) => {
    const post = existsSync(join(stage, "action", door, "post.js")) ? `${door}/post` : "post";
    return [
      { name: door, script: `${door}/main` },
      { name: `${door}/post`, script: post },
    ];
  });
  const scripts = [...new Set(starts.map(({ script }) => script))];
  const imports = scripts.map((script) => `  "${script}": () => import("./${script}.js"),\n`).join("");
  const entry = join("action", "scripts.js");
  await writeFile(
    join(stage, entry),
    `const scripts = {\n${imports}};\nexport const run = (name) => scripts[name]();\n`,
  );
  await bundleEntry(stage, entry, outDir);
  for (const { name, script } of starts) {
    const folder = join(outDir, name);
    await mkdir(folder, { recursive: true });
    const shared = `${"../".repeat(name.split("/").length)}index.js`;
    await writeFile(join(folder, "index.js"), `import { run } from "${shared}";\nawait run("${script}");\n`);
  }
}

/**
 * Bundles the Pulumi plugin from the compiled tree `stage` into `target`, a directory that an engine takes as it is: with
 * the program that it starts, and with a manifest for those that start it through the language host of Node.
 */
export async function bundlePlugin(stage: string, target: string): Promise<void> {
  // The gRPC library loads it for its statistics, which no engine asks for.
  await bundleEntry(stage, "pulumi-provider/plugin/main.js", target, { without: ["@grpc/proto-loader"] });
  // The definitions of those statistics.
  for (const name of ["proto", "protoc-gen-validate", "xds"]) await rm(join(target, name), { recursive: true });
  const program = join(target, "pulumi-resource-graph-deploy");
  await copyFile(join(projectRoot, "pulumi-provider/plugin/start.cjs"), join(target, "start.cjs"));
  await writeFile(program, '#!/usr/bin/env node\nimport "./start.cjs";\n', { mode: 0o755 });
  await writeFile(`${program}.cmd`, '@node "%~dp0start.cjs" %*\r\n');
  await writeFile(join(target, "PulumiPlugin.yaml"), "runtime: nodejs\n");
  const manifest = {
    name: "pulumi-resource-graph-deploy",
    version: VERSION,
    private: true,
    type: "module",
    main: "start.cjs",
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

/** Bundles the script `entry` of the stage, and what it imports, into `target`; packages of `without` are left out. */
async function bundleEntry(
  stage: string,
  entry: string,
  target: string,
  { without = [] }: { readonly without?: readonly string[] } = {},
): Promise<void> {
  await rm(target, { recursive: true, force: true });
  const stats = join(stage, "bundler-stats.json");
  const left = without.flatMap((name) => ["-e", name]);
  const args = ["build", entry, ...left, "-o", target, "--stats-out", stats, "--no-cache", "-q"];
  const { exitCode, output } = await runNode(toolPath("@vercel/ncc", "dist/ncc/cli.js"), args, stage);
  if (exitCode !== 0) throw new Error(`ncc failed:\n${output}`);
  await refuseMissingModules(stats);
  await nameChunks(target, stats);
  await minifyScripts(target);
  await writeFile(join(target, "licences.txt"), await licenceText(stats));
  await rm(stats);
}

/** Blanks, comments and long local names would be half of what a start reads. ncc's own `-m` minifies the entry alone. */
async function minifyScripts(target: string): Promise<void> {
  for (const name of (await readdir(target)).filter((file) => file.endsWith(".js"))) {
    const file = join(target, name);
    const { code, errors } = await minify(name, await readFile(file, "utf8"), {
      module: true,
      compress: false,
      // An error says the name of its class.
      mangle: { keepNames: true },
      // Notices of what a package has built into itself.
      codegen: { legalComments: "inline" },
    });
    if (errors.length > 0) throw new Error(`${name} cannot be minified: ${errors[0]?.message ?? ""}`);
    await writeFile(file, code);
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
