// `npm run docs` writes this file from options.ts.

/** What a program may say of a deploy, by the names of the options. */
export interface GivenDeployOptions {
  /**
   * Name of the deployment. A deployment with exactly this name is updated, or else created. Required unless
   * `deploymentId` is set.
   */
  readonly name?: string | undefined;
  /** Id of an existing deployment, which is never created. With `name`, the deployment must have that name. */
  readonly deploymentId?: string | undefined;
  /**
   * When a deployment of this name is created. `auto`: only if a list of the service shows that there is none. `once`:
   * also if the service has no list; only give it where you know that there is none. `never`: not at all. Default:
   * `auto`.
   */
  readonly create?: "auto" | "once" | "never" | undefined;
  /**
   * Goes back to the source of an earlier revision: `previous`, or the id of a revision that was DEPLOYED. The deploy
   * then takes no source and no secrets. Not possible for a revision of a branch: the service would build the branch's
   * head.
   */
  readonly rollbackTo?: string | undefined;
  /** Directory of the agent project, relative to the working directory. Only for a directory. Default: `.`. */
  readonly path?: string | undefined;
  /**
   * Configuration file, relative to `path` (with `github`, to the repository), with forward slashes. Default:
   * `graph.json`.
   */
  readonly graphConfig?: string | undefined;
  /**
   * Lines in gitignore syntax; matching files are packed even if an ignore rule excludes them. Only for a directory.
   */
  readonly include?: readonly string[] | undefined;
  /** Lines in gitignore syntax; matching files are left out. Only for a directory. */
  readonly exclude?: readonly string[] | undefined;
  /** Files that are packed although they contain credentials, as the error names them. Only for a directory. */
  readonly allowSecretsInSource?: readonly string[] | undefined;
  /** Largest compressed archive, in bytes. Only for a directory. Default: `209715200`. */
  readonly maxBytes?: number | undefined;
  /** Image to deploy. */
  readonly imageUri?: string | undefined;
  /** Branch as its bare name, or tag as `refs/tags/NAME`. */
  readonly repoRef?: string | undefined;
  /**
   * Further settings of the source, in the names of the service, such as `install_command`. A tag as `repoRef` needs
   * `build_on_push: false`.
   */
  readonly sourceConfig?: Readonly<Record<string, unknown>> | undefined;
  /** Environment of the agent, by name. It replaces all secrets of the deployment; without it, they stay. */
  readonly secrets?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Digest that the source must have, `sha256:` and 64 hex digits: that of an earlier deploy, or for an image the
   * digest in its reference. Any other source is rejected before anything is written.
   */
  readonly expectedDigest?: string | undefined;
  /** Wait until the revision is live. With `false` the deploy ends as `started`. Default: `true`. */
  readonly wait?: boolean | undefined;
  /**
   * How long the requests up to the update may take together, and then how long to wait, in milliseconds. A revision
   * that was begun continues. Default: `1800000`.
   */
  readonly timeoutMilliseconds?: number | undefined;
  /**
   * Longest pause between two requests for the status of the revision, in milliseconds; the first ones are shorter.
   * Default: `10000`.
   */
  readonly pollCapMilliseconds?: number | undefined;
  /** How the call ends if a newer revision superseded its own. Default: `fail`. */
  readonly onSuperseded?: "fail" | "succeed" | undefined;
  /** Check the health and the graphs of the agent once the revision is live. Default: `true`. */
  readonly smokeTest?: boolean | undefined;
  /**
   * File in which the deploy records what it did, for the next one. A source that is already live is not deployed
   * again. If its revision is still in progress, the deploy only waits for it. With `rollbackTo`, it tells which
   * revisions were made from the same files. Only for a directory.
   */
  readonly record?: string | undefined;
}

/** What of a directory is packed, with its defaults. */
export type DirectoryOptions = {
  readonly [Name in keyof Pick<GivenDeployOptions, "graphConfig" | "include" | "exclude" | "maxBytes">]-?: NonNullable<
    GivenDeployOptions[Name]
  >;
} & Pick<GivenDeployOptions, "allowSecretsInSource">;

/** What a request of a deploy has besides its source, with the defaults. */
export type RequestOptions = {
  readonly [Name in keyof Pick<GivenDeployOptions, "create" | "wait">]-?: NonNullable<GivenDeployOptions[Name]>;
} & Pick<GivenDeployOptions, "expectedDigest">;

/** How long a revision is waited for, and what is checked of it, with the defaults. */
export type PatienceOptions = {
  readonly [
    Name in keyof Pick<GivenDeployOptions, "timeoutMilliseconds" | "pollCapMilliseconds" | "onSuperseded" | "smokeTest">
  ]-?: NonNullable<GivenDeployOptions[Name]>;
};
