import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import * as z from "zod";
import { FILE_SCHEMAS } from "../../src/contract/schema-address.ts";
import { VERSION } from "../../src/version.ts";
import { actionFile } from "../action-inputs.ts";
import { projectRoot } from "../command.ts";
import { DECLARED_INPUTS } from "../declared-inputs.ts";
import { staleFiles } from "../dist-fresh.ts";
import { documentedInputs } from "../document-inputs.ts";
import { GIVEN_FILES, givenOptions } from "../given-options.ts";
import { fileSchema } from "../file-schemas.ts";
import { pluginSchema } from "../plugin-schema.ts";
import { filledIn, Manifest, PLACEHOLDER, repositoryName, sourceFiles } from "./repository.ts";

/** One thing that a release depends on. */
export interface Fact {
  readonly name: string;
  /** What is there, and what to do about it: an empty text where it is right. */
  readonly look: (release: Release) => Promise<Finding>;
  /** Where it is not right, only a release is wrong. */
  readonly isForRelease?: true;
}

interface Finding {
  readonly found: string;
  readonly todo: string;
}

/** What is to be released; without a tag nothing is yet. */
export interface Release {
  readonly tag: string;
  /** The repository whose workflow asks; empty outside of one. */
  readonly repository: string;
}

/** What a runner downloads may have at most so many bytes: a job waits for it. */
const MOST_ARCHIVE_BYTES = 1_900_000;

/** All facts, the quick ones first. */
export const FACTS: readonly Fact[] = [
  { name: "owner", look: owner, isForRelease: true },
  { name: "version", look: version },
  { name: "tag", look: tag },
  { name: "changelog", look: changelog },
  { name: "inputs", look: inputs },
  { name: "schemas", look: schemas },
  { name: "archive", look: archive },
  { name: "package", look: npmPackage },
  { name: "dist", look: dist },
];

const run = promisify(execFile);
const read = (file: string) => readFile(join(projectRoot, file), "utf8");
const manifest = async () => Manifest.parse(JSON.parse(await read("package.json")));
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(2)} MB`;

async function owner({ repository }: Release): Promise<Finding> {
  const texts = await Promise.all(sourceFiles().map(read));
  const holding = texts.filter((text) => filledIn(text, "") !== text).length;
  const name = repositoryName();
  const isNamed = !name.startsWith(`${PLACEHOLDER}/`);
  if (!isNamed || holding > 0) {
    const found = `package.json names ${name}, and ${String(holding)} files hold the placeholder ${PLACEHOLDER}`;
    return { found, todo: `npm run release:owner${isNamed ? "" : " -- NAME"}` };
  }
  const isElsewhere = repository !== "" && repository !== name;
  const todo = isElsewhere ? `release from there, not from ${repository}: npm compares the two` : "";
  return { found: `${name} by package.json, and no file holds the placeholder`, todo };
}

const Lockfile = z.object({
  version: z.string(),
  packages: z.object({ "": z.object({ version: z.string() }) }),
});

async function version(): Promise<Finding> {
  const lock = Lockfile.parse(JSON.parse(await read("package-lock.json")));
  const stated = {
    "package.json": (await manifest()).version,
    "package-lock.json": lock.version,
    "its root package": lock.packages[""].version,
    "src/version.ts": VERSION,
  };
  const found = Object.entries(stated).map(([where, text]) => `${text} in ${where}`);
  const isOne = new Set(Object.values(stated)).size === 1;
  return { found: found.join(", "), todo: isOne ? "" : "npm version --no-git-tag-version X.Y.Z, and src/version.ts" };
}

async function tag(release: Release): Promise<Finding> {
  const expected = `v${(await manifest()).version}`;
  const major = expected.split(".")[0] ?? "";
  const pages = sourceFiles().filter((file) => /\.(md|ya?ml)$/.test(file) && file !== "CHANGELOG.md");
  const others: string[] = [];
  for (const page of pages) {
    const used = [...(await read(page)).matchAll(/\/graph-deploy(?:\/action\/[\w-]+)?@(v\d+)\b/g)];
    if (used.some(([, shown]) => shown !== major)) others.push(page);
  }
  if (others.length > 0) return { found: `${others.join(", ")} show another major version`, todo: `write @${major}` };
  const found = release.tag === "" ? `none; ${expected} by package.json` : release.tag;
  const isOther = release.tag !== "" && release.tag !== expected;
  return { found: `${found}, and the pages show @${major}`, todo: isOther ? `package.json says ${expected}` : "" };
}

async function changelog(): Promise<Finding> {
  const [, ...sections] = (await read("CHANGELOG.md")).split(/^## /m);
  const { version: of } = await manifest();
  const section = sections.find((text) => text.startsWith(`[${of}]`)) ?? "";
  const left = sections.find((text) => text.startsWith("[Unreleased]"))?.split("\n- ") ?? [];
  const [head = "", ...entries] = section.split("\n- ");
  const heading = head.split("\n")[0] ?? "";
  const found = `"${heading}" has ${String(entries.length)} entries, Unreleased ${String(Math.max(left.length - 1, 0))}`;
  const isDated = /^\[[\d.]+\] - \d{4}-\d{2}-\d{2}$/.test(heading);
  const todo = `"## [${of}] - YYYY-MM-DD" with all entries, and "## [Unreleased]" with none`;
  return { found, todo: isDated && entries.length > 0 && left.length < 2 ? "" : todo };
}

async function inputs(): Promise<Finding> {
  const made = [
    ...[...DECLARED_INPUTS].map(async ([file, declared]) => [file, await actionFile(file, declared)] as const),
    ...GIVEN_FILES.map(async (file) => [file, await givenOptions(file)] as const),
    documentedInputs().then((page) => ["docs/inputs.md", page] as const),
  ];
  return await generated(await Promise.all(made), "npm run docs");
}

async function schemas(): Promise<Finding> {
  const made = [
    pluginSchema().then((text) => ["pulumi-provider/plugin/schema.json", text] as const),
    ...FILE_SCHEMAS.map(async (name) => [`schema/${name}.schema.json`, await fileSchema(name)] as const),
  ];
  return await generated(await Promise.all(made), "npm run schema");
}

/** Files that a command writes, each with the text that it has when it is fresh. */
async function generated(made: readonly (readonly [file: string, text: string])[], command: string): Promise<Finding> {
  const texts = await Promise.all(made.map(([file]) => read(file)));
  const stale = made.filter(([, text], at) => text !== texts[at]).map(([file]) => file);
  if (stale.length > 0) return { found: `${stale.join(", ")} are not as the code says`, todo: command };
  return { found: `${String(made.length)} files are as the code says`, todo: "" };
}

/** The archive that a runner downloads, as GitHub makes it of a commit. */
async function archive(): Promise<Finding> {
  const options = { cwd: projectRoot, encoding: "buffer", maxBuffer: 100_000_000 } as const;
  const { stdout } = await run("git", ["archive", "--format=tar.gz", "HEAD"], options);
  const bytes = stdout.length;
  const todo =
    bytes <= MOST_ARCHIVE_BYTES ? "" : `at most ${megabytes(MOST_ARCHIVE_BYTES)}: export-ignore in .gitattributes`;
  return { found: `${megabytes(bytes)}, which a runner downloads`, todo };
}

const Packed = z.tuple([z.object({ size: z.number(), files: z.array(z.object({ path: z.string() })) })]);

async function npmPackage(): Promise<Finding> {
  // It builds what it packs.
  const args = ["pack", "--dry-run", "--json", "--loglevel", "error"];
  const { stdout } = await run("npm", args, { cwd: projectRoot, shell: process.platform === "win32" });
  const [{ size, files }] = Packed.parse(JSON.parse(stdout));
  const { exports, bin } = await manifest();
  const named = leaves([exports, bin]).map((path) => path.replace(/^\.\//, ""));
  // `./schema/*` stands for whatever is there.
  const isThere = (name: string) =>
    files.some(({ path }) => (name.endsWith("*") ? path.startsWith(name.slice(0, -1)) : path === name));
  const missing = named.filter((name) => !isThere(name));
  const found = `${String(files.length)} files, ${megabytes(size)}`;
  if (missing.length > 0) return { found, todo: `package.json names ${missing.join(", ")}, which "files" leaves out` };
  return { found: `${found}; all ${String(named.length)} exports and programs are there`, todo: "" };
}

/** The texts in a JSON value. */
function leaves(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

async function dist(): Promise<Finding> {
  // What the package before it was packed from.
  const stale = await staleFiles(join(projectRoot, "build"));
  const found = `${String(stale.length)} files of action/dist are not what the sources build: ${stale[0] ?? ""}`;
  if (stale.length > 0) return { found, todo: "npm run build, and commit action/dist" };
  return { found: "action/dist is what the sources build, byte for byte", todo: "" };
}
