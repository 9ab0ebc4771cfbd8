import { setFields } from "../../../../src/contract/set-fields.ts";
import type { Deployment, LogKind, LogLine, Revision } from "../../../../src/contract/deployment.ts";
import type { DeployEvent, PlannedChange, Step } from "../../../../src/deployment/events.ts";
import type { DeployStepEvent } from "../events.ts";
import type { SourceArchive } from "../../../../src/source/archive/archive.ts";
import type { SourceTree } from "../../../../src/source/tree/tree.ts";
import { COMMON_FACTS, learning } from "../../../account/event-table.ts";
import type { StepOutputs } from "../../../account/step-report.ts";

/** What is known about a deploy so far. Its texts are foreign: they come from the service or the project. */
export interface DeployFacts {
  readonly name?: string;
  readonly pullRequest?: number;
  /** What to change where nothing would prove to a removal whose preview this is. */
  readonly unproved?: string;
  /** Why there is no preview, or none any more. */
  readonly notKept?: string;
  readonly tree?: SourceTree;
  readonly archive?: SourceArchive;
  /** `sha256:` and the hex digest of the source, packed or not. */
  readonly digest?: string;
  readonly deploymentId?: string;
  /** The deployment as it was before this run; absent when it is new. */
  readonly before?: Deployment;
  /** True when this run made the deployment, false when it existed. */
  readonly created?: boolean;
  readonly change?: PlannedChange;
  /** The revision that this run goes back to, and the one that served before. */
  readonly rollback?: { readonly to: string; readonly from: string | undefined; readonly digest: string | undefined };
  readonly uploadedBytes?: number;
  readonly revisionId?: string;
  /** True when an earlier run made our revision. */
  readonly resumed?: boolean;
  /** The status that our revision had when it was made, or found. */
  readonly startedAs?: string;
  readonly revision?: Revision;
  /** The statuses that our revision had, each from when on: milliseconds since the waiting began. */
  readonly statuses: readonly { readonly status: string; readonly at: number }[];
  /** How many heartbeats of the wait each status had. */
  readonly beats: ReadonlyMap<string, number>;
  /** The last sign of our revision or of the wait for it, milliseconds since the waiting began. */
  readonly lastSeen: number;
  readonly live?: Deployment;
  readonly url?: string;
  readonly page?: string;
  readonly tracePage?: string;
  readonly answer?: Extract<DeployEvent, { type: "agent-answered" }>;
  readonly steps: ReadonlyMap<Step, number>;
  readonly logs?: { readonly kind: LogKind; readonly lines: readonly LogLine[] };
  readonly warnings: readonly string[];
  readonly ended?: Omit<Extract<DeployEvent, { type: "ended" }>, "type">;
}

type FoundDeployment = Pick<Extract<DeployEvent, { type: "deployment-found" }>, "deployment" | "page">;

export const NO_FACTS: DeployFacts = { statuses: [], beats: new Map(), lastSeen: 0, steps: new Map(), warnings: [] };

export const learn = learning<DeployStepEvent, DeployFacts>({
  ...COMMON_FACTS,
  "preview-named": ({ name, pullRequest }) => ({ name, pullRequest }),
  "preview-unproved": (event, { warnings }) => {
    const unproved = unprovedText(event);
    return { unproved, warnings: [...warnings, unproved] };
  },
  "not-kept": ({ reason }) => ({ notKept: reason }),
  "source-read": ({ tree }, { warnings }) => ({ tree, warnings: [...warnings, ...tree.warnings] }),
  "source-packed": ({ archive }, { warnings }) => ({
    archive,
    digest: archive.digest,
    warnings: [...warnings, ...archive.warnings],
  }),
  "source-hashed": ({ digest }) => ({ digest }),
  "deployment-new": ({ name }) => ({ name }),
  "deployment-found": (event, facts) => ({ before: event.deployment, ...identity(event, false, facts) }),
  "deployment-created": (event, facts) => identity(event, !event.adopted, facts),
  rollback: ({ revision, from, digest }) => ({ rollback: { to: revision.id, from, digest } }),
  planned: ({ change }) => ({ change, name: change.name }),
  uploaded: ({ bytes }) => ({ uploadedBytes: bytes }),
  "update-answered": ({ deploymentId, revisionId }) => ({ deploymentId, revisionId }),
  "revision-started": ({ deploymentId, revisionId, status, resumed }) => {
    return { deploymentId, revisionId, startedAs: status, resumed };
  },
  "revision-status": ({ revision, elapsedMilliseconds: at }, { statuses }) => {
    const { status } = revision;
    const isSeen = statuses.at(-1)?.status === status;
    return { revision, lastSeen: at, statuses: isSeen ? statuses : [...statuses, { status, at }] };
  },
  "revision-heartbeat": ({ status = "", elapsedMilliseconds }, { beats }) => {
    return { lastSeen: elapsedMilliseconds, beats: new Map([...beats, [status, (beats.get(status) ?? 0) + 1]]) };
  },
  "wait-ended": ({ elapsedMilliseconds }) => ({ lastSeen: elapsedMilliseconds }),
  "revision-logs": (logs) => ({ logs }),
  "revision-live": ({ deployment, url }) => ({ live: deployment, ...setFields({ url }) }),
  "agent-answered": (answer) => ({ url: answer.url, answer }),
  "trace-sent": ({ page }) => (page === undefined ? undefined : { tracePage: page }),
  "step-ended": ({ step, milliseconds }, { steps }) => ({ steps: new Map([...steps, [step, milliseconds]]) }),
});

/** Why nothing will remove a preview, and how to change that. */
export function unprovedText({ name, isRecorded }: Extract<DeployStepEvent, { type: "preview-unproved" }>): string {
  const which = `No removal will find the preview ${name}: no deployment record of this repository proves whose it is`;
  return isRecorded
    ? `${which}, because it could not be made. Set \`only-owner: true\` in both steps if nobody else has deployments ` +
        "named like these previews, or leave out `preview-name: plain`."
    : `${which}, and the next deploy fails. Leave out \`preview-name: plain\`; or set \`environment\` and, as long as there ` +
        "are previews without a record, `only-owner: true` if nobody else has deployments named like these previews.";
}

function identity({ deployment, page }: FoundDeployment, created: boolean, { name }: DeployFacts) {
  const { id } = deployment;
  return { ...setFields({ page }), deploymentId: id, created, name: deployment.name ?? name ?? id };
}

/** The outputs, as action.yml declares them. `source-bytes` is the sum of the packed files' sizes, `duration-seconds` a decimal number. */
export function outputsOf(facts: DeployFacts): StepOutputs {
  const { tree, ended } = facts;
  const isKept = facts.notKept === undefined;
  return {
    values: {
      "deployment-id": facts.deploymentId,
      "deployment-url": facts.page,
      "revision-id": facts.revisionId,
      status: facts.statuses.at(-1)?.status ?? facts.startedAs,
      url: isKept ? facts.url : undefined,
      created: facts.created,
      preview: isKept && facts.pullRequest !== undefined ? facts.name : undefined,
      "pull-request": facts.pullRequest,
      "source-digest": facts.digest,
      "source-bytes": tree?.bytes,
      "source-files": tree?.files,
      "duration-seconds": ended && (ended.milliseconds / 1_000).toFixed(3),
      outcome: ended?.outcome ?? "failed",
    },
  };
}
