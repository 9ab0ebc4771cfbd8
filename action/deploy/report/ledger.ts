import type { Deployment, LogKind, LogLine, Revision } from "../../../src/contract/deployment.ts";
import type { DeployEvent, PlannedChange, Step } from "../../../src/deployment/events.ts";
import type { Outcome } from "../../../src/deployment/outcome.ts";
import type { SourceArchive } from "../../../src/source/archive/archive.ts";
import type { SourceTree } from "../../../src/source/tree/tree.ts";
import type { Reporter } from "../../report/reporters.ts";

/** A status that our revision had, from when on. */
export interface SeenStatus {
  readonly status: string;
  /** Since the waiting began, milliseconds. */
  readonly at: number;
}

/** What is known about a deploy so far; every text of it is as the service or the project gave it. */
export interface DeployFacts {
  readonly name?: string;
  readonly tree?: SourceTree;
  readonly archive?: SourceArchive;
  /** `sha256:` and the hex digest of the source, packed or not. */
  readonly digest?: string;
  readonly deploymentId?: string;
  /** The deployment as it was before this run; absent when it is new. */
  readonly before?: Deployment;
  /** True when this run made the deployment, false when it was there. */
  readonly created?: boolean;
  readonly change?: PlannedChange;
  readonly uploadedBytes?: number;
  readonly revisionId?: string;
  /** True when an earlier run made our revision. */
  readonly resumed?: boolean;
  /** The status that our revision had when it was made, or found. */
  readonly startedAs?: string;
  /** Our revision as it was seen last. */
  readonly revision?: Revision;
  readonly statuses: readonly SeenStatus[];
  /** The last sign of our revision or of the wait for it, milliseconds since the waiting began. */
  readonly lastSeen: number;
  /** The deployment as it was when our revision was live. */
  readonly live?: Deployment;
  readonly url?: string;
  /** The page of the deployment for people. */
  readonly page?: string;
  readonly tracePage?: string;
  readonly answer?: Extract<DeployEvent, { type: "agent-answered" }>;
  readonly steps: ReadonlyMap<Step, number>;
  readonly logs?: { readonly kind: LogKind; readonly lines: readonly LogLine[] };
  readonly warnings: readonly string[];
  readonly ended?: {
    readonly outcome: Outcome;
    readonly milliseconds: number;
    readonly error: Error | undefined;
  };
}

type Mutable = {
  -readonly [Key in keyof DeployFacts]: DeployFacts[Key];
};

type FoundDeployment = Pick<Extract<DeployEvent, { type: "deployment-found" }>, "deployment" | "page">;

/** Writes down what happens, for whoever sums it up: the outputs and the job summary. */
export class Ledger implements Reporter<DeployEvent> {
  readonly name = "outputs";
  readonly #facts: Mutable = { statuses: [], lastSeen: 0, steps: new Map(), warnings: [] };

  get facts(): DeployFacts {
    return this.#facts;
  }

  report(event: DeployEvent): void {
    const facts = this.#facts;
    switch (event.type) {
      case "source-read":
        facts.tree = event.tree;
        facts.warnings = [...facts.warnings, ...event.tree.warnings];
        break;
      case "source-packed":
        facts.archive = event.archive;
        facts.digest = event.archive.digest;
        facts.warnings = [...facts.warnings, ...event.archive.warnings];
        break;
      case "source-hashed":
        facts.digest = event.digest;
        break;
      case "deployment-new":
        facts.name = event.name;
        break;
      case "deployment-found":
        facts.before = event.deployment;
        this.#identify(event, false);
        break;
      case "deployment-created":
        this.#identify(event, !event.adopted);
        break;
      case "planned":
        facts.change = event.change;
        facts.name = event.change.name;
        break;
      case "uploaded":
        facts.uploadedBytes = event.bytes;
        break;
      case "step-ended":
        facts.steps = new Map([...facts.steps, [event.step, event.milliseconds]]);
        break;
      case "warning":
        facts.warnings = [...facts.warnings, event.message];
        break;
      case "ended":
        facts.ended = event;
        break;
      default:
        this.#follow(event);
    }
  }

  #follow(event: DeployEvent): void {
    const facts = this.#facts;
    switch (event.type) {
      case "revision-started":
        facts.deploymentId = event.deploymentId;
        facts.revisionId = event.revisionId;
        facts.startedAs = event.status;
        facts.resumed = event.resumed;
        break;
      case "revision-status": {
        const { status } = event.revision;
        facts.revision = event.revision;
        facts.lastSeen = event.elapsedMilliseconds;
        if (facts.statuses.at(-1)?.status === status) break;
        facts.statuses = [...facts.statuses, { status, at: event.elapsedMilliseconds }];
        break;
      }
      case "revision-heartbeat":
      case "wait-ended":
        facts.lastSeen = event.elapsedMilliseconds;
        break;
      case "revision-logs":
        facts.logs = event;
        break;
      case "revision-live":
        facts.live = event.deployment;
        if (event.url !== undefined) facts.url = event.url;
        break;
      case "trace-sent":
        if (event.page !== undefined) facts.tracePage = event.page;
        break;
      case "agent-answered":
        facts.url = event.url;
        facts.answer = event;
        break;
      default:
        // News that only a log has a use for.
        break;
    }
  }

  #identify({ deployment, page }: FoundDeployment, created: boolean): void {
    const facts = this.#facts;
    if (page !== undefined) facts.page = page;
    facts.deploymentId = deployment.id;
    facts.created = created;
    facts.name = deployment.name ?? facts.name ?? deployment.id;
  }
}
