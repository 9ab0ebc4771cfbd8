import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { checkSourceConfig } from "../../../src/contract/deployment.ts";
import { readGraphConfigPath } from "../../../src/contract/graph-config.ts";
import { checkSourceOfCreate, isSource, type SourceConfigInput } from "../../../src/contract/source.ts";
import {
  misspeltSettings,
  revisionConfigOf,
  type DeploySource,
  type DirectorySource,
  type ImageSource,
  type RepositorySource,
} from "../../../src/deployment/request.ts";
import { findConfigCandidates, isEmptyFolder } from "../../../src/source/tree/config-file.ts";
import { slashed } from "../../../src/source/entry/place.ts";
import { isInside } from "../../../src/files/inside.ts";
import type { InputReader } from "../../options/input-reader.ts";
import { listed, printable, quoted } from "../../../src/text/quoted.ts";
import type { Place } from "../../host.ts";
import { nearestDirectory, readWorkspace, realDirectory } from "../../options/workspace.ts";
import { DEPLOY_INPUTS, type DEPLOY_INPUT_USES, type DeployInputName } from "./declared-inputs.ts";
import { readMapping } from "./yaml-mapping.ts";

type Reader = InputReader<DeployInputName>;
type SourceName = DeploySource["source"];

/** The inputs that describe a source: those that `DEPLOY_INPUT_USES` names so. */
type SourceInputName = {
  [Name in DeployInputName]: (typeof DEPLOY_INPUT_USES)[Name] extends "source" ? Name : never;
}[DeployInputName];

const CHOICES = ["internal_source", "github", "external_docker"] as const satisfies readonly SourceName[];

/** The sources that each of them belongs to. A record may also be kept by a step that deploys an earlier revision. */
const SOURCE_INPUTS: Readonly<Record<SourceInputName | "deploy-record", readonly SourceName[]>> = {
  create: CHOICES,
  source: CHOICES,
  "source-config": CHOICES,
  secrets: CHOICES,
  "reserved-names": CHOICES,
  "expected-digest": CHOICES,
  path: ["internal_source"],
  "graph-config": ["internal_source", "github"],
  include: ["internal_source"],
  exclude: ["internal_source"],
  "allow-secrets-in-source": ["internal_source"],
  "max-size": ["internal_source"],
  "deploy-record": ["internal_source"],
  "image-uri": ["external_docker"],
  "repo-ref": ["github"],
  "install-command": ["internal_source", "github"],
  "build-command": ["internal_source", "github"],
};

/** The inputs that each set one key of the source config. */
const COMMANDS = [
  ["install-command", "install_command"],
  ["build-command", "build_command"],
] as const satisfies readonly (readonly [DeployInputName, string])[];

/** Which input sets the field of a source rule. */
const INPUT_OF_FIELD = new Map<string, DeployInputName>([
  ["repo_ref", "repo-ref"],
  ["graph_config_path", "graph-config"],
  ["image_uri", "image-uri"],
]);

/** The source that the inputs describe; undefined after an error, which the reader has reported. */
export async function readSource(reader: Reader, place: Place): Promise<DeploySource | undefined> {
  const source = chooseSource(reader);
  if (source === undefined) {
    // These values are invalid for every source, and one report has all errors.
    reader.size("max-size");
    readGraphConfig(reader);
    if (reader.isChanged("path")) await readDirectoryPath(reader, place);
    return undefined;
  }
  for (const [input, sources] of Object.entries(SOURCE_INPUTS)) {
    if (isSourceInput(input) && reader.isChanged(input) && !sources.some((owner) => owner === source)) {
      reader.fault(input, `applies only to source ${listed(sources)}; the source here is ${source}`);
    }
  }
  if (source === "internal_source") return readDirectory(reader, place);
  return source === "github" ? readRepository(reader) : readImage(reader);
}

function isSourceInput(input: string): input is keyof typeof SOURCE_INPUTS {
  return Object.hasOwn(SOURCE_INPUTS, input);
}

// Without one of these a step deploys another source.
const SOURCE_NAMING = ["source", "image-uri", "repo-ref"] as const satisfies readonly DeployInputName[];

function chooseSource(reader: Reader): SourceName | undefined {
  const text = reader.text("source");
  if (SOURCE_NAMING.some((input) => reader.isUnknown(input))) return undefined;
  if (text === "") {
    if (!reader.isChanged("image-uri")) return reader.isChanged("repo-ref") ? "github" : "internal_source";
    if (!reader.isChanged("repo-ref")) return "external_docker";
    reader.fault("source", "is not set, but `image-uri` and `repo-ref` are both set; set only one of them");
    return undefined;
  }
  const chosen = CHOICES.find((choice) => choice === text);
  if (chosen === undefined) {
    const why = isSource(text) ? "is for images that another tool pushes and deploys" : "is not a source";
    reader.fault("source", `${quoted(text)} ${why}; choose ${listed(CHOICES)}`);
  }
  return chosen;
}

async function readDirectory(reader: Reader, place: Place): Promise<DirectorySource | undefined> {
  const graphConfig = readGraphConfig(reader);
  const maxBytes = reader.size("max-size");
  const allowed = reader.lines("allow-secrets-in-source").map((line) => line.trim());
  const directory = await readDirectoryPath(reader, place);
  if (directory === undefined || graphConfig === undefined) return undefined;
  return {
    source: "internal_source",
    ...directory,
    graphConfig,
    include: reader.lines("include"),
    exclude: reader.lines("exclude"),
    ...(allowed.length === 0 ? {} : { allowSecretsInSource: allowed }),
    maxBytes,
  };
}

function readRepository(reader: Reader): RepositorySource | undefined {
  const given = reader.text("repo-ref");
  // The service takes the bare name of a branch, but this one bare name stands for no branch.
  const repoRef = given === `refs/heads/${DEPLOY_INPUTS["repo-ref"]}` ? DEPLOY_INPUTS["repo-ref"] : given;
  const graphConfig = readGraphConfig(reader);
  if (repoRef === "") reader.fault("repo-ref", "is missing; set a branch, or a tag as refs/tags/NAME");
  return repoRef === "" || graphConfig === undefined ? undefined : { source: "github", repoRef, graphConfig };
}

function readImage(reader: Reader): ImageSource | undefined {
  const imageUri = reader.text("image-uri");
  if (imageUri === "") reader.fault("image-uri", "is missing; set the image to deploy");
  else if (/\s/.test(imageUri)) reader.fault("image-uri", `${quoted(imageUri)} contains whitespace`);
  return imageUri === "" ? undefined : { source: "external_docker", imageUri };
}

function readGraphConfig(reader: Reader): string | undefined {
  const text = reader.text("graph-config");
  const read = readGraphConfigPath(text);
  if (read.fault === undefined) return read.path;
  reader.fault("graph-config", `${quoted(text)} ${read.fault}`);
  return undefined;
}

/** Both paths without symbolic links: a link may lead out of the workspace. */
async function readDirectoryPath(
  reader: Reader,
  place: Place,
): Promise<Pick<DirectorySource, "directory" | "workspace"> | undefined> {
  const text = reader.text("path");
  const root = await readWorkspace(reader, "path", place);
  if (root === undefined) return undefined;
  const directory = await realDirectory(resolve(root, text));
  if (directory !== undefined && isInside(root, directory)) return { directory, workspace: root };
  const path = resolve(root, text);
  const isFile = directory === undefined && (await stat(path).catch(() => undefined))?.isFile() === true;
  const why = isFile ? "is a file" : directory === undefined ? "is not a directory in the workspace" : OUTSIDE;
  const meant = await meantBy({ path, root, graphConfig: reader.text("graph-config"), isFile });
  reader.fault("path", `${quoted(text)} ${why}${meant}`);
  return undefined;
}

const OUTSIDE = "is outside the workspace";
const MOST_NAMED = 3;

interface UnusablePath {
  readonly path: string;
  readonly root: string;
  readonly graphConfig: string;
  readonly isFile: boolean;
}

/** What was probably meant by an unusable path, as the end of the sentence about it. */
async function meantBy({ path, root, graphConfig, isFile }: UnusablePath): Promise<string> {
  if (isEmptyFolder(root)) return "; the workspace is empty: is a checkout step missing?";
  const near = isFile ? undefined : await nearestDirectory(root, path);
  if (near !== undefined) return `; did you mean ${printable(slashed(root, near))}?`;
  const found = findConfigCandidates(root, graphConfig);
  const own = found.filter(({ folder, name }) => join(folder, name) === path);
  const settings = (own.length === 0 ? found : own).map(({ folder, name }) => {
    const directory = quoted(slashed(root, folder) || ".");
    return name === basename(graphConfig) ? directory : `${directory} with \`graph-config: ${printable(name)}\``;
  });
  if (settings.length === 0) return isFile ? "; set it to the directory of the agent project" : "";
  return `; set it to ${listed(settings, { most: MOST_NAMED })}`;
}

/** The settings of the source, from `source-config` and the inputs that stand for one of its keys. */
export async function readSourceConfig(reader: Reader): Promise<SourceConfigInput> {
  const config = (await readMapping(reader, "source-config", "build_on_push: false")) ?? {};
  for (const { loc, msg } of checkSourceConfig(config))
    reader.fault("source-config", `${loc.slice(1).join(".")} ${msg}`);
  for (const sentence of misspeltSettings(config)) reader.warn(`source-config: ${sentence}`);
  const commands = COMMANDS.flatMap(([input, key]) => {
    const command = reader.text(input);
    if (command === "") return [];
    if (Object.hasOwn(config, key))
      reader.fault(input, `is also set by \`${key}\` in \`source-config\`; set only one of them`);
    return [[key, command] as const];
  });
  return { ...config, ...Object.fromEntries(commands) };
}

/** Reports every rule of the service that the source breaks, under the input that sets the field. */
export function checkSourceRules(reader: Reader, source: DeploySource, sourceConfig: SourceConfigInput): void {
  const violations = checkSourceOfCreate({
    source: source.source,
    source_config: sourceConfig,
    source_revision_config: revisionConfigOf(source),
  });
  for (const { loc, msg } of violations) {
    const field = String(loc.at(-1));
    const input = INPUT_OF_FIELD.get(field);
    if (input === undefined) reader.fault("source-config", `${field} ${msg}`);
    else reader.fault(input, msg);
  }
}
