import type { Outcome } from "../../../src/deployment/outcome.ts";
import { describeFailure, type Failure } from "../../report/failure.ts";

const TITLES: Readonly<Record<Outcome, string>> = {
  deployed: "Failed",
  unchanged: "Failed",
  started: "Failed",
  "dry-run": "Failed",
  "build-failed": "Build failed",
  "deploy-failed": "Deploy failed",
  superseded: "Superseded",
  interrupted: "Interrupted",
  "timed-out": "Timed out",
  cancelled: "Cancelled",
  failed: "Failed",
};

/** The failure that a deploy ended with. */
export function deployFailure(outcome: Outcome, error: Error): Failure {
  return describeFailure(error, TITLES[outcome]);
}
