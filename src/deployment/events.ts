import type { Deployment, LogKind, LogLine, Revision } from "../contract/deployment.ts";
import type { Source } from "../contract/source.ts";
import type { RetryNotice } from "../http/retry.ts";
import type { SourceArchive } from "../source/archive/archive.ts";
import type { SourceNotice } from "../source/tree/checkout-check.ts";
import type { SourceTree } from "../source/tree/tree.ts";
import type { Outcome } from "./outcomes.ts";

/** The parts of a deploy whose durations are reported; queue, build and deploy are parts of the wait. */
export type Step = "build" | "deploy" | "queue" | "source" | "upload" | "verify";

/** What a deploy would change on an existing deployment, or create. */
export interface PlannedChange {
  readonly target: "create" | "update";
  /** True if no list shows whether there is one of the name, and it would be created all the same. */
  readonly isUnlisted?: boolean | undefined;
  /** What an earlier run left, if a record was requested: with `resume` and `unchanged` nothing would be sent. */
  readonly recalled?: Recalled | undefined;
  readonly name: string;
  readonly source: Source;
  /** The deployment as it is; undefined when it would be created. */
  readonly deployment: Deployment | undefined;
  /** The latest revision as it is, where it could be read. */
  readonly latestRevision: Revision | undefined;
  /** Fields that would be sent: `graph_config_path`, `source_config.build_on_push`; no value is a secret. */
  readonly fields: readonly PlannedField[];
  /** Names of the secrets that would be sent; undefined when they are left alone. */
  readonly secretNames: readonly string[] | undefined;
}

/** What follows for this run from the record of an earlier one. */
export interface Recalled {
  /** `new`: a revision is made. `resume`: one of this source is on its way. `unchanged`: one of this source is live. */
  readonly verdict: "new" | "resume" | "unchanged";
  /** Why, as a sentence without its full stop. */
  readonly reason: string;
}

/** A field that would be sent, and its value before. */
export interface PlannedField {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** How a healthy agent server responded. */
export interface AgentAnswer {
  /** How long one response took. */
  readonly milliseconds: number;
  /** How many graphs of the configuration file the agent serves; undefined without a file. */
  readonly graphs: { readonly served: number; readonly expected: number } | undefined;
  readonly version: string | undefined;
  /** The smoke run, if one was requested and made. */
  readonly run?: SmokeAnswer | undefined;
}

/** A smoke run that succeeded. */
export interface SmokeAnswer {
  /** How long the run took. */
  readonly milliseconds: number;
}

/**
 * Warnings that a door treats in its own way: only its id leads to the deployment that was created; what the name of an
 * image means changes with every push; a checkout did not bring a file, or a rule leaves out a tracked one.
 */
export type WarningCode = "FOUND_BY_ID_ONLY" | "IMAGE_FLOATING" | SourceNotice["code"];

/** What happens in a deploy, in order. Reporters listen; none of it holds a secret or a signed address. */
export type DeployEvent =
  | { readonly type: "source-read"; readonly tree: SourceTree }
  | { readonly type: "source-packed"; readonly archive: SourceArchive; readonly milliseconds: number }
  | ({ readonly type: "recalled" } & Recalled)
  /** The source was hashed and not packed: to compare it with a record, or in a dry run. */
  | { readonly type: "source-hashed"; readonly digest: string }
  /** `page`: the web page of the deployment, if its address is known. */
  | { readonly type: "deployment-found"; readonly deployment: Deployment; readonly page?: string | undefined }
  | { readonly type: "deployment-new"; readonly name: string; readonly source: Source }
  /**
   * The source is that of an earlier revision. `from`: the one that serves now, if the service names it. `digest`: that of
   * an uploaded source, if a record has it.
   */
  | {
      readonly type: "rollback";
      readonly revision: Revision;
      readonly from: string | undefined;
      readonly digest?: string | undefined;
    }
  /** The image has a tag of its own and no digest: it may be another image later. */
  | { readonly type: "image-tagged"; readonly image: string; readonly tag: string }
  | { readonly type: "planned"; readonly change: PlannedChange }
  /** `adopted`: it appeared between our look and our create, made by another run or user. */
  | {
      readonly type: "deployment-created";
      readonly deployment: Deployment;
      readonly adopted: boolean;
      readonly page?: string | undefined;
    }
  /** A delete of the name is still in progress; at once, then about every 30 s. */
  | { readonly type: "delete-waiting"; readonly name: string; readonly elapsedMilliseconds: number }
  /** The caller decided against the deployment, which was not made or is deleted; a sentence without its full stop. */
  | { readonly type: "not-kept"; readonly reason: string }
  | { readonly type: "upload-started" }
  | {
      readonly type: "upload-progress";
      readonly sentBytes: number;
      readonly totalBytes: number;
      readonly milliseconds: number;
    }
  | { readonly type: "uploaded"; readonly bytes: number; readonly milliseconds: number }
  /** The service names the revision that the update made; it was not read yet. */
  | {
      readonly type: "update-answered";
      readonly deploymentId: string;
      readonly revisionId: string;
      readonly status: string;
    }
  | {
      readonly type: "revision-started";
      readonly deploymentId: string;
      readonly revisionId: string;
      readonly status: string;
      /** True when an earlier run made it. */
      readonly resumed: boolean;
    }
  | { readonly type: "revision-status"; readonly revision: Revision; readonly elapsedMilliseconds: number }
  | { readonly type: "revision-heartbeat"; readonly status: string | undefined; readonly elapsedMilliseconds: number }
  /** Our revision is not read any more, however the wait ended. */
  | { readonly type: "wait-ended"; readonly elapsedMilliseconds: number }
  | { readonly type: "revision-logs"; readonly kind: LogKind; readonly lines: readonly LogLine[] }
  | { readonly type: "revision-live"; readonly deployment: Deployment; readonly url: string | undefined }
  /** Requests to the agent begin. */
  | { readonly type: "verify-started"; readonly url: string }
  | {
      readonly type: "agent-waiting";
      readonly url: string;
      readonly reason: string;
      readonly elapsedMilliseconds: number;
    }
  /** The smoke run is still running. */
  | {
      readonly type: "agent-running";
      readonly url: string;
      readonly graph: string;
      readonly elapsedMilliseconds: number;
    }
  | ({ readonly type: "agent-answered"; readonly url: string } & AgentAnswer)
  | { readonly type: "step-ended"; readonly step: Step; readonly milliseconds: number }
  | { readonly type: "retry"; readonly notice: RetryNotice }
  /** The trace of the deploy has arrived, so many runs of it. */
  | {
      readonly type: "trace-sent";
      readonly session: string;
      readonly traceId: string;
      readonly runs: number;
      /** The web page of the trace, if its address is known. */
      readonly page?: string | undefined;
    }
  /** One read of a wait failed; still waiting. */
  | { readonly type: "look-failed"; readonly message: string }
  /** `code` is that of a warning to which a door adds an advice. */
  | { readonly type: "warning"; readonly message: string; readonly code?: WarningCode }
  | {
      readonly type: "ended";
      readonly outcome: Outcome;
      readonly milliseconds: number;
      readonly error: Error | undefined;
    };

/** Hands an event to the reporters. */
export type Emit = (event: DeployEvent) => void;
