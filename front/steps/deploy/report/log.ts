import type { Deployment } from "../../../../src/contract/deployment.ts";
import { taggedImage } from "../../../../src/contract/image.ts";
import { revisionStatusFact } from "../../../../src/contract/revision-status.ts";
import { retryText } from "../../../../src/http/retry.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText, elapsedText, latencyText } from "../../../../src/text/duration.ts";
import { countOf } from "../../../../src/text/number.ts";
import { quoted } from "../../../../src/text/quoted.ts";
import { Printer, type LogOptions } from "../../../account/printer.ts";
import { UploadLines } from "../../../account/progress.ts";
import type { Reporter } from "../../../account/reporters.ts";
import type { DeployStepEvent } from "../events.ts";
import { printEnding } from "./ending.ts";
import { unprovedText, type DeployFacts } from "./facts.ts";
import { fileLines, graphsText, leftOutText, shortDigest, sourceDirectory, sourceSize } from "./words.ts";

const WHAT_FOLLOWS = {
  new: "will create a new revision",
  resume: "nothing to send",
  unchanged: "nothing to deploy",
} as const;

/** Where the log goes, and what it should know of the run. */
export interface DeployLogOptions extends LogOptions {
  /** Absolute path; directories in it are named relative to it. */
  readonly workspace?: string | undefined;
}

type Event<Type extends DeployStepEvent["type"]> = Extract<DeployStepEvent, { type: Type }>;

/** The log of a step: one fact a line, and lines that show that a wait lives. */
export class Log implements Reporter<DeployStepEvent> {
  readonly name = "log";
  readonly #print: Printer;
  readonly #options: DeployLogOptions;
  readonly #facts: () => DeployFacts;
  readonly #upload: UploadLines;
  readonly #beaten = new Set<string>();

  /** `facts` are those after the event that is reported. */
  constructor(options: DeployLogOptions, facts: () => DeployFacts) {
    this.#options = options;
    this.#facts = facts;
    this.#print = new Printer(options);
    this.#upload = new UploadLines(this.#print);
    if (options.rehearsal === true) this.#print.rehearsal();
  }

  report(event: DeployStepEvent): void {
    switch (event.type) {
      case "source-read":
        this.#source(event);
        break;
      case "source-packed":
        this.#packed(event);
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
        printEnding(this.#print, this.#facts());
        break;
      default:
        this.#follow(event);
    }
  }

  #follow(event: DeployStepEvent): void {
    switch (event.type) {
      case "rollback":
        this.#rollback(event);
        break;
      case "image-tagged":
        this.#print.line("Image", taggedImage(event.image, event.tag));
        break;
      case "preview-named":
        this.#print.line("Preview", `${event.name}, of pull request #${String(event.pullRequest)}`);
        break;
      case "preview-unproved":
        this.#print.warning(unprovedText(event));
        break;
      case "earlier-kept":
        this.#print.line(
          "Kept",
          `${event.name}: no deployment record proves that an earlier version deployed it as this preview; if it did, ` +
            "set `only-owner: true`, or delete it in the service",
        );
        break;
      case "earlier-removed":
        this.#print.line("Removed", `${event.name}, the preview of the pull request that an earlier version deployed`);
        break;
      case "not-kept":
        this.#print.notice(`There is no preview: ${event.reason}.`);
        break;
      case "delete-waiting":
        this.#print.line("Waiting", `${event.name} is being deleted, ${elapsedText(event.elapsedMilliseconds)} so far`);
        break;
      case "recalled":
        this.#print.line("Record", `${event.reason}: ${WHAT_FOLLOWS[event.verdict]}`);
        break;
      case "revision-status":
        this.#status(event);
        break;
      case "revision-heartbeat":
        this.#heartbeat(event);
        break;
      case "agent-waiting":
        this.#print.line(
          "Agent",
          `${event.url}: not ready after ${elapsedText(event.elapsedMilliseconds)}: ${event.reason}`,
        );
        break;
      case "agent-running":
        this.#print.line(
          "Agent",
          `${event.url}: the run of ${event.graph} is still running, ${elapsedText(event.elapsedMilliseconds)} so far`,
        );
        break;
      case "agent-answered":
        this.#agentAnswered(event);
        break;
      case "trace-sent":
        this.#print.line(
          "Trace",
          `${countOf(event.runs, "run")} in project ${quoted(event.session)}, trace ${event.traceId}`,
        );
        if (event.page !== undefined) this.#print.more(event.page);
        break;
      case "look-failed":
        this.#print.line("Retry", `could not read the revision: ${event.message}`);
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
        // Shown at the end: a plan, the log of a build, where the agent is.
        break;
    }
  }

  #deployment(text: string): void {
    if (this.#options.dryRun !== true) this.#print.line("Deployment", text);
  }

  #rollback({ revision: { id, created_at: at }, from }: Event<"rollback">): void {
    const made = at == null ? "" : ` of ${at}`;
    this.#print.line("Rollback", `to revision ${id}${made}${from === undefined ? "" : `, from ${from}`}`);
    this.#print.more("the secrets and settings of the deployment stay as they are");
  }

  #page(page: string | undefined): void {
    if (page !== undefined) this.#print.line("Page", page);
  }

  #created({ deployment, adopted }: Event<"deployment-created">): void {
    if (adopted)
      this.#print.line("Found", `${identify(deployment)}: created by another run in the meantime; updating it`);
    else this.#print.line("Created", identify(deployment));
  }

  #source({ tree }: Event<"source-read">): void {
    const print = this.#print;
    const directory = sourceDirectory(tree, this.#options.workspace);
    print.line("Source", `${directory === "" ? "" : `${directory}: `}${sourceSize(tree)}`);
    const leftOut = leftOutText(tree);
    if (leftOut !== "") print.more(`left out: ${leftOut}`);
    const { envFile } = tree;
    if (envFile !== undefined) print.more(`env file ${envFile} is not sent; set its values in \`secrets\``);
    print.line("Graphs", graphsText(tree));
    print.group(`Files (${String(tree.entries.length)})`, fileLines(tree));
    for (const warning of tree.warnings) print.warning(warning);
  }

  #packed({ archive, milliseconds }: Event<"source-packed">): void {
    const packed = `${bytesText(archive.bytes)} in ${durationText(milliseconds)}, ${shortDigest(archive.digest)}…`;
    this.#print.line("Packed", packed);
    for (const warning of archive.warnings) this.#print.warning(warning);
  }

  #status({ revision, elapsedMilliseconds }: Event<"revision-status">): void {
    const { status, status_message } = revision;
    const said = status_message == null || status_message === "" ? "" : `: ${status_message}`;
    this.#print.at(elapsedMilliseconds, `${status}${said}`);
  }

  /** Shows that the wait lives; what a person can do meanwhile comes with the first heartbeat of a status. */
  #heartbeat({ status, elapsedMilliseconds }: Event<"revision-heartbeat">): void {
    const soFar = elapsedText(elapsedMilliseconds - (this.#facts().statuses.at(-1)?.at ?? 0));
    this.#print.at(elapsedMilliseconds, `${status ?? "no status yet"}, ${soFar} so far`);
    const { advice } = revisionStatusFact(status ?? "");
    if (!this.#beaten.has(status ?? "") && advice !== "") this.#print.more(advice);
    this.#beaten.add(status ?? "");
  }

  #agentAnswered({ url, milliseconds, graphs, run }: Event<"agent-answered">): void {
    const served = graphs === undefined ? "" : `, ${String(graphs.served)} of ${String(graphs.expected)} graphs`;
    const tried = run === undefined ? "" : `, run in ${latencyText(run.milliseconds)}`;
    this.#print.line("Agent", `${url}: responds in ${latencyText(milliseconds)}${served}${tried}`);
  }

  #retry({ notice }: Event<"retry">): void {
    const text = retryText(notice);
    if (this.#isLooking) this.#print.debugging(text);
    else this.#print.line("Retry", text);
  }

  /** A revision or a live agent is looked at again and again: failed looks are shown, their attempts are not. */
  get #isLooking(): boolean {
    const { live, statuses } = this.#facts();
    const last = statuses.at(-1);
    return live !== undefined || (last !== undefined && !revisionStatusFact(last.status).terminal);
  }
}

// `support-agent 0f8fad5b-…`, or the id alone where a service gives no name.
function identify({ name, id }: Deployment): string {
  return name === undefined ? id : `${name} ${id}`;
}
