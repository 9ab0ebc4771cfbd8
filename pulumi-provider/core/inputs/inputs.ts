import { without } from "../../../src/contract/options.ts";
import type { GivenDeployOptions } from "../../../src/deployment/given-options.ts";
import { DIRECTORY_OPTIONS, type DEPLOY_OPTIONS } from "../../../src/deployment/options.ts";
import { DEPLOY_DEFAULTS, type DeploySource } from "../../../src/deployment/request.ts";

/** The sources that a program can deploy from; an image that another tool pushes is deployed by that tool. */
export type SourceName = DeploySource["source"];

/** The options of a deploy that are no inputs, and what a program does instead. */
export const LEFT_OUT = {
  deploymentId: "`adopt` takes over a deployment by its name, and the state knows its id",
  create: "a resource is created once, and `adopt` says what an existing deployment is",
  revisionId: "the resource waits for the revision that it makes",
  rollbackTo: "an earlier version of the program is an earlier source",
  path: "`directory.path`",
  graphConfig: "`graphConfigPath`, as the service names it",
  maxBytes: "`graph-deploy:maxSize` of the configuration",
  installCommand: "`install_command` of `sourceConfig`",
  buildCommand: "`build_command` of `sourceConfig`",
  reservedNames: "the names that a platform sets are the same for all programs",
  expectedDigest: "the plan of an update has `sourceHash`",
  timeoutMilliseconds: "`timeoutSeconds`, as Pulumi counts",
  pollCapMilliseconds: "one pause for all programs",
  onSuperseded: "a revision of the resource that another one replaces is an error",
  smokeTest: "the resource of the agent's readiness",
  smokeInput: "the resource of the agent's readiness",
  smokeGraph: "the resource of the agent's readiness",
  smokeExpect: "the resource of the agent's readiness",
  traceSession: "`graph-deploy/tracing` traces what a program does",
  traceUrl: "`graph-deploy/tracing` traces what a program does",
  traceApiKey: "`graph-deploy/tracing` traces what a program does",
  dryRun: "the preview of Pulumi",
  record: "the state of Pulumi",
} as const satisfies Partial<Record<keyof typeof DEPLOY_OPTIONS, string>>;

/** What of a directory is packed. */
export const PACKED = without(DIRECTORY_OPTIONS, { graphConfig: LEFT_OUT.graphConfig, maxBytes: LEFT_OUT.maxBytes });

/** A directory that is packed and uploaded. */
export interface Directory extends Pick<GivenDeployOptions, keyof typeof PACKED> {
  /** The agent project, relative to the Pulumi program. */
  readonly path: string;
}

/** Where the API key is: a reference, never the key. */
export type Credential =
  | {
      /** The name of an environment variable. */
      readonly env: string;
      readonly config?: undefined;
    }
  | {
      /** A key of the stack's configuration; without a namespace it is one of `graph-deploy`. */
      readonly config: string;
      readonly env?: undefined;
    };

/** How long Pulumi waits, in its own durations: `90s`, `10m`, `1h30m`. */
export interface CustomTimeouts {
  readonly create?: string | undefined;
  readonly update?: string | undefined;
  readonly delete?: string | undefined;
}

/** The inputs that every deployment has. */
export interface CommonInputs extends Pick<GivenDeployOptions, "wait"> {
  /** The name of the deployment in the service; another name is another deployment. */
  readonly name: string;
  /** Settings of the source that outlive a revision, in the names of the service. */
  readonly sourceConfig?: Readonly<Record<string, unknown>> | undefined;
  /** Environment variables of the agent. They replace all secrets of the deployment. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** Environment variables of the agent, each with the name of the variable that holds its value where Pulumi runs. */
  readonly secretsFromEnv?: Readonly<Record<string, string>> | undefined;
  /** Names of secrets whose new values alone make no revision. */
  readonly ignoreSecretChanges?: readonly string[] | undefined;
  /** Any values; a change of one makes a revision. */
  readonly triggers?: readonly unknown[] | undefined;
  /** How long the requests up to the update may take together, and then the wait, in seconds; 1800 unless it is set. */
  readonly timeoutSeconds?: number | undefined;
  /** Take over an existing deployment of this name (`ifExists`); `never` unless it is set. */
  readonly adopt?: "ifExists" | "never" | undefined;
  /** What deleting the resource does to the deployment; unless it is set, `retain` for an adopted one, else `delete`. */
  readonly onDelete?: "delete" | "retain" | undefined;
  /** Refuse to delete the deployment. */
  readonly deletionProtection?: boolean | undefined;
  /** What the next update does about changes from outside the program; `redeploy` unless it is set. */
  readonly revisionDrift?: "ignore" | "redeploy" | undefined;
  /** Address of the control plane. Default: `graph-deploy:controlPlaneUrl`, else GRAPH_DEPLOY_URL. */
  readonly controlPlaneUrl?: string | undefined;
  /** The workspace. Default: `graph-deploy:tenantId`, else GRAPH_DEPLOY_TENANT_ID. */
  readonly tenantId?: string | undefined;
  /** Where the API key is. Default: `graph-deploy:apiKey`, else GRAPH_DEPLOY_API_KEY. */
  readonly credential?: Credential | undefined;
  /** Names that the service spells differently, from our name to theirs. */
  readonly fieldNames?: Readonly<Record<string, string>> | undefined;
}

/** A deployment from a directory of this machine. */
export interface DirectoryInputs extends CommonInputs {
  /** Where the code comes from: a directory of this machine, a repository, or an image. */
  readonly source: "internal_source";
  /** The directory that is packed and uploaded, with `internal_source`. */
  readonly directory: Directory;
  /** The configuration file, relative to the directory; `graph.json` unless it is set. */
  readonly graphConfigPath?: string | undefined;
  readonly repoRef?: undefined;
  readonly imageUri?: undefined;
}

/** A deployment from a repository that the service clones. */
export interface RepositoryInputs extends CommonInputs {
  readonly source: "github";
  /** A branch by its bare name, or a tag as `refs/tags/NAME`, with `github`. */
  readonly repoRef: string;
  /** The configuration file, relative to the directory or the repository; `graph.json` unless it is set. */
  readonly graphConfigPath?: string | undefined;
  readonly directory?: undefined;
  readonly imageUri?: undefined;
}

/** A deployment from an existing image. */
export interface ImageInputs extends CommonInputs {
  readonly source: "external_docker";
  /** The image, with `external_docker`. */
  readonly imageUri: string;
  readonly directory?: undefined;
  readonly graphConfigPath?: undefined;
  readonly repoRef?: undefined;
}

/** The inputs of a deployment; the source decides which of them are allowed. */
export type DeploymentInputs = DirectoryInputs | ImageInputs | RepositoryInputs;

/** The defaults of the inputs; a delete sees only the state, so the state contains them. */
export const DEFAULTS = {
  wait: DEPLOY_DEFAULTS.wait,
  timeoutSeconds: DEPLOY_DEFAULTS.timeoutMilliseconds / 1_000,
  adopt: "never",
  deletionProtection: false,
  revisionDrift: "redeploy",
} as const;
