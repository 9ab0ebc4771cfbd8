import type { Deployment } from "../../../../src/contract/deployment.ts";
import type { PlannedField, Step } from "../../../../src/deployment/events.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import type { Block } from "../../../account/part.ts";
import type { DeployFacts } from "./facts.ts";
import { isSent, leftOutText, secretsText, shortDigest, sourceSize, uploadSize } from "./words.ts";
import { revisionStatusFact } from "../../../../src/contract/revision-status.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText, latencyText } from "../../../../src/text/duration.ts";

/** What differs from the revision before, closed; none for a new deployment and for a run that made no revision. */
export function changePart(facts: DeployFacts, pen: MarkdownPen): Block | undefined {
  const { before, live, tree, revisionId, resumed } = facts;
  if (!before || revisionId === undefined || resumed === true) return undefined;
  const rows = changedFields(facts).map((field) => [
    pen.code(field.name),
    pen.code(field.before ?? ""),
    pen.code(field.after),
  ]);
  const items = [
    ["Previous revision", before.latest_revision_id == null ? "none" : pen.code(before.latest_revision_id)],
    ["Source", sourceRemark(facts, pen)],
    ["Left out", tree ? pen.text(leftOutText(tree)) : ""],
    ["Secrets added", pen.names(namesBeside(live, before))],
    ["Secrets removed", pen.names(namesBeside(before, live))],
  ] as const;
  const list = items.flatMap(([label, text]) => (text === "" ? [] : [`${label}: ${text}`]));
  const body = [{ rest: "fields", head: ["Field", "Before", "Now"], rows }, { list }];
  return { details: "Changes since the previous revision", body };
}

export function plannedTable({ change, ...facts }: DeployFacts, pen: MarkdownPen): Block | undefined {
  if (!change || !isSent(change)) return undefined;
  const fields = change.fields.map(({ name, before, after }) => [
    pen.code(name),
    before === undefined ? "" : pen.code(before),
    before === after ? "unchanged" : pen.code(after),
  ]);
  const now = change.target === "create" ? "" : `${String(change.deployment?.secrets?.length ?? 0)} set`;
  const source = facts.tree ? [["Source", "", `${sourceRemark(facts, pen)}${uploadSize(facts)}`]] : [];
  const rows = [...source, ...fields, ["Secrets", now, pen.text(secretsText(change))]];
  return { rest: "fields", head: ["", "Now", "Would be"], rows };
}

/** `14 files, 38.2 kB, sha256:4f1c09ab` */
function sourceRemark({ tree, digest }: DeployFacts, pen: MarkdownPen): string {
  if (!tree) return "";
  return [sourceSize(tree), ...(digest === undefined ? [] : [pen.code(shortDigest(digest))])].join(", ");
}

// The path of a tarball differs each time and says nothing.
const FIELDS = ["repo_ref", "repo_commit_sha", "graph_config_path", "image_uri"] as const;

function changedFields({ before, revision, live }: DeployFacts): readonly PlannedField[] {
  const config = revision?.source_revision_config ?? live?.source_revision_config;
  return FIELDS.flatMap((name) => {
    const [old, now] = [before?.source_revision_config?.[name], config?.[name]];
    return now == null || old === now ? [] : [{ name, before: old ?? undefined, after: now }];
  });
}

// A service that omits the names in one of its responses gives nothing to compare.
function namesBeside(deployment: Deployment | undefined, other: Deployment | undefined): readonly string[] {
  if (deployment?.secrets == null || other?.secrets == null) return [];
  const known = new Set(other.secrets.map(({ name }) => name));
  return deployment.secrets.map(({ name }) => name).filter((name) => !known.has(name));
}

export function stepsTable(facts: DeployFacts, pen: MarkdownPen): Block {
  const rows = STEPS.flatMap(([step, title]) => {
    const milliseconds = facts.steps.get(step);
    if (milliseconds === undefined) return [];
    return [[title, durationText(milliseconds), remark(step, facts, pen)]];
  });
  return { rest: "steps", head: ["Step", "Time", ""], rows };
}

const STEPS: readonly (readonly [step: Step, title: string])[] = [
  ["source", "Source"],
  ["upload", "Upload"],
  ["queue", "Queue"],
  ["build", "Build"],
  ["deploy", "Deploy"],
  ["verify", "Verify"],
];

function remark(step: Step, facts: DeployFacts, pen: MarkdownPen): string {
  const { uploadedBytes, statuses, lastSeen, answer: { graphs, run, version } = {} } = facts;
  switch (step) {
    case "source":
      return sourceRemark(facts, pen);
    case "upload":
      return uploadedBytes === undefined ? "" : bytesText(uploadedBytes);
    case "queue":
    case "build":
    case "deploy": {
      // That of the last one lasts up to the end of the wait.
      const ends = [...statuses.slice(1).map(({ at }) => at), lastSeen];
      const seen = statuses
        .map(({ status, at }, index) => ({ status, milliseconds: Math.max(0, (ends[index] ?? lastSeen) - at) }))
        .filter(({ status }) => revisionStatusFact(status).phase === step);
      // The time of a single status is that of the row.
      const time = (milliseconds: number) => (seen.length === 1 ? "" : ` ${durationText(milliseconds)}`);
      return seen.map(({ status, milliseconds }) => pen.text(status) + time(milliseconds)).join(", ");
    }
    case "verify":
      return [
        ...(graphs ? [`${String(graphs.served)} of ${String(graphs.expected)} graphs`] : []),
        ...(run ? [`run in ${latencyText(run.milliseconds)}`] : []),
        ...(version === undefined ? [] : [`version ${pen.code(version)}`]),
      ].join(", ");
  }
}
