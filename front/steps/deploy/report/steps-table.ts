import { revisionStatusFact } from "../../../../src/contract/revision-status.ts";
import type { Step } from "../../../../src/deployment/events.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText, latencyText } from "../../../../src/text/duration.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import type { Block } from "../../../account/part.ts";
import type { DeployFacts } from "./facts.ts";
import { sourceRemark } from "./changes.ts";

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
