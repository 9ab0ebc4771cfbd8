import { relative } from "node:path";
import { isInside } from "../../../../src/files/inside.ts";
import type { SourceTree } from "../../../../src/source/tree/tree.ts";
import type { PlannedChange } from "../../../../src/deployment/events.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import type { Block } from "../../../account/part.ts";
import type { DeployFacts } from "./facts.ts";

const MOST_FILES_LISTED = 1_000;
const SIZE_WIDTH = 10;
const LARGEST_NAMED = 3;

/** `14 files, 38.2 kB` */
export function sourceSize({ files, bytes }: SourceTree): string {
  return `${filesText(files)}, ${bytesText(bytes)}`;
}

/** The directory that is packed, as a path in the workspace; empty for the workspace itself. */
export function sourceDirectory({ root }: SourceTree, workspace: string | undefined): string {
  if (workspace === undefined) return root;
  return isInside(workspace, root) ? relative(workspace, root).replaceAll("\\", "/") : root;
}

/** What was left out and why: `.env (secret), node_modules (212 files), 3 files by .gitignore`; empty for nothing. */
export function leftOutText({ leftOut }: SourceTree): string {
  return leftOut
    .map(({ what, reason, files, atLeast }) => {
      const count = `${atLeast ? "at least " : ""}${filesText(files)}`;
      if (reason === "rule") return `${count} by ${what}`;
      if (reason === "built-in") return files === 0 ? what : `${what} (${count})`;
      return files < 2 ? `${what} (secret)` : `${what} (secret, ${count})`;
    })
    .join(", ");
}

/** `support, triage (graph.json)` */
export function graphsText({ graphs, graphConfigPath }: SourceTree): string {
  return `${graphs.map(({ id }) => id).join(", ")} (${graphConfigPath})`;
}

/** The packed files with their sizes, a line each. */
export function fileLines({ entries }: SourceTree): readonly string[] {
  const lines = entries.slice(0, MOST_FILES_LISTED).map(({ path, type, size, target = "" }) => {
    const isLink = type === "symlink";
    const what = (isLink ? "link" : bytesText(size)).padStart(SIZE_WIDTH);
    return `${what}  ${path}${isLink ? ` -> ${target}` : ""}`;
  });
  const rest = entries.length - lines.length;
  return rest > 0 ? [...lines, `and ${String(rest)} more`] : lines;
}

/** `sha256:4f1c09ab`: enough to distinguish two sources. */
export function shortDigest(digest: string): string {
  return digest.replace(/^([a-z0-9]+:[0-9a-f]{8})[0-9a-f]+$/, "$1");
}

/** False when an earlier run has sent all that there is. */
export function isSent({ recalled }: PlannedChange): boolean {
  return !recalled || recalled.verdict === "new";
}

/** What would become of the deployment: `created`, `updated`, `waited for` or `left unchanged`. */
export function plannedVerb(change: PlannedChange | undefined): string {
  if (change?.recalled?.verdict === "resume") return "waited for";
  if (change?.recalled?.verdict === "unchanged") return "left unchanged";
  return change?.target === "create" ? "created" : "updated";
}

export function plannedTarget(change: PlannedChange): Block {
  const { target, name, source, deployment, latestRevision } = change;
  if (target === "create") {
    const proof = change.isUnlisted === true ? "; no list shows whether it exists already" : "";
    return { label: "Would create", text: `${name}, source ${source}${proof}` };
  }
  const latest = latestRevision ? `latest revision ${latestRevision.id}, ${latestRevision.status}` : "no revision yet";
  const label = isSent(change) ? "Would update" : change.recalled?.verdict === "resume" ? "Would await" : "Would keep";
  return { label, text: `${name} ${deployment?.id ?? ""} (${latest})` };
}

/** What would be sent. Values of secrets are never part of it. */
export function plannedLines(change: PlannedChange, facts: DeployFacts): readonly Block[] {
  if (!isSent(change)) return [];
  const { tree, digest } = facts;
  const what = digest === undefined ? "" : `, ${shortDigest(digest)}…`;
  const largest = !tree || tree.files <= LARGEST_NAMED ? [] : tree.largest.slice(0, LARGEST_NAMED);
  const named = largest.map(({ path, size }) => `${path} ${bytesText(size)}`).join(", ");
  return [
    ...(tree ? [{ label: "  source", text: `${sourceSize(tree)}${what}${uploadSize(facts)}` }] : []),
    ...(named === "" ? [] : [{ label: "", text: `largest: ${named}` }]),
    ...change.fields.map(({ name, before, after }, index) => {
      const was = before === undefined ? "" : before === after ? " (unchanged)" : ` (was ${before})`;
      return { label: index === 0 ? "  config" : "", text: `${name} ${after}${was}` };
    }),
    { label: "  secrets", text: secretsText(change) },
  ];
}

/** How much a dry run would upload; empty where no directory is. A source that was only hashed has no such size. */
export function uploadSize({ archive, digest }: DeployFacts): string {
  if (archive) return `; ${bytesText(archive.bytes)} to upload`;
  return digest === undefined ? "" : "; not compressed, so the size of the upload is unknown";
}

/** `OPENAI_API_KEY, SENTRY_DSN (values not shown); replaces the 3 that are set` */
export function secretsText({ target, deployment, secretNames }: PlannedChange): string {
  const count = deployment?.secrets?.length ?? 0;
  if (!secretNames) return target === "create" ? "none" : "unchanged";
  if (secretNames.length === 0) return count === 0 ? "none" : `none; removes the ${String(count)} that are set`;
  const names = `${secretNames.join(", ")} (values not shown)`;
  return count === 0 ? names : `${names}; replaces the ${String(count)} that are set`;
}

function filesText(count: number): string {
  return `${String(count)} ${count === 1 ? "file" : "files"}`;
}
