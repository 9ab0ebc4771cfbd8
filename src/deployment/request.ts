import { type SecretInput, SOURCE_SETTINGS } from "../contract/deployment.ts";
import { withDefaults, without, type OptionValues } from "../contract/options.ts";
import type { RevisionConfigInput, SourceConfigInput } from "../contract/source.ts";
import { closest } from "../text/closest.ts";
import { printable } from "../text/quoted.ts";
import type { DirectoryOptions, PatienceOptions, RequestOptions } from "./given-options.ts";
import {
  type CREATES,
  DEPLOY_OPTIONS,
  DIRECTORY_OPTIONS,
  PATIENCE_OPTIONS,
  SMOKE_OPTIONS,
  TRACE_OPTIONS,
} from "./options.ts";

/** A directory that is packed and uploaded. */
export interface DirectorySource extends DirectoryOptions {
  readonly source: "internal_source";
  /** Absolute path of the agent project. */
  readonly directory: string;
  /** Absolute path; nothing outside it is packed. Without it, that of the repository of the project. */
  readonly workspace?: string | undefined;
}

/** A repository that the service clones. */
export interface RepositorySource {
  readonly source: "github";
  /** A branch by its bare name, or a tag as `refs/tags/NAME`. */
  readonly repoRef: string;
  /** The configuration file, relative to the repository. */
  readonly graphConfig: string;
}

/** An image that exists already. */
export interface ImageSource {
  readonly source: "external_docker";
  /** The URI of the image. */
  readonly imageUri: string;
}

/** Where the code comes from. */
export type DeploySource = DirectorySource | ImageSource | RepositorySource;

/** The source of an earlier revision of the same deployment: a rollback. Secrets and settings stay as they are. */
export interface EarlierSource {
  readonly source: "revision";
  /** The id of the revision, or PREVIOUS. */
  readonly revision: string;
}

/** When a deployment that is named may be created: CREATES says what each of them means. */
export type Create = (typeof CREATES)[number];

/** The deployment, by its name or its id; one that has an id is never created. */
export type DeploymentTarget =
  | {
      /** Its exact name. */
      readonly name: string;
      readonly deploymentId?: undefined;
    }
  | {
      /** Its name, for messages. */
      readonly name?: string | undefined;
      /** Its id, a UUID. */
      readonly deploymentId: string;
    };

/** One run of a live agent, and what its answer must contain. */
export interface SmokeRun {
  /** The id of a graph or of an assistant; without it the agent's only graph. */
  readonly graph?: string | undefined;
  /** The input of the run. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Expectations in the syntax of `parseExpectation`; all must hold. Without any, the run must only succeed. */
  readonly expect: readonly string[];
}

/** How long to wait for a revision, and what to check. */
export interface Patience extends PatienceOptions {
  /** Also run the agent once; only with `smokeTest` and `wait`. */
  readonly smokeRun?: SmokeRun | undefined;
}

/** What to deploy, and how long to wait for it. */
export interface DeployRequest extends Patience, Omit<RequestOptions, "create"> {
  /** The deployment. */
  readonly target: DeploymentTarget;
  /** Where the code comes from. */
  readonly source: DeploySource | EarlierSource;
  /** Settings of the source that are sent with create, and with a patch when they change. */
  readonly sourceConfig: SourceConfigInput;
  /** Replace all secrets of the deployment; undefined leaves them unchanged. */
  readonly secrets: readonly SecretInput[] | undefined;
  /** `auto` when not given. */
  readonly create?: Create | undefined;
  /** The id that the deployment of this name had in an earlier run; a record has one too. */
  readonly knownId?: string | undefined;
  /**
   * The deployment comes and goes, as a preview does: it is created with the type `dev` where the service knows types,
   * and a delete of the same name that is still in progress is waited for. False when not given.
   */
  readonly isTemporary?: boolean | undefined;
  /**
   * Absolute path of the record: what this deploy did, and earlier ones did before it; only for a directory and for a
   * rollback, which finds in it which revisions were made from the same files. The file itself is never packed.
   */
  readonly record?: string | undefined;
}

/** An existing revision to wait for. */
export interface FollowRequest extends Patience {
  /** The deployment. */
  readonly target: DeploymentTarget;
  /** The id of the revision, a UUID. */
  readonly revisionId: string;
}

/**
 * The configuration of a revision of this source. For a directory, the path of the configuration file is relative to it,
 * as the user wrote it: the archive's root may be above it, and the upload gives the path of the tarball. That of an
 * earlier revision is only known to the service.
 */
export function revisionConfigOf(source: DeploySource | EarlierSource): RevisionConfigInput {
  switch (source.source) {
    case "revision":
      return {};
    case "internal_source":
      return { graph_config_path: source.graphConfig };
    case "github":
      return { repo_ref: source.repoRef, graph_config_path: source.graphConfig };
    case "external_docker":
      return { image_uri: source.imageUri };
  }
}

/** A sentence about each setting that most likely is misspelt: a service may take keys that are not known here. */
export function misspeltSettings(config: SourceConfigInput): readonly string[] {
  return Object.keys(config).flatMap((key) => {
    const near = SOURCE_SETTINGS.includes(key) ? undefined : closest(key, SOURCE_SETTINGS);
    return near === undefined ? [] : [`${printable(key)} is unknown: did you mean ${near}? It is sent as it is.`];
  });
}

/** The options of a deploy that stand in no request under their own names, and what there is of them. */
const MADE_INTO = {
  name: "the target",
  deploymentId: "the target",
  revisionId: "another request, which only waits",
  rollbackTo: "the source",
  source: "the source",
  path: "the source",
  ...DIRECTORY_OPTIONS,
  imageUri: "the source",
  repoRef: "the source",
  sourceConfig: "settings, in the names of the service",
  installCommand: "one of the settings",
  buildCommand: "one of the settings",
  secrets: "secrets in a list",
  reservedNames: "a check of the secrets",
  ...PATIENCE_OPTIONS,
  ...SMOKE_OPTIONS,
  ...TRACE_OPTIONS,
  dryRun: "another call",
  record: "an absolute path",
};

/** Those that a request has under their own names, besides its patience. */
export const REQUEST_OPTIONS = without(DEPLOY_OPTIONS, MADE_INTO);

type Given<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined };
type Values = Given<OptionValues<typeof DEPLOY_OPTIONS>>;

/** The request of a deploy: what a door reads in its own way, and the values of all other options, with their defaults. */
export function requestOf(
  { smokeRun, ...values }: Given<Patience & RequestOptions>,
  own: Omit<DeployRequest, keyof Patience | keyof RequestOptions>,
): DeployRequest {
  const run = smokeRun ? { smokeRun } : {};
  return { ...own, ...withDefaults(REQUEST_OPTIONS, values), ...withDefaults(PATIENCE_OPTIONS, values), ...run };
}

/** The deployment that a name or an id is of. */
export function targetOf({ name, deploymentId }: Pick<Values, "deploymentId" | "name">): DeploymentTarget {
  return deploymentId === undefined ? { name: name ?? "" } : { name, deploymentId };
}

/** The source that the values name: a directory, unless they name another one. */
export function sourceOf(
  values: Pick<Values, keyof DirectoryOptions | "imageUri" | "repoRef">,
  place: Pick<DirectorySource, "directory" | "workspace">,
): DeploySource {
  const { imageUri, repoRef } = values;
  if (imageUri !== undefined) return { source: "external_docker", imageUri };
  const settings = withDefaults(DIRECTORY_OPTIONS, values);
  if (repoRef !== undefined) return { source: "github", repoRef, graphConfig: settings.graphConfig };
  return { source: "internal_source", ...place, ...settings };
}

/** The defaults of a deploy, the same for the action, Pulumi and the library; with Pulumi, a resource of its own tests the agent. */
export const DEPLOY_DEFAULTS = {
  ...withDefaults(PATIENCE_OPTIONS, {}),
  ...withDefaults(DIRECTORY_OPTIONS, {}),
  ...withDefaults(REQUEST_OPTIONS, {}),
  path: DEPLOY_OPTIONS.path.parse("").value,
};
