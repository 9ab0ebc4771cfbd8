import { resolve } from "node:path";
import * as z from "zod";
import {
  anyObject,
  anyText,
  choice,
  count,
  flag,
  given,
  orLeftOut,
  type ShapesOf,
  someText,
  somePath,
  texts,
} from "./contract/argument-shapes.ts";
import type { ArgumentReading } from "./contract/call-arguments.ts";
import { readGraphConfigPath } from "./contract/graph-config.ts";
import { checkSourceConfig } from "./contract/deployment.ts";
import { isSecretName, RESERVED_SECRET_NAMES } from "./contract/secret.ts";
import { checkSourceOfCreate } from "./contract/source.ts";
import { isUuid } from "./contract/uuid.ts";
import { digestFault } from "./deployment/plan.ts";
import { CREATES, PREVIOUS } from "./deployment/options.ts";
import { DEPLOY_DEFAULTS, type Create, type DeployRequest, revisionConfigOf } from "./deployment/request.ts";
import { PATIENCE_SHAPES, readPatience, type GivenPatience } from "./given-patience.ts";
import { quoted } from "./text/quoted.ts";

/**
 * What to deploy: a directory, unless `imageUri`, `repoRef` or `rollbackTo` names another source. All but the name have the
 * defaults of the deploy action. What decides what is deployed, or where, or whether a deployment may be created is never
 * `undefined`, though its type takes what a variable of the environment is: that is an ArgumentsError, so leave it out.
 */
export interface DeployProject extends GivenPatience {
  /** The name of the deployment, which is created if it does not exist; either this or `deploymentId` is required. */
  readonly name?: string | undefined;
  /** The id of an existing deployment. */
  readonly deploymentId?: string | undefined;
  /** The directory of the agent project, relative to the working directory, which is the default. */
  readonly path?: string | undefined;
  /** The configuration file, from `path` or in the repository; `graph.json` when not given. */
  readonly graphConfig?: string | undefined;
  /** Lines in gitignore syntax: matching files are packed even if a rule excludes them. */
  readonly include?: readonly string[] | undefined;
  /** Lines in gitignore syntax: matching files are left out. */
  readonly exclude?: readonly string[] | undefined;
  /** Files that are packed although they contain credentials, as paths in the archive. */
  readonly allowSecretsInSource?: readonly string[] | undefined;
  /** The largest compressed archive, bytes; 200 MiB when not given. */
  readonly maxBytes?: number | undefined;
  /** An image to deploy instead of a directory. */
  readonly imageUri?: string | undefined;
  /** The branch, or the tag as `refs/tags/NAME`, of a repository that the service clones, instead of a directory. */
  readonly repoRef?: string | undefined;
  /** `previous`, or the id of a revision that was live: deploys the source of that revision instead of a directory. */
  readonly rollbackTo?: string | undefined;
  /** `sha256:` and the hex digest that the directory or the image must have; any when not given. */
  readonly expectedDigest?: string | undefined;
  /** Further settings of the source, in the names of the service, such as `install_command`. */
  readonly sourceConfig?: Readonly<Record<string, unknown>> | undefined;
  /**
   * When the deployment may be created. `auto`, the default: only where a list of the service shows that there is none of
   * the name. `once`: also where no list shows it; only give it where you know that there is none. `never`: not at all.
   */
  readonly create?: Create | undefined;
  /** The environment of the agent, by name; it replaces all secrets of the deployment. Not given, they stay. */
  readonly secrets?: Readonly<Record<string, string | undefined>> | undefined;
  /** Wait until the revision is live; true when not given. */
  readonly wait?: boolean | undefined;
  /** The record of the deploy: a file that this deploy writes, and a later one reads; for a directory or a rollback. */
  readonly record?: string | undefined;
}

/** The shape of what is to be deployed; `readProject` checks what several arguments say together. */
export const ProjectShape = z.strictObject({
  name: someText.refine((name) => !/\p{Cc}/u.test(name), "contains a line break").optional(),
  deploymentId: orLeftOut(someText.refine(isUuid, "is not a UUID")),
  path: orLeftOut(somePath),
  graphConfig: someText.optional(),
  include: texts.optional(),
  exclude: texts.optional(),
  allowSecretsInSource: texts.optional(),
  maxBytes: count.optional(),
  imageUri: orLeftOut(someText.refine((uri) => !/\s/.test(uri), "contains a space")),
  repoRef: orLeftOut(someText),
  rollbackTo: orLeftOut(someText.refine((to) => to === PREVIOUS || isUuid(to), "is neither `previous` nor a UUID")),
  expectedDigest: orLeftOut(someText),
  sourceConfig: anyObject.optional(),
  secrets: z.record(z.string(), given(anyText), "must be an object of names and texts").optional(),
  create: orLeftOut(choice(CREATES)),
  wait: flag.optional(),
  ...PATIENCE_SHAPES,
  record: somePath.optional(),
} satisfies ShapesOf<DeployProject>);

const NAMES_SOURCE = ["rollbackTo", "imageUri", "repoRef"] as const;
// What belongs to a directory alone.
const OF_DIRECTORY = ["path", "include", "exclude", "allowSecretsInSource", "maxBytes", "record"] as const;
// What an earlier revision already has.
const NOT_WITH_ROLLBACK = [
  "path",
  "include",
  "exclude",
  "maxBytes",
  "graphConfig",
  "imageUri",
  "repoRef",
  "sourceConfig",
  "secrets",
  "expectedDigest",
] as const;

/** The deploy of a project. Reports what is wrong with arguments whose shapes are right. */
export function readProject(
  { value: project = {}, wrong }: ArgumentReading<z.infer<typeof ProjectShape>>,
  workingDirectory: string,
  faults: string[],
): DeployRequest {
  const { name, deploymentId, sourceConfig = {}, record, expectedDigest } = project;
  const isNamed = name !== undefined || deploymentId !== undefined || wrong.has("name") || wrong.has("deploymentId");
  if (!isNamed) faults.push("`name` is missing");
  const source = sourceOf(project, workingDirectory, faults);
  const wait = project.wait ?? DEPLOY_DEFAULTS.wait;
  const patience = readPatience(project, { wait }, faults);
  // Where another source was to be named, the rules of a directory are not those that the caller has broken.
  const isMeant = source.source !== "internal_source" || !NAMES_SOURCE.some((field) => wrong.has(field));
  if (isMeant) checkSource(source, project, faults);
  return {
    target: deploymentId === undefined ? { name: name ?? "" } : { name, deploymentId },
    source,
    sourceConfig,
    secrets: secretsOf(project.secrets, faults),
    create: project.create ?? DEPLOY_DEFAULTS.create,
    wait,
    ...patience,
    ...(record === undefined ? {} : { record: resolve(workingDirectory, record) }),
    ...(expectedDigest === undefined ? {} : { expectedDigest }),
  };
}

function checkSource(
  source: DeployRequest["source"],
  { sourceConfig = {}, expectedDigest }: z.infer<typeof ProjectShape>,
  faults: string[],
): void {
  if (source.source === "revision") return;
  const config = {
    source: source.source,
    source_config: sourceConfig,
    source_revision_config: revisionConfigOf(source),
  };
  for (const { loc, msg } of [...checkSourceConfig(sourceConfig), ...checkSourceOfCreate(config)])
    faults.push(`\`${argumentOf(loc)}\` ${msg}`);
  const fault = expectedDigest === undefined ? undefined : digestFault(source, expectedDigest);
  if (fault !== undefined) faults.push(`\`expectedDigest\` ${fault}`);
}

function sourceOf(
  given: z.infer<typeof ProjectShape>,
  workingDirectory: string,
  faults: string[],
): DeployRequest["source"] {
  const { rollbackTo, imageUri, repoRef, graphConfig: config = DEPLOY_DEFAULTS.graphConfig, ...project } = given;
  if (rollbackTo !== undefined) {
    for (const field of NOT_WITH_ROLLBACK) {
      if (given[field] !== undefined)
        faults.push(`\`${field}\` comes from the earlier revision that \`rollbackTo\` names`);
    }
    return { source: "revision", revision: rollbackTo };
  }
  const other = imageUri === undefined ? "repoRef" : "imageUri";
  if (imageUri !== undefined && repoRef !== undefined)
    faults.push("`imageUri` and `repoRef` name two sources; give one");
  if (imageUri !== undefined || repoRef !== undefined) {
    for (const field of OF_DIRECTORY) {
      if (project[field] !== undefined)
        faults.push(`\`${field}\` is for a directory, and \`${other}\` names another source`);
    }
  }
  if (imageUri !== undefined) return { source: "external_docker", imageUri };
  const { path: graphConfig = config, fault } = { path: undefined, ...readGraphConfigPath(config) };
  if (fault !== undefined) faults.push(`\`graphConfig\` ${fault}`);
  if (repoRef !== undefined) return { source: "github", repoRef, graphConfig };
  const { path = DEPLOY_DEFAULTS.path, include = [], exclude = [], maxBytes = DEPLOY_DEFAULTS.maxBytes } = project;
  const { allowSecretsInSource } = project;
  const directory = resolve(workingDirectory, path);
  return { source: "internal_source", directory, graphConfig, include, exclude, allowSecretsInSource, maxBytes };
}

function secretsOf(given: Readonly<Record<string, string>> | undefined, faults: string[]): DeployRequest["secrets"] {
  if (given === undefined) return undefined;
  const reserved: ReadonlySet<string> = new Set(RESERVED_SECRET_NAMES);
  return Object.entries(given).map(([name, value]) => {
    if (!isSecretName(name)) faults.push(`\`secrets\`: ${quoted(name)} is not a valid name of a variable`);
    else if (reserved.has(name)) faults.push(`\`secrets.${name}\` is set by the platform itself`);
    // A variable that is not set reads as empty, and would take the place of the secret that the deployment has.
    else if (value === "") faults.push(`\`secrets.${name}\` is empty; leave it out if that is intended`);
    return { name, value };
  });
}

const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ["repo_ref", "repoRef"],
  ["graph_config_path", "graphConfig"],
  ["image_uri", "imageUri"],
]);

function argumentOf(loc: readonly (string | number)[]): string {
  const field = String(loc.at(-1));
  return ARGUMENTS.get(field) ?? `sourceConfig.${field}`;
}
