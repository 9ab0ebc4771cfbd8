import { PREVIOUS } from "../../src/deployment/options.ts";
import type { Host } from "../../front/host.ts";
import type { Connection } from "../../front/options/endpoint.ts";
import type { InputReader } from "../../front/options/input-reader.ts";
import { readOptions as readDeploy, type DeployOptions, type FollowOptions } from "../../front/steps/deploy/inputs.ts";
import type { StepComment } from "../github/comment/comment.ts";
import { readOnGitHub } from "../github/comment/step-comment.ts";
import type { GitHubInputs } from "../github/github-inputs.ts";
import { readPreviewStem, type PreviewStem } from "../github/preview-stem.ts";
import { marksOf } from "../github/records/place.ts";
import { readRunEvent, whoRestricts } from "../github/run-event.ts";
import { PREVIEW_OPTIONS, type DeployActionInputName } from "./options.ts";

interface OnGitHub {
  /** Undefined when nothing is written to GitHub. */
  readonly github: DeployGitHub | undefined;
  /** Undefined if the step does not comment on a pull request. */
  readonly comment: StepComment | undefined;
}

export interface DeployGitHub extends GitHubInputs {
  /** The environment that gets a deployment record; undefined for none. */
  readonly environment: string | undefined;
  /** The environment whose records say what earlier revisions were made from; undefined where nothing asks for it. */
  readonly rollbackEnvironment?: string | undefined;
}

/** A preview of the pull request that the run is about. */
export interface PreviewInputs extends PreviewStem {
  /** The names do not say to which repository they belong. */
  readonly isPlain: boolean;
  readonly isOnlyOwner: boolean;
  readonly github: GitHubInputs;
  /** The environment in which earlier versions recorded previews. */
  readonly environment: string;
}

export interface DeployInputs extends DeployOptions, OnGitHub {
  /** With it the target of the request is only the name that the preview's begins with. */
  readonly preview?: PreviewInputs | undefined;
}

export interface FollowInputs extends FollowOptions, OnGitHub {}

/** A step that was to deploy a preview in a run that may have none. */
export interface SkipInputs {
  readonly task: "skip";
  readonly comment?: undefined;
  /** Why, as a sentence without its full stop. */
  readonly reason: string;
}

type Reader = InputReader<DeployActionInputName>;

// As the default of the step that removes previews.
const USUAL_ENVIRONMENT = "preview";

export async function readOptions(
  reader: Reader,
  host: Host,
): Promise<DeployInputs | FollowInputs | SkipInputs | undefined> {
  const isPreview = reader.read(PREVIEW_OPTIONS, "preview");
  const restricts = isPreview ? whoRestricts(host.env, await readRunEvent(host.env)) : undefined;
  if (restricts !== undefined) {
    const reason =
      restricts === "fork"
        ? "this run is for a pull request from a fork, so it has no secrets"
        : "Dependabot started this run, so it has no secrets";
    reader.forgive();
    return { task: "skip", reason };
  }
  const previewTarget = isPreview ? readPreviewTarget(reader) : undefined;
  const target = previewTarget && { name: previewTarget.stem };
  const options = await readDeploy(reader, host, isPreview ? { target, revisionId: undefined } : undefined);
  const { github, comment } = await readShown(reader, host, options);
  if (isPreview && !github) {
    reader.fault("preview", "needs `github-token`, and the repository and the API of GitHub in the environment");
  }
  if (!options) return undefined;
  const limits = (github ?? comment?.github)?.limits;
  if (limits) limits.timeoutMilliseconds = options.request.timeoutMilliseconds;
  if (options.task === "follow") return { ...options, github, comment };
  const environment = reader.line("environment") ?? USUAL_ENVIRONMENT;
  return { ...options, github, comment, preview: previewTarget && github && { ...previewTarget, github, environment } };
}

/** How the previews are named, and whether they may be taken over; undefined after an error, which the reader has. */
function readPreviewTarget(reader: Reader): Omit<PreviewInputs, "environment" | "github"> | undefined {
  if (reader.isChanged("create")) {
    reader.fault("create", "cannot be combined with `preview`, which is created where a list shows that there is none");
  }
  const isPlain = reader.read(PREVIEW_OPTIONS, "previewName") === "plain";
  const isOnlyOwner = reader.read(PREVIEW_OPTIONS, "onlyOwner");
  const stem = readPreviewStem(reader);
  return stem && { ...stem, isPlain, isOnlyOwner };
}

/** What the deploy shows on GitHub, and what it reads there. */
async function readShown(
  reader: Reader,
  host: Host,
  options: DeployOptions | FollowOptions | undefined,
): Promise<OnGitHub> {
  const { connection } = options ?? {};
  const service = connection?.service;
  const environment = reader.line("environment");
  const isFollowing = reader.text("revision-id") !== "";
  if (environment !== undefined && isFollowing) reader.warn("`environment` has no effect with `revision-id`.");
  // A record says where something runs: what writes nothing makes none.
  const isRecorded = service !== "local" && !isFollowing && !reader.isTrue("dry-run");
  const recorded = isRecorded ? environment : undefined;
  // A rehearsal has no earlier revisions; a dry run at a service reads the records and makes none.
  const isGoingBack = service !== "local" && reader.text("rollback-to") === PREVIOUS;
  const rollbackEnvironment = isGoingBack ? environment : undefined;
  const name = reader.text("name") || reader.text("deployment-id");
  // An image and a repository of the service are not what is checked out.
  const isPacked = (["image-uri", "repo-ref", "revision-id", "rollback-to"] as const).every(
    (input) => reader.text(input) === "",
  );
  const asking = [
    ...((recorded ?? rollbackEnvironment) === undefined ? [] : ["environment"]),
    ...(reader.isTrue("preview") ? ["preview"] : []),
  ];
  const directory = isPacked ? reader.text("path") : null;
  const { github, comment } = await readOnGitHub(reader, host, { connection, asking, defaults: [name], directory });
  // Two services may have a deployment of one name, and each has its section; so has a rehearsal.
  const ofService = connection && comment?.key === name ? { service: serviceMark(connection) } : {};
  return {
    github: github && asking.length > 0 ? { ...github, environment: recorded, rollbackEnvironment } : undefined,
    comment: comment && { ...comment, ...ofService },
  };
}

function serviceMark({ service, tenantId }: Connection): string {
  return service === "local" ? service : marksOf(service.url, tenantId).service;
}
