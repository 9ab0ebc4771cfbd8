import type { SecretInput } from "../contract/deployment.ts";
import { DEFAULT_GRAPH_CONFIG } from "../contract/graph-config.ts";
import type { RevisionConfigInput, SourceConfigInput } from "../contract/source.ts";

/** A directory that is packed and uploaded. */
export interface DirectorySource {
  readonly source: "internal_source";
  /** Absolute path of the agent project. */
  readonly directory: string;
  /** Absolute path that nothing may be packed from outside of; without it, the repository that holds the project. */
  readonly workspace?: string | undefined;
  /** The configuration file, relative to `directory`. */
  readonly graphConfig: string;
  /** Lines in gitignore syntax. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** The largest compressed archive, bytes. */
  readonly maxBytes: number;
}

/** A repository that the service clones. */
export interface RepositorySource {
  readonly source: "github";
  readonly repoRef: string;
  readonly graphConfig: string;
}

/** An image that exists already. */
export interface ImageSource {
  readonly source: "external_docker";
  readonly imageUri: string;
}

/** Where the code comes from. */
export type DeploySource = DirectorySource | ImageSource | RepositorySource;

/** Which deployment is meant: an id is looked up as given and never created. */
export type DeploymentTarget =
  | { readonly name: string; readonly deploymentId?: undefined }
  | { readonly name?: string | undefined; readonly deploymentId: string };

/** One run of a live agent, and what it must answer. */
export interface SmokeRun {
  /** The id of a graph or of an assistant; without it the only graph that there is. */
  readonly graph?: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  /** Lines that must all hold, as `parseExpectation` reads them; without one the run must only end well. */
  readonly expect: readonly string[];
}

/** How patiently a revision is seen through, and which ending is fine. */
export interface Patience {
  /** How long to wait, milliseconds; it ends the waiting only. */
  readonly timeoutMilliseconds: number;
  /** The longest pause between two looks, milliseconds. */
  readonly pollCapMilliseconds: number;
  readonly onSuperseded: "fail" | "succeed";
  /** Ask the agent server whether it answers. */
  readonly smokeTest: boolean;
  /** Also run the agent once; only with `smokeTest`, and only where the revision is waited for. */
  readonly smokeRun?: SmokeRun | undefined;
}

/** What is to be deployed, and how patiently. */
export interface DeployRequest extends Patience {
  readonly target: DeploymentTarget;
  readonly source: DeploySource;
  /** Settings of the source that are sent with create, and with a patch when they change. */
  readonly sourceConfig: SourceConfigInput;
  /** Replace all secrets of the deployment; undefined leaves them alone. */
  readonly secrets: readonly SecretInput[] | undefined;
  /** Wait until the revision is live. */
  readonly wait: boolean;
  /**
   * Absolute path of the file in which this deploy leaves what it did, and finds what an earlier one did; only for a
   * directory. The file itself is never packed.
   */
  readonly record?: string | undefined;
}

/** A revision that exists and is only to be seen through. */
export interface FollowRequest extends Patience {
  readonly target: DeploymentTarget;
  readonly revisionId: string;
}

/**
 * The configuration of a revision of this source. For a directory the path of the configuration file is relative to it,
 * as the user wrote it: the archive's root may lie above, and the tarball's path comes with the upload.
 */
export function revisionConfigOf(source: DeploySource): RevisionConfigInput {
  switch (source.source) {
    case "internal_source":
      return { graph_config_path: source.graphConfig };
    case "github":
      return { repo_ref: source.repoRef, graph_config_path: source.graphConfig };
    case "external_docker":
      return { image_uri: source.imageUri };
  }
}

/** What a deploy is where its caller does not say: the same in the action, in a Pulumi program and in the library. */
export const DEPLOY_DEFAULTS = {
  path: ".",
  graphConfig: DEFAULT_GRAPH_CONFIG,
  wait: true,
  timeoutMilliseconds: 1_800_000,
  pollCapMilliseconds: 10_000,
  onSuperseded: "fail",
  smokeTest: true,
  /** The largest compressed archive, bytes. */
  maxBytes: 200 * 1024 * 1024,
} as const;
