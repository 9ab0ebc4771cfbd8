import { CancelledError } from "../../../src/deployment/errors.ts";
import { REMOVE_ADVICE } from "../../report/advice.ts";
import { describeFailure, type Failure } from "../../report/failure.ts";
import type { Preview, WhyKept, WhyRemoved } from "../plan.ts";

/** Why a preview is removed, for a line of the log and a cell of the summary. */
export function removedText({ pullRequest }: Pick<Preview, "pullRequest">, why: WhyRemoved): string {
  const number = `#${String(pullRequest)}`;
  switch (why) {
    case "closed":
      return `pull request ${number} is closed`;
    case "age":
      return `older than \`max-age\`, although pull request ${number} is open`;
    case "count":
      return `beyond \`max-count\`, although pull request ${number} is open`;
  }
}

/** Why a preview stays. */
export function keptText({ pullRequest }: Preview, why: WhyKept): string {
  switch (why) {
    case "open":
      return `pull request #${String(pullRequest)} is open`;
    case "not-owned":
      return "no deployment record of this repository names it";
    case "cannot-delete":
      return "this service cannot delete deployments";
  }
}

/** The failure that a run ended with. */
export function removeFailure(error: Error): Failure {
  return describeFailure(error, { title: "Not removed", table: REMOVE_ADVICE });
}

/** The error of a run that was cancelled. */
export function cancelledRemoval(): Error {
  return new CancelledError("The run was cancelled; a delete that the service has accepted continues there.", {
    advice: "Run again: what is gone by then is a success.",
  });
}
