import type { Deployment } from "../../../../src/contract/deployment.ts";
import type { FailedFact } from "../../../../src/contract/revision-status.ts";
import type { PlannedField, Step } from "../../../../src/deployment/events.ts";
import { logTail, logTitle } from "../../../../src/deployment/ending.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText, latencyText } from "../../../../src/text/duration.ts";
import { ForeignText } from "../../../../src/text/foreign-text.ts";
import { markdownTable } from "../../../account/markdown.ts";
import { MarkdownPen } from "../../../account/markdown-pen.ts";
import { failureParts, summaryText, warningsPart, type SummaryOptions } from "../../../account/summary.ts";
import { statusTimes, type DeployFacts } from "./facts.ts";
import { deployFailure } from "./ending.ts";
import { isSent, leftOutText, plannedVerb, secretsText, shortDigest, sourceSize, uploadSize } from "./words.ts";

const STEP_TITLES: Readonly<Record<Step, string>> = {
  source: "Source",
  upload: "Upload",
  queue: "Queue",
  build: "Build",
  deploy: "Deploy",
  verify: "Verify",
};
const STEPS = ["source", "upload", "queue", "build", "deploy", "verify"] as const satisfies readonly Step[];

// The path of a tarball differs each time and says nothing.
const FIELDS = ["repo_ref", "repo_commit_sha", "graph_config_path", "image_uri"] as const;

/**
 * The job summary of a deploy as markdown: did it work, what is live now, how long did each part take, what changed,
 * what next. It ends with a line break.
 */
export function summaryOf(facts: DeployFacts, { redact, rehearsal = false, limitBytes }: SummaryOptions = {}): string {
  const text = new ForeignText(redact);
  const pen = new MarkdownPen(text);
  const details =
    facts.ended?.outcome === "dry-run"
      ? [rollbackPart(facts, pen), plannedPart(facts, pen), warningsPart(facts.warnings, pen)]
      : [
          rollbackPart(facts, pen),
          linksPart(facts, pen),
          stepsTable(facts, pen),
          warningsPart(facts.warnings, pen),
          changePart(facts, pen),
          logPart(facts, text, pen),
          idsPart(facts, pen),
        ];
  return summaryText([...headParts(facts, rehearsal, pen), ...details], limitBytes);
}

/** Did it work, what is live now; of a failure why, and what to do next. */
export function headParts(facts: DeployFacts, rehearsal: boolean, pen: MarkdownPen): readonly string[] {
  const { ended, name } = facts;
  if (ended?.error !== undefined) {
    const failure = deployFailure(ended.outcome, ended.error);
    return [...failureParts(failure, name, pen), liveNow(facts, rehearsal, pen)];
  }
  return [`### ${headline(facts, pen)}${rehearsal ? " (rehearsal)" : ""}`, lead(facts, rehearsal, pen)];
}

function headline({ name = "The deployment", change, ended, rollback }: DeployFacts, pen: MarkdownPen): string {
  switch (ended?.outcome) {
    case "deployed":
      return `✅ ${pen.text(name)} is ${rollback === undefined ? "live" : "rolled back"}`;
    case "unchanged":
      return `✅ ${pen.text(name)} is unchanged`;
    case "started":
      return `✅ ${pen.text(name)}: revision started`;
    case "superseded":
      return `⚠️ ${pen.text(name)} was superseded`;
    case "skipped":
      return "No preview";
    case "removed":
      return `${pen.text(name)} was removed`;
    case "dry-run":
      return `Dry run: ${pen.text(name)} would be ${rollback === undefined ? plannedVerb(change) : "rolled back"}`;
    default:
      return `${pen.text(name)}: the run did not finish`;
  }
}

function lead(facts: DeployFacts, rehearsal: boolean, pen: MarkdownPen): string {
  const { ended, url, revisionId, deploymentId, notKept, change } = facts;
  const took = durationText(ended?.milliseconds ?? 0);
  const revision = revisionId === undefined ? [] : [`revision ${pen.id(revisionId)}`];
  // The agent of a rehearsal is gone when its step ends.
  const bold = url === undefined || rehearsal ? [] : [`**${pen.link(url)}**`];
  switch (ended?.outcome) {
    case "deployed":
      return [...bold, ...revision, `deployed in ${took}`].join(" · ");
    case "unchanged":
      return [...bold, ...revision, `nothing to deploy, checked in ${took}`].join(" · ");
    case "started":
      return [...revision, `started after ${took}`, "this step did not wait for it"].join(" · ");
    case "superseded":
      return [...revision, `after ${took}`, "a newer revision took its place"].join(" · ");
    case "skipped":
    case "removed":
      return pen.sentence(`There is no preview: ${notKept ?? "the reason is unknown"}.`);
    case "dry-run":
      return deploymentId === undefined
        ? `${change?.isUnlisted === true ? "No list shows whether it exists already. " : ""}Nothing was written.`
        : `Deployment ${pen.code(deploymentId)}. Nothing was written.`;
    default:
      return "";
  }
}

/** The outcomes of a revision that never went live. */
const NEVER_LIVE = {
  "build-failed": true,
  "deploy-failed": true,
  interrupted: true,
} as const satisfies Readonly<Record<FailedFact["outcome"], true>>;

// Only what is known for certain: after a timeout or a newer revision anything may serve.
function liveNow(facts: DeployFacts, rehearsal: boolean, pen: MarkdownPen): string {
  const { live, url, before, created, ended, revisionId } = facts;
  if (live !== undefined) {
    const place = url === undefined || rehearsal ? "" : ` at ${pen.link(url)}`;
    return `**Live now:** revision ${pen.id(revisionId ?? "")}, from this run${place}`;
  }
  if (!Object.hasOwn(NEVER_LIVE, ended?.outcome ?? "")) return "";
  if (created === true) return "**Live now:** nothing; the deployment is new";
  const active = before?.active_revision_id;
  return active == null ? "" : `**Live now:** revision ${pen.id(active)}, the previous one`;
}

/** What a rollback went back to; empty for any other deploy. */
export function rollbackPart({ rollback, ended }: DeployFacts, pen: MarkdownPen): string {
  if (rollback === undefined) return "";
  const what = ended?.outcome === "deployed" ? "Rolled back" : "Rollback";
  const from = rollback.from === undefined ? "" : ` from revision ${pen.id(rollback.from)}`;
  return `${what}${from} to revision ${pen.id(rollback.to)}. Secrets and settings stay as they are.`;
}

/** Where there is more to see, outside of GitHub. */
export function linksPart({ page, tracePage }: DeployFacts, pen: MarkdownPen): string {
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

/** A table of the parts of a deploy and how long each took; empty when there was none. */
function stepsTable(facts: DeployFacts, pen: MarkdownPen): string {
  const rows = STEPS.flatMap((step) => {
    const milliseconds = facts.steps.get(step);
    if (milliseconds === undefined) return [];
    return [[STEP_TITLES[step], durationText(milliseconds), remark(step, facts, pen)]];
  });
  return rows.length === 0 ? "" : markdownTable(["Step", "Time", ""], rows);
}

function remark(step: Step, facts: DeployFacts, pen: MarkdownPen): string {
  switch (step) {
    case "source":
      return sourceRemark(facts, pen);
    case "upload":
      return facts.uploadedBytes === undefined ? "" : bytesText(facts.uploadedBytes);
    case "queue":
    case "build":
    case "deploy":
      return statusesOf(step, facts, pen);
    case "verify":
      return verifyRemark(facts, pen);
  }
}

/** `14 files, 38.2 kB, sha256:4f1c09ab` */
function sourceRemark({ tree, digest }: DeployFacts, pen: MarkdownPen): string {
  if (tree === undefined) return "";
  return [sourceSize(tree), ...(digest === undefined ? [] : [pen.code(shortDigest(digest))])].join(", ");
}

function statusesOf(step: "build" | "deploy" | "queue", facts: DeployFacts, pen: MarkdownPen): string {
  return statusTimes(facts)
    .filter(({ phase }) => phase === step)
    .map(({ status, milliseconds }) => `${pen.text(status)} ${durationText(milliseconds)}`)
    .join(", ");
}

function verifyRemark({ answer }: DeployFacts, pen: MarkdownPen): string {
  const { graphs, run, version } = answer ?? {};
  return [
    ...(graphs === undefined ? [] : [`${String(graphs.served)} of ${String(graphs.expected)} graphs`]),
    ...(run === undefined ? [] : [`run in ${latencyText(run.milliseconds)}`]),
    ...(version === undefined ? [] : [`version ${pen.code(version)}`]),
  ].join(", ");
}

/** What differs from the revision before, closed; empty for a new deployment and for a run that made no revision. */
function changePart(facts: DeployFacts, pen: MarkdownPen): string {
  if (facts.before === undefined || facts.revisionId === undefined || facts.resumed === true) return "";
  const parts = [fieldsTable(changedFields(facts), pen), changeList(facts, pen)];
  return pen.details("Changes since the previous revision", parts.filter((part) => part !== "").join("\n\n"));
}

/** What a deploy would send, as a table. */
function plannedPart({ change, ...facts }: DeployFacts, pen: MarkdownPen): string {
  if (change === undefined || !isSent(change)) return "";
  const rows = change.fields.map(({ name, before, after }) => [
    pen.code(name),
    before === undefined ? "" : pen.code(before),
    before === after ? "unchanged" : pen.code(after),
  ]);
  const now = String(change.deployment?.secrets?.length ?? 0);
  const source = facts.tree === undefined ? [] : [["Source", "", `${sourceRemark(facts, pen)}${uploadSize(facts)}`]];
  return markdownTable(
    ["", "Now", "Would be"],
    [...source, ...rows, ["Secrets", change.target === "create" ? "" : `${now} set`, pen.text(secretsText(change))]],
  );
}

function changedFields({ before, revision, live }: DeployFacts): readonly PlannedField[] {
  const config = revision?.source_revision_config ?? live?.source_revision_config;
  return FIELDS.flatMap((name) => {
    const [old, now] = [before?.source_revision_config?.[name], config?.[name]];
    return now == null || old === now ? [] : [{ name, before: old ?? undefined, after: now }];
  });
}

function fieldsTable(fields: readonly PlannedField[], pen: MarkdownPen): string {
  if (fields.length === 0) return "";
  const rows = fields.map(({ name, before, after }) => [pen.code(name), pen.code(before ?? ""), pen.code(after)]);
  return markdownTable(["Field", "Before", "Now"], rows);
}

function changeList(facts: DeployFacts, pen: MarkdownPen): string {
  const { before, live, tree } = facts;
  const items = [
    ["Previous revision", before?.latest_revision_id == null ? "none" : pen.code(before.latest_revision_id)],
    ["Source", sourceRemark(facts, pen)],
    ["Left out", tree === undefined ? "" : pen.text(leftOutText(tree))],
    ["Secrets added", pen.names(namesBeside(live, before))],
    ["Secrets removed", pen.names(namesBeside(before, live))],
  ] as const;
  return items
    .filter(([, text]) => text !== "")
    .map(([label, text]) => `- ${label}: ${text}`)
    .join("\n");
}

// A service that omits the names in one of its responses gives nothing to compare.
function namesBeside(deployment: Deployment | undefined, other: Deployment | undefined): readonly string[] {
  if (deployment?.secrets == null || other?.secrets == null) return [];
  const known = new Set(other.secrets.map(({ name }) => name));
  return deployment.secrets.map(({ name }) => name).filter((name) => !known.has(name));
}
