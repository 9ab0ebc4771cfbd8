import type { PlannedChange, PlannedField } from "../../../src/deployment/events.ts";
import type { DeployFacts } from "./ledger.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import type { SourceTree } from "../../../src/source/tree/tree.ts";
import { largestText, shortDigest, sourceSize } from "./source-words.ts";

/** One thing that a deploy would send: what kind of thing, and what it would be. */
export type PlannedLine = readonly [label: string, text: string];

/** False when an earlier run has sent all that there is. */
export function isSent({ recalled }: PlannedChange): boolean {
  return recalled === undefined || recalled.verdict === "new";
}

/** What would become of the deployment: `created`, `updated`, `waited for` or `left as it is`. */
export function plannedVerb(change: PlannedChange | undefined): string {
  if (change?.recalled?.verdict === "resume") return "waited for";
  if (change?.recalled?.verdict === "unchanged") return "left as it is";
  return change?.target === "create" ? "created" : "updated";
}

/** `Would create`, `Would update` and of what. */
export function plannedTarget(change: PlannedChange): PlannedLine {
  const { target, name, source, deployment, latestRevision } = change;
  if (target === "create") return ["Would create", `${name}, source ${source}`];
  const latest =
    latestRevision === undefined ? "no revision yet" : `latest revision ${latestRevision.id}, ${latestRevision.status}`;
  const label = isSent(change) ? "Would update" : change.recalled?.verdict === "resume" ? "Would await" : "Would keep";
  return [label, `${name} ${deployment?.id ?? ""} (${latest})`];
}

/** What would be sent. Values of secrets are never part of it. */
export function plannedLines(change: PlannedChange, { tree, archive }: DeployFacts): readonly PlannedLine[] {
  if (!isSent(change)) return [];
  const packed = archive === undefined ? "" : `, ${shortDigest(archive)}…; ${bytesText(archive.bytes)} to upload`;
  return [
    ...(tree === undefined ? [] : sourceLines(tree, packed)),
    ...change.fields.map((field, index) => [index === 0 ? "config" : "", fieldText(field)] as const),
    ["secrets", secretsText(change)],
  ];
}

function sourceLines(tree: SourceTree, packed: string): readonly PlannedLine[] {
  const largest = largestText(tree);
  return [
    ["source", `${sourceSize(tree)}${packed}`],
    ...(largest === "" ? [] : [["", `largest: ${largest}`] as const]),
  ];
}

function fieldText({ name, before, after }: PlannedField): string {
  if (before === undefined) return `${name} ${after}`;
  return before === after ? `${name} ${after} (unchanged)` : `${name} ${after} (was ${before})`;
}

/** `OPENAI_API_KEY, SENTRY_DSN (values not shown); replaces the 3 that are set` */
export function secretsText({ target, deployment, secretNames }: PlannedChange): string {
  const count = deployment?.secrets?.length ?? 0;
  if (secretNames === undefined) return target === "create" ? "none" : "left as they are";
  if (secretNames.length === 0) return count === 0 ? "none" : `none; removes the ${String(count)} that are set`;
  const names = `${secretNames.join(", ")} (values not shown)`;
  return count === 0 ? names : `${names}; replaces the ${String(count)} that are set`;
}
