import type { Deployment } from "../../../src/contract/deployment.ts";
import { revisionStatusFact } from "../../../src/contract/revision-status.ts";
import type { DeployEvent } from "../../../src/deployment/events.ts";
import { durationText } from "../../../src/text/duration.ts";
import { countOf } from "../../../src/text/number.ts";
import { quoted } from "../../../src/text/quoted.ts";
import { printEnding } from "./ending-section.ts";
import { Ledger } from "./ledger.ts";
import { Printer, type PrinterOptions } from "../../report/printer.ts";
import { printRehearsal } from "../../report/rehearsal-line.ts";
import type { Reporter } from "../../report/reporters.ts";
import { retryText } from "../../../src/http/retry.ts";
import {
  printAgentAnswered,
  printAgentRunning,
  printAgentWaiting,
  printHeartbeat,
  printStatus,
} from "./revision-section.ts";
import { printArchive, printSource } from "./source-section.ts";
import { UploadLines } from "../../report/upload-lines.ts";

const WHAT_FOLLOWS = {
  new: "a new revision is due",
  resume: "there is nothing to send",
  unchanged: "there is nothing to deploy",
} as const;

/** Where the log goes, and what it should know of the run. */
export interface LogOptions extends PrinterOptions {
  /** Absolute path; folders in it are named relative to it. */
  readonly workspace?: string | undefined;
  /** Nothing will be written; what would be is told at the end, and the deployment with it. */
  readonly dryRun?: boolean | undefined;
  /** The service is the embedded one. */
  readonly rehearsal?: boolean | undefined;
}

type Event<Type extends DeployEvent["type"]> = Extract<DeployEvent, { type: Type }>;

/** The log of a step: one fact a line, and lines that show that a wait lives. */
export class Log implements Reporter<DeployEvent> {
  readonly name = "log";
  readonly #print: Printer;
  readonly #options: LogOptions;
  readonly #ledger = new Ledger();
  readonly #upload: UploadLines;
  readonly #beaten = new Set<string>();

  constructor(options: LogOptions) {
    this.#options = options;
    this.#print = new Printer(options);
    this.#upload = new UploadLines(this.#print);
    if (options.rehearsal === true) printRehearsal(this.#print);
  }

  report(event: DeployEvent): void {
    this.#ledger.report(event);
    switch (event.type) {
      case "source-read":
        printSource(this.#print, event.tree, this.#options.workspace);
        break;
      case "source-packed":
        printArchive(this.#print, event.archive, event.milliseconds);
        break;
      case "deployment-new":
        this.#deployment(`${event.name}: new, source ${event.source}`);
        break;
      case "deployment-found":
        this.#deployment(`${identify(event.deployment)}, source ${event.deployment.source ?? "unknown"}`);
        this.#page(event.page);
        break;
      case "deployment-created":
        this.#created(event);
        this.#page(event.page);
        break;
      case "upload-progress":
        this.#upload.soFar(event);
        break;
      case "uploaded":
        this.#upload.done(event.bytes, event.milliseconds);
        break;
      case "revision-started":
        this.#print.line("Revision", `${event.revisionId}${event.resumed ? `, ${event.status}` : ""}`);
        break;
      case "ended":
        printEnding(this.#print, this.#ledger.facts);
        break;
      default:
        this.#follow(event);
    }
  }

  #follow(event: DeployEvent): void {
    switch (event.type) {
      case "recalled":
        this.#print.line("Record", `${event.reason}: ${WHAT_FOLLOWS[event.verdict]}`);
        break;
      case "revision-status":
        printStatus(this.#print, event);
        break;
      case "revision-heartbeat":
        this.#heartbeat(event);
        break;
      case "agent-waiting":
        printAgentWaiting(this.#print, event);
        break;
      case "agent-running":
        printAgentRunning(this.#print, event);
        break;
      case "agent-answered":
        printAgentAnswered(this.#print, event);
        break;
      case "trace-sent":
        this.#print.line(
          "Trace",
          `${countOf(event.runs, "run")} in project ${quoted(event.session)}, trace ${event.traceId}`,
        );
        if (event.page !== undefined) this.#print.more(event.page);
        break;
      case "look-failed":
        this.#print.line("Retry", `the revision could not be read this time: ${event.message}`);
        break;
      case "retry":
        this.#retry(event);
        break;
      case "warning":
        this.#print.warning(event.message);
        break;
      case "step-ended":
        this.#print.debugging(`${event.step} took ${durationText(event.milliseconds)}`);
        break;
      default:
        // What the end tells: a plan, the log of a build, where the agent is.
        break;
    }
  }

  #deployment(text: string): void {
    if (this.#options.dryRun !== true) this.#print.line("Deployment", text);
  }

  #page(page: string | undefined): void {
    if (page !== undefined) this.#print.line("Page", page);
  }

  #created({ deployment, adopted }: Event<"deployment-created">): void {
    if (adopted) this.#print.line("Found", `${identify(deployment)}: created by someone else meanwhile, updated now`);
    else this.#print.line("Created", identify(deployment));
  }

  #heartbeat(event: Event<"revision-heartbeat">): void {
    const status = event.status ?? "";
    printHeartbeat(this.#print, event, this.#ledger.facts.statuses.at(-1), !this.#beaten.has(status));
    this.#beaten.add(status);
  }

  #retry({ notice }: Event<"retry">): void {
    const text = retryText(notice);
    if (this.#isLooking) this.#print.debugging(text);
    else this.#print.line("Retry", text);
  }

  /** A revision or a live agent is looked at again and again: looks that fail are told, their attempts are not. */
  get #isLooking(): boolean {
    const { live, statuses } = this.#ledger.facts;
    const last = statuses.at(-1);
    return live !== undefined || (last !== undefined && !revisionStatusFact(last.status).terminal);
  }
}

// `support-agent 0f8fad5b-…`, or the id alone where a service gives no name.
function identify({ name, id }: Deployment): string {
  return name === undefined ? id : `${name} ${id}`;
}
