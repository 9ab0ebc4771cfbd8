import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { isSource, type SourceConfigInput } from "../../../src/contract/source.ts";
import { DEPLOY_OPTIONS, DIRECTORY_OPTIONS, SOURCES } from "../../../src/deployment/options.ts";
import { misspeltSettings, sourceOf } from "../../../src/deployment/request.ts";
import type { DeploySource, DirectorySource } from "../../../src/deployment/request.ts";
import { findConfigCandidates, isEmptyFolder } from "../../../src/source/tree/config-candidates.ts";
import { slashed } from "../../../src/source/entry/place.ts";
import { isInside } from "../../../src/files/inside.ts";
import type { InputReader } from "../../options/input-reader.ts";
import { listed, printable, quoted } from "../../../src/text/quoted.ts";
import type { Place } from "../../host.ts";
import { nearestDirectory, readWorkspace, realDirectory } from "../../options/workspace.ts";
import type { DeployInputName } from "./options.ts";
import { readMapping } from "./yaml-mapping.ts";

type Reader = InputReader<DeployInputName>;
type SourceName = DeploySource["source"];

/** The inputs that each set one key of the source config. */
const COMMANDS = [
  ["install-command", "install_command"],
  ["build-command", "build_command"],
] as const satisfies readonly (readonly [DeployInputName, string])[];

const SOURCE_OPTIONS = {
  ...DIRECTORY_OPTIONS,
  imageUri: DEPLOY_OPTIONS.imageUri,
  repoRef: DEPLOY_OPTIONS.repoRef,
};

/** The source that the inputs describe; undefined after an error, which the reader has reported. */
export async function readSource(reader: Reader, place: Place): Promise<DeploySource | undefined> {
  const source = chooseSource(reader);
  reader.check(DEPLOY_OPTIONS, source);
  if (source === undefined) {
    // These values are invalid for every source, and one report has all errors.
    const { maxBytes, graphConfig } = DIRECTORY_OPTIONS;
    reader.readAll({ maxBytes, graphConfig });
    if (reader.isChanged("path")) await readDirectoryPath(reader, place);
    return undefined;
  }
  const { repoRef, ...values } = reader.readAll(SOURCE_OPTIONS);
  const directory = source === "internal_source" ? await readDirectoryPath(reader, place) : { directory: "" };
  if (source === "github" && repoRef === undefined) {
    reader.fault("repo-ref", "is missing; set a branch, or a tag as refs/tags/NAME");
    return undefined;
  }
  if (source === "external_docker" && values.imageUri === undefined) {
    reader.fault("image-uri", "is missing; set the image to deploy");
    return undefined;
  }
  // The service takes the bare name of a branch, but this one bare name stands for no branch.
  const { word = "" } = DEPLOY_OPTIONS.repoRef;
  const named = repoRef === `refs/heads/${word}` ? word : repoRef;
  return directory && sourceOf({ ...values, repoRef: named }, directory);
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
  const chosen = SOURCES.find((choice) => choice === text);
  if (chosen === undefined) {
    const why = isSource(text) ? "is for images that another tool pushes and deploys" : "is not a source";
    reader.fault("source", `${quoted(text)} ${why}; choose ${listed(SOURCES)}`);
  }
  return chosen;
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
