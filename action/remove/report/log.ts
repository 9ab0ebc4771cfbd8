import { retryText } from "../../../src/http/retry.ts";
import { durationText, elapsedText } from "../../../src/text/duration.ts";
import { countOf } from "../../../src/text/number.ts";
import { printFailure } from "../../report/failure.ts";
import { Printer, type LogOptions } from "../../report/printer.ts";
import type { Reporter } from "../../report/reporters.ts";
import type { RemoveStepEvent } from "../events.ts";
import type { RemoveFacts } from "./facts.ts";
import { keptText, removedText, removeFailure } from "./words.ts";

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
      case "failed":
        print.line("Failed", `${event.preview.name}: ${event.reason}`);
        break;
      case "retry":
        print.line("Retry", retryText(event.notice));
        break;
      case "warning":
        print.warning(event.message);
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
