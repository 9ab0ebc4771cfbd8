import type { Deployment } from "../../../src/contract/deployment.ts";
import type { PlannedField } from "../../../src/deployment/events.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import type { DeployFacts } from "./ledger.ts";
import { markdownTable } from "../../report/markdown.ts";
import type { MarkdownPen } from "../../report/markdown-pen.ts";
import { isSent, secretsText } from "./planned-words.ts";
import { leftOutText } from "./source-words.ts";
import { sourceRemark } from "./summary-steps.ts";

// The path of a tarball differs each time and says nothing.
const FIELDS = ["repo_ref", "repo_commit_sha", "graph_config_path", "image_uri"] as const;

/** What differs from the revision before, closed; empty for a new deployment and for a run that made no revision. */
export function changePart(facts: DeployFacts, pen: MarkdownPen): string {
  if (facts.before === undefined || facts.revisionId === undefined || facts.resumed === true) return "";
  const parts = [fieldsTable(changedFields(facts), pen), changeList(facts, pen)];
  return pen.details("What changed since the revision before", parts.filter((part) => part !== "").join("\n\n"));
}

/** What a deploy would send, as a table. */
export function plannedPart({ change, ...facts }: DeployFacts, pen: MarkdownPen): string {
  if (change === undefined || !isSent(change)) return "";
  const rows = change.fields.map(({ name, before, after }) => [
    pen.code(name),
    before === undefined ? "" : pen.code(before),
    before === after ? "unchanged" : pen.code(after),
  ]);
  const now = String(change.deployment?.secrets?.length ?? 0);
  const size = facts.archive === undefined ? "" : `; ${bytesText(facts.archive.bytes)} to upload`;
  const source = facts.tree === undefined ? [] : [["Source", "", `${sourceRemark(facts, pen)}${size}`]];
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
    ["Revision before", before?.latest_revision_id == null ? "none" : pen.code(before.latest_revision_id)],
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

// A service that leaves the names out of one of its answers gives nothing to compare.
function namesBeside(deployment: Deployment | undefined, other: Deployment | undefined): readonly string[] {
  if (deployment?.secrets == null || other?.secrets == null) return [];
  const known = new Set(other.secrets.map(({ name }) => name));
  return deployment.secrets.map(({ name }) => name).filter((name) => !known.has(name));
}
