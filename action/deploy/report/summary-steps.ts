import type { Step } from "../../../src/deployment/events.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import { durationText, latencyText } from "../../../src/text/duration.ts";
import type { DeployFacts } from "./ledger.ts";
import { markdownTable } from "../../report/markdown.ts";
import type { MarkdownPen } from "../../report/markdown-pen.ts";
import { shortDigest, sourceSize } from "./source-words.ts";
import { statusTimes } from "./status-times.ts";

const TITLES: Readonly<Record<Step, string>> = {
  source: "Source",
  upload: "Upload",
  queue: "Queue",
  build: "Build",
  deploy: "Deploy",
  verify: "Verify",
};
const ORDER = ["source", "upload", "queue", "build", "deploy", "verify"] as const satisfies readonly Step[];

/** A table of the parts of a deploy and how long each took; empty when there was none. */
export function stepsTable(facts: DeployFacts, pen: MarkdownPen): string {
  const rows = ORDER.flatMap((step) => {
    const milliseconds = facts.steps.get(step);
    if (milliseconds === undefined) return [];
    return [[TITLES[step], durationText(milliseconds), remark(step, facts, pen)]];
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
export function sourceRemark({ tree, archive }: DeployFacts, pen: MarkdownPen): string {
  if (tree === undefined) return "";
  return [sourceSize(tree), ...(archive === undefined ? [] : [pen.code(shortDigest(archive))])].join(", ");
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
