import { CancelledError } from "../../src/deployment/errors.ts";
import { refusalText } from "../../src/deployment/remove.ts";
import { durationText, elapsedText } from "../../src/text/duration.ts";
import { countOf } from "../../src/text/number.ts";
import { REMOVE_ADVICE } from "../../front/account/advice.ts";
import { describeFailure } from "../../front/account/failure.ts";
import { COMMON_FACTS, learning } from "../../front/account/event-table.ts";
import type { MarkdownPen } from "../../front/account/markdown-pen.ts";
import { everywhere, inLog, inSummary, type Block, type Account } from "../../front/account/part.ts";
import { COMMON_LINES, type LogTable } from "../../front/account/step-log.ts";
import { NOTHING_WRITTEN, type Reporting, type StepOutputs } from "../../front/account/step-report.ts";
import type { LeftRecords, RemoveStepEvent } from "./events.ts";
import type { RemoveInputs } from "./inputs.ts";
import type { Preview, WhyKept, WhyRemoved } from "./previews.ts";

/** What is known about a removal so far. Its texts are foreign: they come from the service or from GitHub. */
export interface RemoveFacts {
  /** The name of the previews; absent when nothing was looked at. */
  readonly name?: string;
  readonly removed: readonly { readonly preview: Preview; readonly why: WhyRemoved }[];
  readonly kept: readonly { readonly preview: Preview; readonly why: WhyKept }[];
  readonly failed: readonly { readonly preview: Preview; readonly reason: string }[];
  /** Deployment records of previews that were gone before. */
  readonly left: readonly LeftRecords[];
  readonly warnings: readonly string[];
  readonly ended?: { readonly milliseconds: number; readonly error: Error | undefined };
}

/** The outputs, as action.yml declares them: each a list in JSON. */
function outputsOf({ removed, kept, failed }: RemoveFacts): StepOutputs {
  return {
    values: {
      removed: listOf(removed.map(({ preview, why }) => [preview, why])),
      kept: listOf(kept.map(({ preview, why }) => [preview, why])),
      failed: listOf(failed.map(({ preview, reason }) => [preview, reason])),
    },
  };
}

function listOf(previews: readonly (readonly [Preview, string])[]): string {
  const items = previews.map(([{ name, pullRequest, deployment }, reason]) => ({
    name,
    "pull-request": pullRequest,
    "deployment-id": deployment.id,
    reason,
  }));
  return JSON.stringify(items);
}

function taskText(inputs: RemoveInputs): string {
  if (inputs.task === "skip") return "removal of the preview of a pull request";
  const { pullRequest } = inputs.which;
  const which = pullRequest === undefined ? "all previews" : `the preview of pull request #${String(pullRequest)}`;
  const open = pullRequest === undefined ? " that are no longer needed" : "";
  return `removal of ${which} of ${inputs.stem.stem}${open}${inputs.task === "dry-run" ? NOTHING_WRITTEN : ""}`;
}

const LINES: LogTable<RemoveStepEvent, RemoveFacts> = {
  ...COMMON_LINES,
  "previews-found": ({ name, previews }) => {
    return { label: "Previews", text: `${name}: ${countOf(previews.length, "preview")} found` };
  },
  removing: ({ preview: { name, deployment } }) => ({ label: "Removing", text: `${name} (${deployment.id})` }),
  "delete-waiting": ({ elapsedMilliseconds, deploymentId, status = "still there" }) => {
    return { at: elapsedMilliseconds, text: `${deploymentId}: ${status}` };
  },
  "delete-refused": ({ elapsedMilliseconds, deploymentId, refusal }) => {
    return { at: elapsedMilliseconds, text: `${deploymentId}: ${refusalText(refusal)}` };
  },
  "delete-accepted": ({ deploymentId }) => ({ debugging: `the service deletes ${deploymentId}` }),
  removed: ({ preview, why, milliseconds }, { kind }) => {
    const took = milliseconds === undefined ? "" : `, ${durationText(milliseconds)}`;
    const label = kind.dryRun === true ? "Would remove" : "Removed";
    return { label, text: `${preview.name}, ${removedText(preview, why)}${took}` };
  },
  kept: ({ preview, why }) => ({ label: "Kept", text: `${preview.name}, ${keptText(preview, why)}` }),
  "records-deleted": ({ preview, count }, { kind }) => {
    const label = kind.dryRun === true ? "Would delete" : "Deleted";
    const records = countOf(count, "deployment record");
    return { label, text: `${records} of ${preview.name}, ${removedText(preview, "closed")}` };
  },
  failed: ({ preview, reason }) => ({ label: "Failed", text: `${preview.name}: ${reason}` }),
};

/** The account of a removal: which previews are gone, which are not, and why. */
const removeAccount: Account<RemoveFacts> = (facts, { dryRun = false }, pen) => {
  const { name, removed, ended, warnings } = facts;
  const { error, milliseconds = 0 } = ended ?? {};
  const count = countOf(removed.length, "preview");
  const what = name === undefined ? "Previews" : `Previews of ${pen.text(name)}`;
  const done =
    name === undefined ? "nothing to remove in this run" : `${count} removed after ${elapsedText(milliseconds)}`;
  return [
    ...(error
      ? everywhere({ failure: describeFailure(error, { title: "Not removed", table: REMOVE_ADVICE }), name })
      : [
          ...inSummary({ heading: `${what}: ${count} ${dryRun ? "would be removed" : "removed"}` }),
          ...inLog(dryRun && name !== undefined ? { sentence: "Nothing was removed." } : { label: "Done", text: done }),
        ]),
    ...inSummary(previewsTable(facts, dryRun, pen), { warnings }),
  ];
};

/** Why a preview is removed, for a line of the log and a cell of the summary. */
export function removedText({ pullRequest }: Pick<Preview, "pullRequest">, why: WhyRemoved): string {
  const which = `pull request #${String(pullRequest)}`;
  if (why === "closed") return `${which} is closed`;
  return `${why === "age" ? "older than `max-age`" : "beyond `max-count`"}, although ${which} is open`;
}

function keptText({ pullRequest }: Preview, why: WhyKept): string {
  return why === "open" ? `pull request #${String(pullRequest)} is open` : KEPT[why];
}

const KEPT: Readonly<Record<Exclude<WhyKept, "open">, string>> = {
  "not-owned": "no deployment record of this repository proves whose it is",
  undated: "the service does not say when it was made, so that no deployment record proves whose it is",
  "cannot-delete": "this service cannot delete deployments",
};

function previewsTable({ removed, kept, failed, left }: RemoveFacts, dryRun: boolean, pen: MarkdownPen): Block {
  const row = ({ name }: Pick<Preview, "name">, state: string, reason: string) => {
    return [pen.code(name), state, pen.sentence(reason)];
  };
  const deleted = dryRun ? "would be deleted" : "deleted";
  const rows = [
    ...failed.map(({ preview, reason }) => row(preview, "❌ failed", reason)),
    ...removed.map(({ preview, why }) =>
      row(preview, dryRun ? "would be removed" : "removed", removedText(preview, why)),
    ),
    ...left.map(({ preview, count }) => {
      return row(preview, `${countOf(count, "deployment record")} ${deleted}`, removedText(preview, "closed"));
    }),
    ...kept.map(({ preview, why }) => row(preview, "kept", keptText(preview, why))),
  ];
  return { rest: "previews", head: ["Preview", "", "Why"], rows };
}

export const removeReporting: Reporting<RemoveInputs, RemoveStepEvent, RemoveFacts> = {
  work: "removal",
  task: taskText,
  facts: { removed: [], kept: [], failed: [], left: [], warnings: [] },
  learn: learning<RemoveStepEvent, RemoveFacts>({
    ...COMMON_FACTS,
    "previews-found": ({ name }) => ({ name }),
    removed: (event, { removed }) => ({ removed: [...removed, event] }),
    kept: (event, { kept }) => ({ kept: [...kept, event] }),
    "records-deleted": (event, { left }) => ({ left: [...left, event] }),
    failed: (event, { failed }) => ({ failed: [...failed, event] }),
  }),
  lines: LINES,
  account: removeAccount,
  kind: (inputs) => ({
    dryRun: inputs.task === "dry-run",
    rehearsal: inputs.task !== "skip" && inputs.connection.service === "local",
  }),
  outputs: outputsOf,
  ended: (error, milliseconds) => ({ type: "ended", milliseconds, error }),
  cancelled: () =>
    new CancelledError("The run was cancelled; a delete that the service has accepted continues there.", {
      advice: "Run again: a preview that no longer exists is not an error.",
    }),
};
