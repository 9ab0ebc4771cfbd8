import type { Outcome } from "../../../src/deployment/errors.ts";
import type { RecordState } from "./record.ts";

/** What a record says of a deploy that ended so; undefined for one that is still running in the service. */
export function stateAfter(outcome: Outcome, error: Error | undefined): RecordState | undefined {
  switch (outcome) {
    case "deployed":
    case "unchanged":
      return "success";
    case "removed":
    case "superseded":
      return "inactive";
    case "build-failed":
    case "deploy-failed":
      return "failure";
    case "failed":
      // The agent is live, but fails its checks.
      return error !== undefined && "code" in error && error.code === "VERIFY" ? "failure" : "error";
    case "cancelled":
    case "interrupted":
    case "timed-out":
      return "error";
    case "dry-run":
    case "skipped":
    case "started":
      return undefined;
  }
}
