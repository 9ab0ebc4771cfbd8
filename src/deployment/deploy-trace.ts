import { revisionStatusFact } from "../contract/revision-status.ts";
import type { ActiveRun, RunOptions } from "../tracing/tracer/active-run.ts";
import type { Tracer } from "../tracing/tracer/tracer.ts";
import type { DeployEvent, Step } from "./events.ts";

const NAMES: Readonly<Record<Step, string>> = {
  source: "archive",
  upload: "upload",
  queue: "queue",
  build: "build",
  deploy: "deploy",
  verify: "verify",
};

/**
 * Records a deploy as runs, so that a team sees where its deploys spend their time: one for the deploy, below it one for
 * each step, with its bytes, statuses and durations. It only listens, and never throws.
 */
export class DeployTrace {
  readonly #root: ActiveRun;
  readonly #open = new Map<Step, ActiveRun>();
  /** What is known about the deploy, for the end of the root. */
  readonly #facts: Record<string, unknown> = {};
  /** With the seconds since the wait began. */
  #statuses: { readonly status: string; readonly after_seconds: number }[] = [];
  #waiting: Step | undefined;

  /** `title` names the deploy: `deploy support-agent`. */
  constructor(tracer: Tracer, title: string, options: RunOptions = {}) {
    this.#root = tracer.start(title, options);
  }

  get id(): string {
    return this.#root.id;
  }

  /** Closes the runs that are still open with this error; no-op for closed ones. */
  fail(error: unknown): void {
    this.#endOpen((run) => run.fail(error));
    ignore(this.#root.fail(error));
  }

  note(event: DeployEvent): void {
    switch (event.type) {
      case "source-read":
        this.#facts["files"] = event.tree.files;
        break;
      case "source-packed": {
        const { bytes, digest } = event.archive;
        this.#close("source", { bytes, digest }, event.milliseconds);
        break;
      }
      case "deployment-found":
      case "deployment-created":
        this.#facts["deployment_id"] = event.deployment.id;
        break;
      case "rollback":
        this.#facts["rolled_back_to"] = event.revision.id;
        break;
      case "upload-started":
        this.#begin("upload");
        break;
      case "uploaded":
        this.#close("upload", { bytes: event.bytes }, event.milliseconds);
        break;
      case "revision-started":
        this.#facts["revision_id"] = event.revisionId;
        break;
      case "revision-status":
        this.#enter(event.revision.status, event.elapsedMilliseconds / 1000);
        break;
      case "wait-ended":
        this.#leave("the wait ended before it did");
        break;
      case "revision-live":
        this.#facts["url"] = event.url;
        break;
      case "verify-started":
        this.#begin("verify");
        break;
      case "agent-answered": {
        const { type: _, milliseconds, ...answer } = event;
        this.#facts["verified"] = { ...answer, milliseconds: Math.round(milliseconds) };
        break;
      }
      case "step-ended":
        if (event.step === "verify") this.#close("verify", this.#facts["verified"], event.milliseconds);
        break;
      case "ended": {
        const { verified: _, ...facts } = this.#facts;
        this.#endOpen((run) => run.end(undefined, event.error));
        ignore(this.#root.end({ outcome: event.outcome, ...facts }, event.error));
        break;
      }
      default:
        // News that no run has a place for.
        break;
    }
  }

  /** A wait goes through phases, and each of them through statuses. */
  #enter(status: string, seconds: number): void {
    const { phase, succeeded } = revisionStatusFact(status);
    const step = phase === "end" ? undefined : phase;
    if (step !== this.#waiting) this.#leave(step === undefined && !succeeded ? status : undefined);
    this.#statuses.push({ status, after_seconds: Math.round(seconds * 1000) / 1000 });
    this.#waiting = step;
    if (step !== undefined) this.#begin(step);
  }

  /** `failure`: why no other phase follows. */
  #leave(failure?: string): void {
    if (this.#waiting !== undefined) this.#close(this.#waiting, { statuses: this.#statuses }, 0, failure);
    this.#statuses = [];
    this.#waiting = undefined;
  }

  #begin(step: Step): void {
    if (!this.#open.has(step)) this.#open.set(step, this.#root.child(NAMES[step], { runType: "tool" }));
  }

  /** If no start event was seen, the start is derived from the duration. */
  #close(step: Step, outputs: unknown, milliseconds: number, error?: string): void {
    const startTime = new Date(Date.now() - milliseconds);
    const run = this.#open.get(step) ?? this.#root.child(NAMES[step], { runType: "tool", startTime });
    this.#open.delete(step);
    ignore(run.end(outputs, error));
  }

  #endOpen(end: (run: ActiveRun) => Promise<void>): void {
    for (const run of this.#open.values()) ignore(end(run));
    this.#open.clear();
  }
}

/** Hand-over errors are reported at flush. */
function ignore(ended: Promise<void>): void {
  void ended.catch(() => undefined);
}
