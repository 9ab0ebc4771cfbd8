import type { DeployEvent } from "../src/deployment/events.ts";
import { logTail } from "../src/deployment/log-tail.ts";
import { bytesText } from "../src/text/bytes.ts";
import { durationText, elapsedText } from "../src/text/duration.ts";
import type { ForeignText } from "../src/text/foreign-text.ts";
import type { Severity } from "./engine-log.ts";

/** A line for the user; an ephemeral one is a status that the next line replaces. */
export interface Line {
  readonly severity: Severity;
  readonly message: string;
  readonly ephemeral: boolean;
}

/** What the user hears of one deploy. */
export class WaitLines {
  readonly #text: ForeignText;
  #begun: string | undefined;

  constructor(text: ForeignText) {
    this.#text = text;
  }

  /** The line of a step; undefined for what the engine shows in other ways. */
  of(event: DeployEvent): Line | undefined {
    if (event.type === "revision-started") this.#begun = event.status;
    if (event.type === "revision-status") {
      const begun = this.#begun;
      this.#begun = undefined;
      // The first status of a wait was shown with the revision.
      if (event.revision.status === begun) return undefined;
    }
    return lineOf(event, this.#text);
  }
}

function lineOf(event: DeployEvent, text: ForeignText): Line | undefined {
  switch (event.type) {
    case "source-packed":
      return status(`packed ${bytesText(event.archive.bytes)} in ${durationText(event.milliseconds)}`);
    case "deployment-created":
      return status(
        event.adopted ? `found deployment ${event.deployment.id}` : `created deployment ${event.deployment.id}`,
      );
    case "upload-progress":
      return status(`uploaded ${bytesText(event.sentBytes)} of ${bytesText(event.totalBytes)}`);
    case "uploaded":
      return status(`uploaded ${bytesText(event.bytes)} in ${durationText(event.milliseconds)}`);
    case "revision-started":
      return status(`revision ${event.revisionId}${event.resumed ? ", begun earlier" : ""}: ${event.status}`);
    case "revision-status":
      return status(`${event.revision.status} after ${elapsedText(event.elapsedMilliseconds)}`);
    case "revision-heartbeat":
      return status(`${event.status ?? "no answer"}, ${elapsedText(event.elapsedMilliseconds)} so far`);
    case "revision-logs":
      return lasting("info", [`the end of the ${event.kind} log:`, ...logTail(event.lines, text)].join("\n  "));
    case "agent-waiting":
      return status(`the agent at ${event.url} does not pass its health check yet: ${event.reason}`);
    case "agent-answered":
      return status(`the agent at ${event.url} answers`);
    case "look-failed":
      return status(`could not be checked this time: ${event.message}`);
    case "warning":
      return lasting("warning", event.message);
    default:
      return undefined;
  }
}

/** Shown during the run; a terminal shows the newest line, a log all of them. */
function status(message: string): Line {
  return { severity: "info", message, ephemeral: true };
}

/** Told at the end of the run once more. */
function lasting(severity: Severity, message: string): Line {
  return { severity, message, ephemeral: false };
}
