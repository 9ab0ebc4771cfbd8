import type { Deployment } from "../../../../src/contract/deployment.ts";
import { taggedImage } from "../../../../src/contract/image.ts";
import { revisionStatusFact } from "../../../../src/contract/revision-status.ts";
import { retryText } from "../../../../src/http/retry.ts";
import type { SourceTree } from "../../../../src/source/tree/tree.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText, elapsedText, latencyText } from "../../../../src/text/duration.ts";
import { countOf } from "../../../../src/text/number.ts";
import { quoted } from "../../../../src/text/quoted.ts";
import type { Block } from "../../../account/part.ts";
import { COMMON_LINES, type LogTable } from "../../../account/step-log.ts";
import type { DeployStepEvent } from "../events.ts";
import { unprovedText, type DeployFacts } from "./facts.ts";
import { fileLines, graphsText, leftOutText, shortDigest, sourceDirectory, sourceSize } from "./words.ts";

/** What the log of a deploy says of each event; the account has the plan, the log of a build, and where the agent is. */
export const LINES: LogTable<DeployStepEvent, DeployFacts> = {
  ...COMMON_LINES,
  "source-read": ({ tree }, { kind }) => sourceLines(tree, kind.workspace),
  "source-packed": ({ archive: { bytes, digest, warnings }, milliseconds }) => [
    { label: "Packed", text: `${bytesText(bytes)} in ${durationText(milliseconds)}, ${shortDigest(digest)}…` },
    ...warnings.map((warning) => ({ warning })),
  ],
  "deployment-new": ({ name, source }, { kind }) =>
    kind.dryRun === true ? undefined : { label: "Deployment", text: `${name}: new, source ${source}` },
  "deployment-found": ({ deployment, page }, { kind }) => {
    const text = `${identify(deployment)}, source ${deployment.source ?? "unknown"}`;
    return [...(kind.dryRun === true ? [] : [{ label: "Deployment", text }]), ...pageLines(page)];
  },
  "deployment-created": ({ deployment, adopted, page }) => {
    const found = `${identify(deployment)}: created by another run in the meantime; updating it`;
    const line = adopted ? { label: "Found", text: found } : { label: "Created", text: identify(deployment) };
    return [line, ...pageLines(page)];
  },
  "revision-started": ({ revisionId, resumed, status }) => {
    return { label: "Revision", text: `${revisionId}${resumed ? `, ${status}` : ""}` };
  },
  rollback: ({ revision: { id, created_at: at }, from }) => {
    const made = at == null ? "" : ` of ${at}`;
    const to = `to revision ${id}${made}${from === undefined ? "" : `, from ${from}`}`;
    return { label: "Rollback", lines: [to, "the secrets and settings of the deployment stay as they are"] };
  },
  "image-tagged": ({ image, tag }) => ({ label: "Image", text: taggedImage(image, tag) }),
  "preview-named": ({ name, pullRequest }) => {
    return { label: "Preview", text: `${name}, of pull request #${String(pullRequest)}` };
  },
  "preview-unproved": (event) => ({ warning: unprovedText(event) }),
  "earlier-kept": ({ name }) => ({
    label: "Kept",
    text:
      `${name}: no deployment record proves that an earlier version deployed it as this preview; if it did, ` +
      "set `only-owner: true`, or delete it in the service",
  }),
  "earlier-removed": ({ name }) => {
    return { label: "Removed", text: `${name}, the preview of the pull request that an earlier version deployed` };
  },
  "not-kept": ({ reason }) => ({ notice: `There is no preview: ${reason}.` }),
  "delete-waiting": ({ name, elapsedMilliseconds }) => {
    return { label: "Waiting", text: `${name} is being deleted, ${elapsedText(elapsedMilliseconds)} so far` };
  },
  recalled: ({ reason, verdict }) => ({ label: "Record", text: `${reason}: ${WHAT_FOLLOWS[verdict]}` }),
  "revision-status": ({ revision: { status, status_message: message }, elapsedMilliseconds }) => {
    return { at: elapsedMilliseconds, text: message == null || message === "" ? status : `${status}: ${message}` };
  },
  // Shows that the wait lives; what a person can do meanwhile comes with the first heartbeat of a status.
  "revision-heartbeat": ({ status, elapsedMilliseconds }, { facts: { statuses, beats } }) => {
    const soFar = elapsedText(elapsedMilliseconds - (statuses.at(-1)?.at ?? 0));
    const { advice } = revisionStatusFact(status ?? "");
    const isFirst = beats.get(status ?? "") === 1 && advice !== "";
    return [
      { at: elapsedMilliseconds, text: `${status ?? "no status yet"}, ${soFar} so far` },
      ...(isFirst ? [{ label: "", text: advice }] : []),
    ];
  },
  "agent-waiting": ({ url, reason, elapsedMilliseconds }) => {
    return { label: "Agent", text: `${url}: not ready after ${elapsedText(elapsedMilliseconds)}: ${reason}` };
  },
  "agent-running": ({ url, graph, elapsedMilliseconds }) => {
    const soFar = `${elapsedText(elapsedMilliseconds)} so far`;
    return { label: "Agent", text: `${url}: the run of ${graph} is still running, ${soFar}` };
  },
  "agent-answered": ({ url, milliseconds, graphs, run }) => {
    const served = graphs ? `, ${String(graphs.served)} of ${String(graphs.expected)} graphs` : "";
    const tried = run ? `, run in ${latencyText(run.milliseconds)}` : "";
    return { label: "Agent", text: `${url}: responds in ${latencyText(milliseconds)}${served}${tried}` };
  },
  "trace-sent": ({ runs, session, traceId, page }) => {
    const text = `${countOf(runs, "run")} in project ${quoted(session)}, trace ${traceId}`;
    return { label: "Trace", lines: [text, ...(page === undefined ? [] : [page])] };
  },
  "look-failed": ({ message }) => ({ label: "Retry", text: `could not read the revision: ${message}` }),
  retry: (event, { facts }) => {
    return isLooking(facts) ? { debugging: retryText(event.notice) } : COMMON_LINES.retry(event);
  },
  "step-ended": ({ step, milliseconds }) => ({ debugging: `${step} took ${durationText(milliseconds)}` }),
};

const WHAT_FOLLOWS = {
  new: "will create a new revision",
  resume: "nothing to send",
  unchanged: "nothing to deploy",
} as const;

function sourceLines(tree: SourceTree, workspace: string | undefined): readonly Block[] {
  const directory = sourceDirectory(tree, workspace);
  const [leftOut, { envFile }] = [leftOutText(tree), tree];
  return [
    {
      label: "Source",
      lines: [
        `${directory === "" ? "" : `${directory}: `}${sourceSize(tree)}`,
        ...(leftOut === "" ? [] : [`left out: ${leftOut}`]),
        ...(envFile === undefined ? [] : [`env file ${envFile} is not sent; set its values in \`secrets\``]),
      ],
    },
    { label: "Graphs", text: graphsText(tree) },
    { group: `Files (${String(tree.entries.length)})`, lines: fileLines(tree) },
    ...tree.warnings.map((warning) => ({ warning })),
  ];
}

function pageLines(page: string | undefined): readonly Block[] {
  return page === undefined ? [] : [{ label: "Page", text: page }];
}

/** A revision or a live agent is looked at again and again: failed looks are shown, their attempts are not. */
function isLooking({ live, statuses }: DeployFacts): boolean {
  const last = statuses.at(-1);
  return live !== undefined || (last !== undefined && !revisionStatusFact(last.status).terminal);
}

// `support-agent 0f8fad5b-…`, or the id alone where a service gives no name.
function identify({ name, id }: Deployment): string {
  return name === undefined ? id : `${name} ${id}`;
}
