import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import { taggedImage } from "../src/contract/image.ts";
import type { DeployEvent, WarningCode } from "../src/deployment/events.ts";
import { logTail } from "../src/deployment/ending.ts";
import { bytesText } from "../src/text/bytes.ts";
import { durationText, elapsedText } from "../src/text/duration.ts";
import type { ForeignText } from "../src/text/foreign-text.ts";

export type Severity = "info" | "warning";

type Engine = InstanceType<typeof engineServices.EngineClient>;
export type Credentials = ConstructorParameters<typeof engineServices.EngineClient>[1];

const SEVERITIES = { info: engineMessages.LogSeverity.INFO, warning: engineMessages.LogSeverity.WARNING } as const;

/**
 * Lines for the user during an operation. What a provider prints appears late and without a severity, and Pulumi's own
 * `log` only prints here, because this process does not know the address of the engine. The providers of a program share a
 * process, and with it the SDK's settings: the engine is asked over a connection of our own, and those stay as they are.
 * A line that cannot be delivered is dropped: it never fails a deployment.
 */
export class EngineLog {
  readonly #engine: Engine | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine | undefined) {
    this.#engine = engine;
  }

  /** Writes a line; an ephemeral one is a status that the next line replaces. `urn` is the resource that it is about. */
  write(
    severity: Severity,
    message: string,
    { ephemeral = false, urn = "" }: { readonly ephemeral?: boolean; readonly urn?: string | undefined } = {},
  ): void {
    const engine = this.#engine;
    if (!engine) return;
    const request = new engineMessages.LogRequest();
    request.setSeverity(SEVERITIES[severity]);
    request.setMessage(message);
    request.setEphemeral(ephemeral);
    request.setUrn(urn);
    // One after the other, so that the lines arrive in their order.
    const deliver = () =>
      new Promise<void>((resolve) => {
        engine.log(request, () => {
          resolve();
        });
      });
    this.#last = this.#last.then(deliver).catch(() => undefined);
  }

  /** Resolves when the engine has every line: it may end as soon as an operation is answered. */
  async flush(): Promise<void> {
    await this.#last;
  }
}

/** `HOST:PORT` is the address that a host is started with; undefined where no engine listens. */
export function engineAt(address: string | undefined, credentials: () => Credentials): Engine | undefined {
  return address === undefined ? undefined : new engineServices.EngineClient(address, credentials());
}

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
    switch (event.type) {
      case "image-tagged":
        return status(`image ${taggedImage(event.image, event.tag)}`);
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
        return status(`${event.status ?? "no status yet"}, ${elapsedText(event.elapsedMilliseconds)} so far`);
      case "revision-logs":
        return lasting("info", [`the end of the ${event.kind} log:`, ...logTail(event.lines, this.#text)].join("\n  "));
      case "agent-waiting":
        return status(`the agent at ${event.url} does not pass its health check yet: ${event.reason}`);
      case "agent-answered":
        return status(`the agent at ${event.url} responds`);
      case "look-failed":
        return status(`could not be checked this time: ${event.message}`);
      case "warning":
        // The check of the inputs has said it, in a preview too.
        if (event.code !== undefined && SAID_BY_CHECK.has(event.code)) return undefined;
        return lasting("warning", event.message);
      default:
        return undefined;
    }
  }
}

const SAID_BY_CHECK: ReadonlySet<WarningCode> = new Set([
  "IMAGE_FLOATING",
  "LFS_POINTERS",
  "SUBMODULES_EMPTY",
  "TRACKED_LEFT_OUT",
]);

/** Shown during the run; a terminal shows the newest line, a log all of them. */
function status(message: string): Line {
  return { severity: "info", message, ephemeral: true };
}

/** Told at the end of the run once more. */
function lasting(severity: Severity, message: string): Line {
  return { severity, message, ephemeral: false };
}
