import { durationText } from "../../../src/text/duration.ts";
import { deployFailure } from "./failure.ts";
import { ForeignText } from "../../../src/text/foreign-text.ts";
import type { DeployFacts } from "./ledger.ts";
import { logTail, logTitle } from "../../../src/deployment/log-tail.ts";
import { MarkdownPen } from "../../report/markdown-pen.ts";
import { failureParts, summaryText, warningsPart, type SummaryOptions } from "../../report/summary-parts.ts";
import { plannedVerb } from "./planned-words.ts";
import { changePart, plannedPart } from "./summary-change.ts";
import { stepsTable } from "./summary-steps.ts";

/**
 * The job summary of a deploy as markdown: did it work, what is live now, how long did each part take, what changed,
 * what next. It ends with a line break.
 */
export function summaryOf(facts: DeployFacts, { redact, rehearsal = false, limitBytes }: SummaryOptions = {}): string {
  const text = new ForeignText(redact);
  const pen = new MarkdownPen(text);
  const { ended } = facts;
  const failure = ended?.error === undefined ? undefined : deployFailure(ended.outcome, ended.error);
  const parts =
    failure === undefined
      ? [`### ${headline(facts, pen)}${rehearsal ? " (rehearsal)" : ""}`, lead(facts, rehearsal, pen)]
      : [...failureParts(failure, facts.name, pen), liveNow(facts, rehearsal, pen)];
  const details =
    ended?.outcome === "dry-run"
      ? [plannedPart(facts, pen), warningsPart(facts.warnings, pen)]
      : [
          linksPart(facts, pen),
          stepsTable(facts, pen),
          warningsPart(facts.warnings, pen),
          changePart(facts, pen),
          logPart(facts, text, pen),
          idsPart(facts, pen),
        ];
  return summaryText([...parts, ...details], limitBytes);
}

function headline({ name = "The deployment", change, ended }: DeployFacts, pen: MarkdownPen): string {
  switch (ended?.outcome) {
    case "deployed":
      return `✅ ${pen.text(name)} is live`;
    case "unchanged":
      return `✅ ${pen.text(name)} is unchanged`;
    case "started":
      return `✅ ${pen.text(name)}: a revision is started`;
    case "superseded":
      return `⚠️ ${pen.text(name)} was superseded`;
    case "dry-run":
      return `Dry run: ${pen.text(name)} would be ${plannedVerb(change)}`;
    default:
      return `${pen.text(name)}: the run did not come to its end`;
  }
}

function lead({ ended, url, revisionId, deploymentId }: DeployFacts, rehearsal: boolean, pen: MarkdownPen): string {
  const took = durationText(ended?.milliseconds ?? 0);
  const revision = revisionId === undefined ? [] : [`revision ${pen.id(revisionId)}`];
  // The agent of a rehearsal is gone when its step ends.
  const bold = url === undefined || rehearsal ? [] : [`**${pen.link(url)}**`];
  switch (ended?.outcome) {
    case "deployed":
      return [...bold, ...revision, `deployed in ${took}`].join(" · ");
    case "unchanged":
      return [...bold, ...revision, `nothing to deploy, looked in ${took}`].join(" · ");
    case "started":
      return [...revision, `started after ${took}`, "this step did not wait for it"].join(" · ");
    case "superseded":
      return [...revision, `after ${took}`, "a newer revision took its place"].join(" · ");
    case "dry-run":
      return deploymentId === undefined
        ? "Nothing was written."
        : `Deployment ${pen.code(deploymentId)}. Nothing was written.`;
    default:
      return "";
  }
}

// Only what is known for certain: after a timeout or a newer revision anything may serve.
function liveNow(facts: DeployFacts, rehearsal: boolean, pen: MarkdownPen): string {
  const { live, url, before, created, ended, revisionId } = facts;
  if (live !== undefined) {
    const place = url === undefined || rehearsal ? "" : ` at ${pen.link(url)}`;
    return `**Live now:** revision ${pen.id(revisionId ?? "")}, the one of this run${place}`;
  }
  const failed = ["build-failed", "deploy-failed", "interrupted"].includes(ended?.outcome ?? "");
  if (!failed) return "";
  if (created === true) return "**Live now:** nothing; the deployment is new";
  const active = before?.active_revision_id;
  return active == null ? "" : `**Live now:** revision ${pen.id(active)}, the one before`;
}

function linksPart({ page, tracePage }: DeployFacts, pen: MarkdownPen): string {
  return [
    ...(page === undefined ? [] : [`Deployment and logs: ${pen.link(page)}`]),
    ...(tracePage === undefined ? [] : [`Trace: ${pen.link(tracePage)}`]),
  ].join(" · ");
}

function logPart({ logs }: DeployFacts, text: ForeignText, pen: MarkdownPen): string {
  if (logs === undefined) return "";
  const lines = logTail(logs.lines, text);
  return pen.details(logTitle(logs.kind, lines.length), pen.block(lines));
}

function idsPart({ deploymentId, revisionId, digest }: DeployFacts, pen: MarkdownPen): string {
  const ids = [
    ["Deployment", deploymentId],
    ["Revision", revisionId],
    ["Source", digest],
  ] as const;
  const items = ids.flatMap(([label, id]) => (id === undefined ? [] : [`- ${label}: ${pen.code(id)}`]));
  return items.length === 0 ? "" : pen.details("Ids and digest", items.join("\n"));
}
