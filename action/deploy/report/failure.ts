import { DeployError, type Outcome } from "../../../src/deployment/errors.ts";
import { DEPLOY_ADVICE } from "../../report/advice.ts";
import { describeFailure, type Failure } from "../../report/failure.ts";

const TITLES: Readonly<Record<Outcome, string>> = {
  deployed: "Failed",
  unchanged: "Failed",
  started: "Failed",
  "dry-run": "Failed",
  skipped: "Failed",
  removed: "Failed",
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
  const failure = describeFailure(error, { title: TITLES[outcome], table: DEPLOY_ADVICE });
  const revisionId = error instanceof DeployError ? error.revisionId : undefined;
  if (revisionId === undefined) return failure;
  const waiting = `To wait for this revision in the next run, set \`revision-id: ${revisionId}\`.`;
  return { ...failure, advice: [failure.advice, waiting].filter((sentence) => sentence !== "").join(" ") };
}
