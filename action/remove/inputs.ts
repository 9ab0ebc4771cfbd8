import { LARGEST_PULL_REQUEST } from "../../src/deployment/preview-name.ts";
import { readGitHub, type GitHubInputs } from "../github/github-inputs.ts";
import {
  readControlPlaneConnection,
  type ControlPlaneConnection,
} from "../../front/options/control-plane-connection.ts";
import type { Host } from "../../front/host.ts";
import type { InputReader } from "../../front/options/input-reader.ts";
import { readPreviewStem, type PreviewStem } from "../github/preview-stem.ts";
import { readRunEvent, whoRestricts, type RunEvent } from "../github/run-event.ts";
import { REMOVE_OPTIONS, type RemoveInputName } from "./options.ts";
import type { PreviewLimits } from "./previews.ts";

export type Which = { readonly pullRequest: number } | ({ readonly pullRequest: undefined } & PreviewLimits);

/** A step that removes previews, or shows which it would remove. */
export interface RemovalInputs {
  readonly task: "dry-run" | "remove";
  readonly connection: ControlPlaneConnection;
  readonly github: GitHubInputs;
  readonly stem: PreviewStem;
  readonly which: Which;
  readonly isOnlyOwner: boolean;
  /** The environment that has the deployment records of the previews. */
  readonly environment: string;
  /** What the deploy calls its section of the comment; undefined where it is the name of the previews. */
  readonly commentKey: string | undefined;
  readonly mayBeMissing: boolean;
  readonly timeoutMilliseconds: number;
}

/** A step in a run that has no preview and no right to look. */
export interface SkipInputs {
  readonly task: "skip";
}

export type RemoveInputs = RemovalInputs | SkipInputs;

type Reader = InputReader<RemoveInputName>;

export async function readOptions(reader: Reader, host: Host): Promise<RemoveInputs | undefined> {
  const { env } = host;
  const event = await readRunEvent(env);
  const restricts = whoRestricts(env, event);
  if (restricts !== undefined) {
    const whose = restricts === "fork" ? "of forks" : "of Dependabot";
    reader.notice(`There are no previews ${whose}, and their runs have no secrets: nothing is removed.`);
    reader.forgive();
    return { task: "skip" };
  }
  const connection = await readControlPlaneConnection(reader, host);
  const stem = readPreviewStem(reader);
  const { caCertificate, allowHttp = false } = connection ?? {};
  const timeoutMilliseconds = reader.read(REMOVE_OPTIONS, "timeoutMilliseconds");
  const started = env["GITHUB_EVENT_NAME"];
  const isSweep =
    reader.read(REMOVE_OPTIONS, "all") ??
    (started === "schedule" || (started === "workflow_dispatch" && !reader.isChanged("pull-request")));
  const waits = { timeoutMilliseconds, isSweep, isPatient: true };
  const github = await readGitHub(reader, host, { asking: ["name"], caCertificate, allowHttp, ...waits });
  const which = readWhich(reader, isSweep, { given: github?.pullRequest, event });
  if (!github) {
    reader.fault("github-token", "is required: without it, the step cannot find out whether a pull request is open");
  }
  const settings = {
    isOnlyOwner: reader.read(REMOVE_OPTIONS, "onlyOwner"),
    environment: reader.read(REMOVE_OPTIONS, "environment"),
    commentKey: reader.read(REMOVE_OPTIONS, "commentKey"),
    mayBeMissing: reader.read(REMOVE_OPTIONS, "ifMissing") === "succeed",
    timeoutMilliseconds,
    task: reader.read(REMOVE_OPTIONS, "dryRun") ? ("dry-run" as const) : ("remove" as const),
  };
  if (!connection || !github || !stem || !which) return undefined;
  return { ...settings, connection, github, stem, which };
}

// The pull request is named by the input, then by the event.
function readWhich(
  reader: Reader,
  isSweep: boolean,
  { given, event }: { readonly given: number | undefined; readonly event: RunEvent },
): Which | undefined {
  if (isSweep) {
    if (reader.isChanged("pull-request")) reader.fault("pull-request", "cannot be combined with `all`");
    return {
      pullRequest: undefined,
      maxAgeMilliseconds: reader.read(REMOVE_OPTIONS, "maxAgeMilliseconds"),
      maxCount: reader.read(REMOVE_OPTIONS, "maxCount"),
    };
  }
  for (const input of ["max-age", "max-count"] as const) {
    if (reader.isChanged(input)) reader.fault(input, "has no effect without `all`");
  }
  const pullRequest = given ?? event.pullRequest?.number ?? event.commentedPullRequest;
  if (pullRequest === undefined && !reader.isChanged("pull-request")) {
    reader.fault("pull-request", "is missing, and the event names none; or set `all: true`");
  }
  if (pullRequest !== undefined && pullRequest > LARGEST_PULL_REQUEST) {
    reader.fault("pull-request", `${String(pullRequest)} must have at most eight digits`);
  }
  return pullRequest === undefined ? undefined : { pullRequest };
}
