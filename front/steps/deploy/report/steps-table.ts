import type { Step } from "../../../../src/deployment/events.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText, latencyText } from "../../../../src/text/duration.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import type { Block } from "../../../account/part.ts";
import { statusTimes, type DeployFacts } from "./facts.ts";
import { sourceRemark } from "./changes.ts";

/** A table of the parts of a deploy and how long each took. */
export function stepsTable(facts: DeployFacts, pen: MarkdownPen): Block {
  const rows = STEPS.flatMap((step) => {
    const milliseconds = facts.steps.get(step);
    if (milliseconds === undefined) return [];
    return [[STEP_TITLES[step], durationText(milliseconds), remark(step, facts, pen)]];
  });
  return { rest: "steps", head: ["Step", "Time", ""], rows };
}

const STEP_TITLES: Readonly<Record<Step, string>> = {
  source: "Source",
  upload: "Upload",
  queue: "Queue",
  build: "Build",
  deploy: "Deploy",
  verify: "Verify",
};
const STEPS = ["source", "upload", "queue", "build", "deploy", "verify"] as const satisfies readonly Step[];

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
