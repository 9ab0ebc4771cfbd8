import { retryText } from "../../src/http/retry.ts";
import { durationText, elapsedText } from "../../src/text/duration.ts";
import { countOf } from "../../src/text/number.ts";
import { describeFailure, printFailure, type Failure } from "../../front/account/failure.ts";
import { Printer, type LogOptions } from "../../front/account/printer.ts";
import type { Reporter } from "../../front/account/reporters.ts";
import type { LeftRecords, RemoveStepEvent } from "./events.ts";
import { CancelledError } from "../../src/deployment/errors.ts";
import { refusalText } from "../../src/deployment/remove.ts";
import { REMOVE_ADVICE } from "../../front/account/advice.ts";
import type { Preview, WhyKept, WhyRemoved } from "./previews.ts";
import { ForeignText } from "../../src/text/foreign-text.ts";
import { MarkdownPen } from "../../front/account/markdown-pen.ts";
import { failureParts, summaryText, warningsPart, type SummaryOptions } from "../../front/account/summary.ts";
import { NOTHING_WRITTEN, type StepOutputs } from "../../front/account/step-report.ts";
import type { RemoveInputs } from "./inputs.ts";

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

/** The facts before the first event. */
export const NO_FACTS: RemoveFacts = { removed: [], kept: [], failed: [], left: [], warnings: [] };

/** The facts that an event changes. */
export function learn(event: RemoveStepEvent, facts: RemoveFacts): Partial<RemoveFacts> | undefined {
  switch (event.type) {
    case "previews-found":
      return { name: event.name };
    case "removed":
      return { removed: [...facts.removed, event] };
    case "kept":
      return { kept: [...facts.kept, event] };
    case "records-deleted":
      return { left: [...facts.left, event] };
    case "failed":
      return { failed: [...facts.failed, event] };
    case "warning":
      return { warnings: [...facts.warnings, event.message] };
    case "ended":
      return { ended: event };
    default:
      // Only the log shows the others.
      return undefined;
  }
}

/** The outputs of the step, as its action.yml declares them. */
type OutputName = "failed" | "kept" | "removed";

/** The outputs, each a list in JSON. */
export function outputsOf({ removed, kept, failed }: RemoveFacts): StepOutputs<OutputName> {
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

/** What kind of run it is, by its inputs. */
export function taskText(inputs: RemoveInputs): string {
  if (inputs.task === "skip") return "removal of the preview of a pull request";
  const { pullRequest } = inputs.which;
  const which = pullRequest === undefined ? "all previews" : `the preview of pull request #${String(pullRequest)}`;
  const open = pullRequest === undefined ? " that are no longer needed" : "";
  return `removal of ${which} of ${inputs.stem.stem}${open}${inputs.task === "dry-run" ? NOTHING_WRITTEN : ""}`;
}

/** The log of a removal: one line a preview, and lines that show that a wait lives. */
export class Log implements Reporter<RemoveStepEvent> {
  readonly name = "log";
  readonly #print: Printer;
  readonly #isDryRun: boolean;
  readonly #facts: () => RemoveFacts;

  /** `facts` are those after the event that is reported. */
  constructor(options: LogOptions, facts: () => RemoveFacts) {
    this.#print = new Printer(options);
    this.#isDryRun = options.dryRun === true;
    this.#facts = facts;
    if (options.rehearsal === true) this.#print.rehearsal();
  }

  report(event: RemoveStepEvent): void {
    const print = this.#print;
    switch (event.type) {
      case "previews-found":
        print.line("Previews", `${event.name}: ${countOf(event.previews.length, "preview")} found`);
        break;
      case "removing":
        print.line("Removing", `${event.preview.name} (${event.preview.deployment.id})`);
        break;
      case "delete-waiting":
        print.at(event.elapsedMilliseconds, `${event.deploymentId}: ${event.status ?? "still there"}`);
        break;
      case "delete-refused":
        print.at(event.elapsedMilliseconds, `${event.deploymentId}: ${refusalText(event.refusal)}`);
        break;
      case "removed":
        print.line(
          this.#isDryRun ? "Would remove" : "Removed",
          [
            event.preview.name,
            removedText(event.preview, event.why),
            ...(event.milliseconds === undefined ? [] : [durationText(event.milliseconds)]),
          ].join(", "),
        );
        break;
      case "kept":
        print.line("Kept", `${event.preview.name}, ${keptText(event.preview, event.why)}`);
        break;
      case "records-deleted":
        print.line(
          this.#isDryRun ? "Would delete" : "Deleted",
          `${countOf(event.count, "deployment record")} of ${event.preview.name}, ${removedText(event.preview, "closed")}`,
        );
        break;
      case "failed":
        print.line("Failed", `${event.preview.name}: ${event.reason}`);
        break;
      case "retry":
        print.line("Retry", retryText(event.notice));
        break;
      case "warning":
        print.warning(event.message);
        break;
      case "notice":
        print.notice(event.message);
        break;
      case "ended":
        this.#ended(event.error, event.milliseconds);
        break;
      case "delete-accepted":
        print.debugging(`the service deletes ${event.deploymentId}`);
        break;
    }
  }

  #ended(error: Error | undefined, milliseconds: number): void {
    if (error !== undefined) {
      printFailure(this.#print, removeFailure(error), () => undefined);
      return;
    }
    const { name, removed } = this.#facts();
    const took = elapsedText(milliseconds);
    if (name === undefined) this.#print.line("Done", "nothing to remove in this run");
    else if (this.#isDryRun) this.#print.sentence("Nothing was removed.");
    else this.#print.line("Done", `${countOf(removed.length, "preview")} removed after ${took}`);
  }
}

/** Why a preview is removed, for a line of the log and a cell of the summary. */
export function removedText({ pullRequest }: Pick<Preview, "pullRequest">, why: WhyRemoved): string {
  const number = `#${String(pullRequest)}`;
  switch (why) {
    case "closed":
      return `pull request ${number} is closed`;
    case "age":
      return `older than \`max-age\`, although pull request ${number} is open`;
    case "count":
      return `beyond \`max-count\`, although pull request ${number} is open`;
  }
}

/** Why a preview stays. */
function keptText({ pullRequest }: Preview, why: WhyKept): string {
  switch (why) {
    case "open":
      return `pull request #${String(pullRequest)} is open`;
    case "not-owned":
      return "no deployment record of this repository proves whose it is";
    case "undated":
      return "the service does not say when it was made, so that no deployment record proves whose it is";
    case "cannot-delete":
      return "this service cannot delete deployments";
  }
}

/** The failure that a run ended with. */
function removeFailure(error: Error): Failure {
  return describeFailure(error, { title: "Not removed", table: REMOVE_ADVICE });
}

/** The error of a run that was cancelled. */
export function cancelledRemoval(): Error {
  return new CancelledError("The run was cancelled; a delete that the service has accepted continues there.", {
    advice: "Run again: a preview that no longer exists is not an error.",
  });
}

/** The job summary of a removal as markdown: which previews are gone, which are not, and why. It ends with a line break. */
export function summaryOf(
  facts: RemoveFacts,
  { redact, rehearsal = false, dryRun = false, limitBytes }: SummaryOptions & { readonly dryRun?: boolean } = {},
): string {
  const pen = new MarkdownPen(new ForeignText(redact));
  const { name, removed, ended } = facts;
  const what = name === undefined ? "Previews" : `Previews of ${pen.text(name)}`;
  const verb = dryRun ? "would be removed" : "removed";
  const headline =
    ended?.error === undefined
      ? [`### ${what}: ${countOf(removed.length, "preview")} ${verb}${rehearsal ? " (rehearsal)" : ""}`]
      : failureParts(removeFailure(ended.error), name, pen);
  return summaryText([...headline, table(facts, dryRun, pen), warningsPart(facts.warnings, pen)], limitBytes);
}

function table({ removed, kept, failed, left }: RemoveFacts, dryRun: boolean, pen: MarkdownPen): string {
  const rows: readonly { readonly preview: Pick<Preview, "name">; readonly state: string; readonly reason: string }[] =
    [
      ...failed.map(({ preview, reason }) => ({ preview, state: "❌ failed", reason })),
      ...removed.map(({ preview, why }) => ({
        preview,
        state: dryRun ? "would be removed" : "removed",
        reason: removedText(preview, why),
      })),
      ...left.map(({ preview, count }) => ({
        preview,
        state: `${countOf(count, "deployment record")} ${dryRun ? "would be deleted" : "deleted"}`,
        reason: removedText(preview, "closed"),
      })),
      ...kept.map(({ preview, why }) => ({ preview, state: "kept", reason: keptText(preview, why) })),
    ];
  const cells = rows.map(({ preview, state, reason }) => [pen.code(preview.name), state, pen.sentence(reason)]);
  return pen.longTable("previews", ["Preview", "", "Why"], cells);
}
